-- What besides the password proves who signs in. Sealed with a key under Storage__KeysPath, so that a copy of the database opens nothing.
CREATE TABLE portal.authenticator_apps (
  account_id uuid PRIMARY KEY CONSTRAINT authenticator_apps_account_fkey REFERENCES portal.accounts ON DELETE CASCADE,
  sealed_secret text NOT NULL,
  -- The time step of the last code that was taken: it and older ones are refused, so that no code is taken twice.
  last_step bigint NOT NULL,
  added_at timestamptz NOT NULL
);

-- SHA-256 of 120 random bits; each is taken once.
CREATE TABLE portal.recovery_codes (
  account_id uuid NOT NULL CONSTRAINT recovery_codes_account_fkey REFERENCES portal.accounts ON DELETE CASCADE,
  code_hash bytea NOT NULL,
  PRIMARY KEY (account_id, code_hash)
);

-- One row, once an administrator has decided.
CREATE TABLE portal.sign_in_policy (
  is_only boolean PRIMARY KEY DEFAULT true CONSTRAINT sign_in_policy_is_only CHECK (is_only),
  admins_need_second_factor boolean NOT NULL
);
