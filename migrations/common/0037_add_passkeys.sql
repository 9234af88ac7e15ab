-- Public keys, which open nothing: each signs in by itself, because its device has asked for a finger, a face or a PIN.
CREATE TABLE portal.passkeys (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL CONSTRAINT passkeys_account_fkey REFERENCES portal.accounts ON DELETE CASCADE,
  credential_id bytea NOT NULL CONSTRAINT passkeys_credential_key UNIQUE,
  public_key bytea NOT NULL,
  -- Of devices that count; the others say 0.
  sign_count bigint NOT NULL,
  -- The name of the host that it was made for, and is good for.
  host text NOT NULL,
  name text NOT NULL,
  created_at timestamptz NOT NULL,
  last_used_at timestamptz
);
CREATE INDEX passkeys_account_idx ON portal.passkeys (account_id);

-- SHA-256 of challenges that a passkey has answered, until they are over anyway: none is answered twice, whichever portal is asked.
CREATE TABLE portal.spent_challenges (
  challenge_hash bytea PRIMARY KEY,
  expires_at timestamptz NOT NULL
);
CREATE INDEX spent_challenges_expires_at_idx ON portal.spent_challenges (expires_at);
