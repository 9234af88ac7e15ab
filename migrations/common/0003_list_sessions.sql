-- A session is valid while its row is here, so that ending one ends every copy of its cookie, and people can see theirs.
-- Sessions of the version before have no row: whoever was signed in signs in once more.
CREATE TABLE portal.sessions (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL CONSTRAINT sessions_account_fkey REFERENCES portal.accounts ON DELETE CASCADE,
  signed_in_at timestamptz NOT NULL,
  -- Written at most every few minutes.
  last_used_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  source_address text NOT NULL,
  user_agent text NOT NULL
);
CREATE INDEX sessions_account_id ON portal.sessions (account_id, last_used_at DESC);
CREATE INDEX sessions_expires_at ON portal.sessions (expires_at);

DROP TABLE portal.ended_sessions;
