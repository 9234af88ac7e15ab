-- Made by the migrations and the engine. `UPDATE_SCHEMA=1 npm test test/integration/schema` writes it anew.

CREATE TABLE dashboards.dashboards (
  name text NOT NULL,
  version integer NOT NULL,
  title text,
  updated_at timestamp with time zone NOT NULL,
  updated_by text NOT NULL,
  CONSTRAINT dashboards_pkey PRIMARY KEY (name)
);

CREATE TABLE dashboards.versions (
  name text NOT NULL,
  version integer NOT NULL,
  spec json,
  saved_at timestamp with time zone NOT NULL,
  saved_by_id uuid NOT NULL,
  saved_by text NOT NULL,
  CONSTRAINT versions_name_fkey FOREIGN KEY (name) REFERENCES dashboards.dashboards(name) ON DELETE CASCADE,
  CONSTRAINT versions_pkey PRIMARY KEY (name, version)
);

CREATE TABLE portal.accounts (
  id uuid NOT NULL,
  email text NOT NULL,
  display_name text NOT NULL,
  password_hash text NOT NULL,
  roles text[] NOT NULL DEFAULT '{}'::text[],
  is_active boolean NOT NULL DEFAULT true,
  security_stamp uuid NOT NULL,
  last_login_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT accounts_pkey PRIMARY KEY (id)
);

CREATE TABLE portal.audit_events (
  id uuid NOT NULL,
  occurred_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  actor_kind text NOT NULL,
  account_id uuid,
  account_email text,
  source_address text,
  action text NOT NULL,
  subject_kind text NOT NULL,
  subject_id uuid,
  subject_name text,
  before jsonb,
  after jsonb,
  attempts integer NOT NULL DEFAULT 1,
  summary_key text,
  CONSTRAINT audit_events_pkey PRIMARY KEY (id),
  CONSTRAINT audit_events_summary_key UNIQUE (summary_key)
);

CREATE TABLE portal.authenticator_apps (
  account_id uuid NOT NULL,
  sealed_secret text NOT NULL,
  last_step bigint NOT NULL,
  added_at timestamp with time zone NOT NULL,
  CONSTRAINT authenticator_apps_account_fkey FOREIGN KEY (account_id) REFERENCES portal.accounts(id) ON DELETE CASCADE,
  CONSTRAINT authenticator_apps_pkey PRIMARY KEY (account_id)
);

CREATE TABLE portal.branding (
  only_row boolean NOT NULL DEFAULT true,
  application_name text,
  logo_url text,
  primary_color text,
  secondary_color text,
  accent_color text,
  footer_text text,
  CONSTRAINT branding_only_row_check CHECK (only_row),
  CONSTRAINT branding_pkey PRIMARY KEY (only_row)
);

CREATE TABLE portal.embedded_dashboards (
  id uuid NOT NULL,
  title text NOT NULL,
  description text NOT NULL,
  path text NOT NULL,
  sort_order integer NOT NULL,
  CONSTRAINT embedded_dashboards_pkey PRIMARY KEY (id)
);

CREATE TABLE portal.embedded_dashboards_seeded (
  only_row boolean NOT NULL DEFAULT true,
  CONSTRAINT embedded_dashboards_seeded_only_row_check CHECK (only_row),
  CONSTRAINT embedded_dashboards_seeded_pkey PRIMARY KEY (only_row)
);

CREATE TABLE portal.passkeys (
  id uuid NOT NULL,
  account_id uuid NOT NULL,
  credential_id bytea NOT NULL,
  public_key bytea NOT NULL,
  sign_count bigint NOT NULL,
  host text NOT NULL,
  name text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  last_used_at timestamp with time zone,
  CONSTRAINT passkeys_account_fkey FOREIGN KEY (account_id) REFERENCES portal.accounts(id) ON DELETE CASCADE,
  CONSTRAINT passkeys_credential_key UNIQUE (credential_id),
  CONSTRAINT passkeys_pkey PRIMARY KEY (id)
);

CREATE TABLE portal.recovery_codes (
  account_id uuid NOT NULL,
  code_hash bytea NOT NULL,
  CONSTRAINT recovery_codes_account_fkey FOREIGN KEY (account_id) REFERENCES portal.accounts(id) ON DELETE CASCADE,
  CONSTRAINT recovery_codes_pkey PRIMARY KEY (account_id, code_hash)
);

