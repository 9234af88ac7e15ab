CREATE TABLE portal.accounts (
  id uuid PRIMARY KEY,
  email text NOT NULL,
  display_name text NOT NULL,
  password_hash text NOT NULL,
  roles text[] NOT NULL DEFAULT '{}',
  is_active boolean NOT NULL DEFAULT true,
  -- Stands in every session of the account; a new one ends them all.
  security_stamp uuid NOT NULL,
  last_login_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX accounts_email_key ON portal.accounts (lower(email));

-- Failed sign-ins by lower-case email, also of emails that have no account, so that the lock tells nothing.
CREATE TABLE portal.sign_in_failures (
  email_key text PRIMARY KEY,
  failed_at timestamptz[] NOT NULL,
  locked_until timestamptz
);

-- Sessions that were signed out before they ran out: their cookies may still exist somewhere.
CREATE TABLE portal.ended_sessions (
  session_id uuid PRIMARY KEY,
  expires_at timestamptz NOT NULL
);
CREATE INDEX ended_sessions_expires_at ON portal.ended_sessions (expires_at);
