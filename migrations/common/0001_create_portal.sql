-- What both run modes have: accounts and how they sign in, the audit trail, branding, and the dashboards of the dashboard tool.
-- The schema portal is the migrator's, whose ledger lies in it.

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

-- A session is valid while its row is here, so that ending one ends every copy of its cookie, and people can see theirs.
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

-- One row, once an administrator has decided.
CREATE TABLE portal.sign_in_policy (
  is_only boolean PRIMARY KEY DEFAULT true CONSTRAINT sign_in_policy_is_only CHECK (is_only),
  admins_need_second_factor boolean NOT NULL
);

-- Who did what, when and from where. No foreign keys: what was written stays when the account or the subject is deleted.
CREATE TABLE portal.audit_events (
  id uuid PRIMARY KEY,
  occurred_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  actor_kind text NOT NULL,
  account_id uuid,
  -- As it was then.
  account_email text,
  source_address text,
  action text NOT NULL,
  subject_kind text NOT NULL,
  subject_id uuid,
  subject_name text,
  before jsonb,
  after jsonb,
  -- More than one only for failed sign-ins, which are counted by window (summary_key).
  attempts integer NOT NULL DEFAULT 1,
  summary_key text CONSTRAINT audit_events_summary_key UNIQUE
);
-- One for each filter of the trail, which is read by instant and id.
CREATE INDEX audit_events_occurred_at ON portal.audit_events (occurred_at, id);
CREATE INDEX audit_events_action ON portal.audit_events (action, occurred_at, id);
CREATE INDEX audit_events_subject_kind ON portal.audit_events (subject_kind, occurred_at, id);
CREATE INDEX audit_events_subject_id ON portal.audit_events (subject_id, occurred_at, id) WHERE subject_id IS NOT NULL;
CREATE INDEX audit_events_account_id ON portal.audit_events (account_id, occurred_at, id) WHERE account_id IS NOT NULL;

-- Holds for everybody, the owner of the table included, as long as nobody takes the triggers away.
CREATE FUNCTION portal.keep_audit_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND OLD.occurred_at < clock_timestamp() - interval '2 years' THEN RETURN OLD; END IF;
  IF TG_OP = 'UPDATE' AND OLD.summary_key IS NOT NULL AND NEW.attempts > OLD.attempts
    AND to_jsonb(NEW) - 'attempts' = to_jsonb(OLD) - 'attempts' THEN RETURN NEW; END IF;
  RAISE EXCEPTION 'The audit trail is append-only; % is refused.', TG_OP USING ERRCODE = 'insufficient_privilege';
END $$;
CREATE TRIGGER audit_events_kept BEFORE UPDATE OR DELETE ON portal.audit_events
  FOR EACH ROW EXECUTE FUNCTION portal.keep_audit_event();
CREATE TRIGGER audit_events_not_truncated BEFORE TRUNCATE ON portal.audit_events
  FOR EACH STATEMENT EXECUTE FUNCTION portal.keep_audit_event();

-- The dashboard tool writes with an account that neither reads nor writes the audit trail: it can add events of dashboards, and
-- nothing else.
CREATE FUNCTION portal.record_dashboard_change(
  event_id uuid, who uuid, what text, subject text, was jsonb, is_now jsonb
) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF what NOT IN ('create', 'change', 'delete') OR octet_length(was::text) > 16000 OR octet_length(is_now::text) > 16000 THEN
    RAISE EXCEPTION 'This is no change of a dashboard.' USING ERRCODE = 'check_violation';
  END IF;
  INSERT INTO portal.audit_events
    (id, actor_kind, account_id, account_email, action, subject_kind, subject_name, before, after)
  VALUES (event_id, 'account', who, (SELECT email FROM portal.accounts WHERE id = who), 'dashboard.' || what, 'dashboard',
    left(subject, 300), was, is_now);
END $$;
REVOKE ALL ON FUNCTION portal.record_dashboard_change FROM PUBLIC;

-- One row, seeded from the WhiteLabel settings at the first start; null follows the setting.
CREATE TABLE portal.branding (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  application_name text,
  logo_url text,
  primary_color text,
  secondary_color text,
  accent_color text,
  footer_text text
);

-- What the Dashboards page offers of the dashboard tool.
CREATE TABLE portal.embedded_dashboards (
  id uuid PRIMARY KEY,
  title text NOT NULL,
  description text NOT NULL,
  -- Below Dashboard__EmbedPathPrefix, so that it stays right when that changes.
  path text NOT NULL,
  sort_order integer NOT NULL
);

-- Its row is there once those that ship were added, so that deleted ones do not come back.
CREATE TABLE portal.embedded_dashboards_seeded (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row)
);

CREATE SCHEMA dashboards;

-- Dashboards that were saved. Those that ship with the dashboard tool have a row as soon as somebody changed them.
CREATE TABLE dashboards.dashboards (
  name text PRIMARY KEY,
  -- The newest of its versions.
  version integer NOT NULL,
  -- Null: as it ships.
  title text,
  updated_at timestamptz NOT NULL,
  updated_by text NOT NULL
);

CREATE TABLE dashboards.versions (
  name text NOT NULL CONSTRAINT versions_name_fkey REFERENCES dashboards.dashboards ON DELETE CASCADE,
  version integer NOT NULL,
  -- As it was sent, in its order; null: made again what ships.
  spec json,
  saved_at timestamptz NOT NULL,
  saved_by_id uuid NOT NULL,
  -- As they were called then.
  saved_by text NOT NULL,
  PRIMARY KEY (name, version)
);