CREATE TABLE portal.schema_migrations (
  stream text NOT NULL,
  name text NOT NULL,
  checksum text NOT NULL,
  applied_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT schema_migrations_pkey PRIMARY KEY (stream, name)
);

CREATE TABLE portal.sessions (
  id uuid NOT NULL,
  account_id uuid NOT NULL,
  signed_in_at timestamp with time zone NOT NULL,
  last_used_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  source_address text NOT NULL,
  user_agent text NOT NULL,
  CONSTRAINT sessions_account_fkey FOREIGN KEY (account_id) REFERENCES portal.accounts(id) ON DELETE CASCADE,
  CONSTRAINT sessions_pkey PRIMARY KEY (id)
);

CREATE TABLE portal.sign_in_failures (
  email_key text NOT NULL,
  failed_at timestamp with time zone[] NOT NULL,
  locked_until timestamp with time zone,
  CONSTRAINT sign_in_failures_pkey PRIMARY KEY (email_key)
);

CREATE TABLE portal.sign_in_policy (
  is_only boolean NOT NULL DEFAULT true,
  admins_need_second_factor boolean NOT NULL,
  CONSTRAINT sign_in_policy_is_only CHECK (is_only),
  CONSTRAINT sign_in_policy_pkey PRIMARY KEY (is_only)
);

CREATE TABLE portal.spent_challenges (
  challenge_hash bytea NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT spent_challenges_pkey PRIMARY KEY (challenge_hash)
);

CREATE OR REPLACE FUNCTION portal.keep_audit_event()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF TG_OP = 'DELETE' AND OLD.occurred_at < clock_timestamp() - interval '2 years' THEN RETURN OLD; END IF;
  IF TG_OP = 'UPDATE' AND OLD.summary_key IS NOT NULL AND NEW.attempts > OLD.attempts
    AND to_jsonb(NEW) - 'attempts' = to_jsonb(OLD) - 'attempts' THEN RETURN NEW; END IF;
  RAISE EXCEPTION 'The audit trail is append-only; % is refused.', TG_OP USING ERRCODE = 'insufficient_privilege';
END $function$
;

CREATE OR REPLACE FUNCTION portal.record_dashboard_change(event_id uuid, who uuid, what text, subject text, was jsonb, is_now jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  IF what NOT IN ('create', 'change', 'delete') OR octet_length(was::text) > 16000 OR octet_length(is_now::text) > 16000 THEN
    RAISE EXCEPTION 'This is no change of a dashboard.' USING ERRCODE = 'check_violation';
  END IF;
  INSERT INTO portal.audit_events
    (id, actor_kind, account_id, account_email, action, subject_kind, subject_name, before, after)
  VALUES (event_id, 'account', who, (SELECT email FROM portal.accounts WHERE id = who), 'dashboard.' || what, 'dashboard',
    left(subject, 300), was, is_now);
END $function$
;

CREATE INDEX audit_events_account_id ON portal.audit_events USING btree (account_id, occurred_at, id) WHERE (account_id IS NOT NULL);

CREATE INDEX audit_events_action ON portal.audit_events USING btree (action, occurred_at, id);

CREATE INDEX audit_events_occurred_at ON portal.audit_events USING btree (occurred_at, id);

CREATE INDEX audit_events_subject_id ON portal.audit_events USING btree (subject_id, occurred_at, id) WHERE (subject_id IS NOT NULL);

CREATE INDEX audit_events_subject_kind ON portal.audit_events USING btree (subject_kind, occurred_at, id);

CREATE INDEX passkeys_account_idx ON portal.passkeys USING btree (account_id);

CREATE INDEX sessions_account_id ON portal.sessions USING btree (account_id, last_used_at DESC);

CREATE INDEX sessions_expires_at ON portal.sessions USING btree (expires_at);

CREATE INDEX spent_challenges_expires_at_idx ON portal.spent_challenges USING btree (expires_at);

CREATE UNIQUE INDEX accounts_email_key ON portal.accounts USING btree (lower(email));

CREATE TRIGGER audit_events_kept BEFORE DELETE OR UPDATE ON portal.audit_events FOR EACH ROW EXECUTE FUNCTION portal.keep_audit_event();

CREATE TRIGGER audit_events_not_truncated BEFORE TRUNCATE ON portal.audit_events FOR EACH STATEMENT EXECUTE FUNCTION portal.keep_audit_event();
