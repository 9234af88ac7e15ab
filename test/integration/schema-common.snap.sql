-- Made by the migrations and the engine. `UPDATE_SCHEMA=1 npm test test/integration/schema` writes it anew.

-- Dashboards that were saved. One that ships with the dashboard tool has a row as soon as somebody changed it.
CREATE TABLE dashboards.dashboards (
  -- Identifies the dashboard in its address.
  name text NOT NULL,
  -- The newest of its versions.
  version integer NOT NULL,
  -- Shown title; null: as it ships.
  title text,
  -- UTC instant of the newest version.
  updated_at timestamp with time zone NOT NULL,
  -- Display name of who saved it, as it was then.
  updated_by text NOT NULL,
  CONSTRAINT dashboards_pkey PRIMARY KEY (name)
);

-- All kept versions of dashboards.
CREATE TABLE dashboards.versions (
  -- Of which dashboard.
  name text NOT NULL,
  -- Counts from 1.
  version integer NOT NULL,
  -- The dashboard as it was sent, in its order; null: made again what ships.
  spec json,
  -- UTC instant.
  saved_at timestamp with time zone NOT NULL,
  -- GUID of the account that saved it.
  saved_by_id uuid NOT NULL,
  -- Its display name as it was then.
  saved_by text NOT NULL,
  CONSTRAINT versions_name_fkey FOREIGN KEY (name) REFERENCES dashboards.dashboards(name) ON DELETE CASCADE,
  CONSTRAINT versions_pkey PRIMARY KEY (name, version)
);

-- People who can sign in.
CREATE TABLE portal.accounts (
  -- GUID.
  id uuid NOT NULL,
  -- As it was entered; unique whatever its case.
  email text NOT NULL,
  -- Shown in the page.
  display_name text NOT NULL,
  -- argon2id, with its parameters and salt.
  password_hash text NOT NULL,
  -- Admin, RestrictedAdmin or none.
  roles text[] NOT NULL DEFAULT '{}'::text[],
  -- False: cannot sign in.
  is_active boolean NOT NULL DEFAULT true,
  -- Stands in every session of the account; a new one ends them all.
  security_stamp uuid NOT NULL,
  -- UTC instant of the last sign-in; null before the first.
  last_login_at timestamp with time zone,
  -- UTC instant.
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  -- IANA name of the zone in which this person sees times; null: that of the portal.
  time_zone text,
  CONSTRAINT accounts_pkey PRIMARY KEY (id)
);

-- What became of an alarm, with the figure that caused it.
CREATE TABLE portal.alarm_events (
  -- portal.alarms.id.
  alarm_id uuid NOT NULL,
  -- firing, escalated, acknowledged or resolved.
  event text NOT NULL,
  -- UTC instant.
  occurred_at timestamp with time zone NOT NULL,
  -- Figure at that instant, in the unit of the alarm; null: none.
  value double precision,
  CONSTRAINT alarm_events_alarm_fkey FOREIGN KEY (alarm_id) REFERENCES portal.alarms(id) ON DELETE CASCADE,
  CONSTRAINT alarm_events_event_check CHECK ((event = ANY (ARRAY['firing'::text, 'escalated'::text, 'acknowledged'::text, 'resolved'::text]))),
  CONSTRAINT alarm_events_pkey PRIMARY KEY (alarm_id, event)
);

-- Events of alarms that a recipient is still to be told. A row goes once its message is sent or given up.
CREATE TABLE portal.alarm_outbox (
  -- As in messages.
  recipient text NOT NULL,
  -- portal.alarms.id.
  alarm_id uuid NOT NULL,
  -- firing, escalated, acknowledged or resolved.
  event text NOT NULL,
  -- UTC instant.
  occurred_at timestamp with time zone NOT NULL,
  -- The message that has it; null: none yet.
  message_id uuid,
  CONSTRAINT alarm_outbox_alarm_fkey FOREIGN KEY (alarm_id) REFERENCES portal.alarms(id) ON DELETE CASCADE,
  CONSTRAINT alarm_outbox_message_fkey FOREIGN KEY (message_id) REFERENCES portal.messages(id) ON DELETE CASCADE,
  CONSTRAINT alarm_outbox_pkey PRIMARY KEY (recipient, alarm_id, event)
);

-- What alarms are about, and who is told.
CREATE TABLE portal.alarm_rules (
  -- GUID.
  id uuid NOT NULL,
  -- Shown in the page.
  name text NOT NULL,
  -- What it looks at (shared/alarms.ts).
  kind text NOT NULL,
  -- False: nothing is evaluated.
  is_active boolean NOT NULL,
  -- info, warning or critical.
  severity text NOT NULL,
  -- Sites, devices, end uses or customers that it is about, as on the wire; {}: all.
  scope jsonb NOT NULL,
  -- Limits of its kind, as on the wire.
  condition jsonb NOT NULL,
  -- How long the condition must last, s.
  duration_seconds integer NOT NULL,
  -- Weekly windows, as on the wire; null: always.
  schedule jsonb,
  -- Webhooks, accounts and addresses, as on the wire.
  recipients jsonb NOT NULL,
  -- Others who are told if nobody acknowledges, and when, as on the wire; null: nobody.
  escalation jsonb,
  CONSTRAINT alarm_rules_duration_seconds_check CHECK ((duration_seconds >= 0)),
  CONSTRAINT alarm_rules_pkey PRIMARY KEY (id),
  CONSTRAINT alarm_rules_severity_check CHECK ((severity = ANY (ARRAY['info'::text, 'warning'::text, 'critical'::text])))
);

-- One row once the standard rules were added, so that deleted ones do not come back.
CREATE TABLE portal.alarm_rules_seeded (
  -- Always true: there is one row.
  only_row boolean NOT NULL DEFAULT true,
  CONSTRAINT alarm_rules_seeded_only_row_check CHECK (only_row),
  CONSTRAINT alarm_rules_seeded_pkey PRIMARY KEY (only_row)
);

-- Alarms, the resolved ones for two years. One that is pending has no firing_at, and goes without trace if its condition ends.
CREATE TABLE portal.alarms (
  -- GUID.
  id uuid NOT NULL,
  -- portal.alarm_rules.id; the rule may be deleted.
  rule_id uuid NOT NULL,
  -- Name of the rule when the alarm began.
  rule_name text NOT NULL,
  -- Kind of the rule.
  kind text NOT NULL,
  -- Severity of the rule when the alarm began.
  severity text NOT NULL,
  -- device, site, customer, apiKey or portal.
  subject_kind text NOT NULL,
  -- GUID of what the alarm is about; all zeros for the portal itself.
  subject_id uuid NOT NULL,
  -- Its name when the alarm began.
  subject_name text NOT NULL,
  -- UTC instant from which on the condition has held.
  pending_since timestamp with time zone NOT NULL,
  -- UTC instant at which it had held for long enough; null: not yet.
  firing_at timestamp with time zone,
  -- UTC instant; null: not acknowledged.
  acknowledged_at timestamp with time zone,
  -- Display name of who acknowledged it.
  acknowledged_by text,
  -- UTC instant before which nobody is told; null: not snoozed.
  snoozed_until timestamp with time zone,
  -- UTC instant at which the condition ended; null: open.
  resolved_at timestamp with time zone,
  -- Figure that caused it, in unit; null: none.
  value double precision,
  -- Unit of value; null: none.
  unit text,
  CONSTRAINT alarms_pkey PRIMARY KEY (id),
  CONSTRAINT alarms_resolved_check CHECK (((resolved_at IS NULL) OR (firing_at IS NOT NULL)))
);

-- Who did what, when and from where. Append-only for two years.
CREATE TABLE portal.audit_events (
  -- GUID.
  id uuid NOT NULL,
  -- UTC instant.
  occurred_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  -- account, anonymous or system.
  actor_kind text NOT NULL,
  -- Who did it; null if nobody was signed in. Stays when the account is deleted.
  account_id uuid,
  -- Their email as it was then.
  account_email text,
  -- Network address of the request; null if the portal itself did it.
  source_address text,
  -- What was done, such as user.create.
  action text NOT NULL,
  -- Kind of thing that it was done to, such as user.
  subject_kind text NOT NULL,
  -- GUID of that thing; null if it has none.
  subject_id uuid,
  -- Its name as it was then.
  subject_name text,
  -- Fields that changed, as they were; never a secret.
  before jsonb,
  -- Fields that changed, as they are now; never a secret.
  after jsonb,
  -- Events that the row stands for: more than one only for sign-ins and sign-outs, which are counted by window.
  attempts integer NOT NULL DEFAULT 1,
  -- Identifies the window whose events are counted in this row; null for all other events.
  summary_key text,
  CONSTRAINT audit_events_pkey PRIMARY KEY (id),
  CONSTRAINT audit_events_summary_key UNIQUE (summary_key)
);

-- Authenticator apps (TOTP), one an account.
CREATE TABLE portal.authenticator_apps (
  -- Whose app it is.
  account_id uuid NOT NULL,
  -- The secret, sealed with a key under Storage__KeysPath, so that a copy of the database opens nothing.
  sealed_secret text NOT NULL,
  -- Time step of the last code that was taken: it and older ones are refused, so that no code is taken twice.
  last_step bigint NOT NULL,
  -- UTC instant.
  added_at timestamp with time zone NOT NULL,
  CONSTRAINT authenticator_apps_account_fkey FOREIGN KEY (account_id) REFERENCES portal.accounts(id) ON DELETE CASCADE,
  CONSTRAINT authenticator_apps_pkey PRIMARY KEY (account_id)
);

-- The look of the portal. One row, made from the WhiteLabel settings at the first start; null follows the setting.
CREATE TABLE portal.branding (
  -- Always true: there is one row.
  only_row boolean NOT NULL DEFAULT true,
  -- Name of the portal.
  application_name text,
  -- Address of the logo.
  logo_url text,
  -- Hexadecimal color.
  primary_color text,
  -- Hexadecimal color.
  secondary_color text,
  -- Hexadecimal color.
  accent_color text,
  -- Text at the foot of each page.
  footer_text text,
  CONSTRAINT branding_only_row_check CHECK (only_row),
  CONSTRAINT branding_pkey PRIMARY KEY (only_row)
);

-- Browsers that show notifications of alarms.
CREATE TABLE portal.browser_subscriptions (
  -- GUID.
  id uuid NOT NULL,
  -- Whose browser it is.
  account_id uuid NOT NULL,
  -- portal.sessions.id in which the person asked for it; when that is ended the row goes, when it expires the row stays.
  session_id uuid NOT NULL,
  -- Where the push service of the browser takes notifications.
  endpoint text NOT NULL,
  -- P-256 key of the browser in base64url: notifications are encrypted for it.
  public_key text NOT NULL,
  -- Secret of the browser in base64url, which encryption needs too.
  auth_secret text NOT NULL,
  -- What the browser said of itself.
  user_agent text NOT NULL,
  -- UTC instant.
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT browser_subscriptions_account_fkey FOREIGN KEY (account_id) REFERENCES portal.accounts(id) ON DELETE CASCADE,
  CONSTRAINT browser_subscriptions_endpoint_key UNIQUE (endpoint),
  CONSTRAINT browser_subscriptions_pkey PRIMARY KEY (id)
);

-- How the portal shows what it has. One row, once an administrator has decided.
CREATE TABLE portal.display (
  -- Always true: there is one row.
  is_only boolean NOT NULL DEFAULT true,
  -- IANA name of the zone in which times are shown.
  time_zone text NOT NULL,
  CONSTRAINT display_is_only CHECK (is_only),
  CONSTRAINT display_pkey PRIMARY KEY (is_only)
);

-- What the Dashboards page offers of the dashboard tool.
CREATE TABLE portal.embedded_dashboards (
  -- GUID.
  id uuid NOT NULL,
  -- Shown in the menu.
  title text NOT NULL,
  -- Shown below the title.
  description text NOT NULL,
  -- Path below Dashboard__EmbedPathPrefix, so that it stays right when that changes.
  path text NOT NULL,
  -- Place in the menu, ascending.
  sort_order integer NOT NULL,
  CONSTRAINT embedded_dashboards_pkey PRIMARY KEY (id)
);

-- One row once the dashboards that ship were added, so that deleted ones do not come back.
CREATE TABLE portal.embedded_dashboards_seeded (
  -- Always true: there is one row.
  only_row boolean NOT NULL DEFAULT true,
  CONSTRAINT embedded_dashboards_seeded_only_row_check CHECK (only_row),
  CONSTRAINT embedded_dashboards_seeded_pkey PRIMARY KEY (only_row)
);

-- Reports as they were sent, with all their figures. The key makes each one sent once, whichever portal makes it.
CREATE TABLE portal.kept_reports (
  -- GUID.
  id uuid NOT NULL,
  -- portal.report_subscriptions.id; it may be deleted.
  subscription_id uuid NOT NULL,
  -- Name of the subscription at that time.
  name text NOT NULL,
  -- week, month or year.
  period text NOT NULL,
  -- First local day.
  from_date date NOT NULL,
  -- The local day after the last one.
  to_date date NOT NULL,
  -- Sites of a Client, customers of an Admin; empty: all.
  subject_ids uuid[] NOT NULL,
  -- Accounts and addresses at that time, as on the wire.
  recipients jsonb NOT NULL,
  -- Whether a workbook was attached.
  has_workbook boolean NOT NULL,
  -- UTC instant of the data.
  read_at timestamp with time zone NOT NULL,
  -- The figures that it is compared by, as on the wire.
  figures jsonb NOT NULL,
  -- All that mail, PDF and workbook say (server/subscriptions/contents.ts).
  contents jsonb NOT NULL,
  CONSTRAINT kept_reports_period_key UNIQUE (subscription_id, period, from_date),
  CONSTRAINT kept_reports_pkey PRIMARY KEY (id)
);

-- Mails, notifications in browsers and deliveries to webhooks: waiting ones, and for a week the others.
CREATE TABLE portal.messages (
  -- GUID; the same at each attempt, so that a receiver recognizes repeats.
  id uuid NOT NULL,
  -- Its purpose and whom it is for: webhook:, browser:, user: and invite: with a GUID, email: and reset: with an address, report: with both.
  recipient text NOT NULL,
  -- UTC instant.
  created_at timestamp with time zone NOT NULL,
  -- Attempts so far.
  attempts integer NOT NULL DEFAULT 0,
  -- UTC instant; while one is under way, when another portal may take over.
  next_attempt_at timestamp with time zone NOT NULL,
  -- UTC instant at which it was accepted; null: not yet.
  sent_at timestamp with time zone,
  -- UTC instant at which it was given up; null: not.
  failed_at timestamp with time zone,
  -- Why the last attempt failed; null: it did not.
  error text,
  CONSTRAINT messages_pkey PRIMARY KEY (id)
);

-- What people want to be told of alarms, and in which language; without a row, everything.
CREATE TABLE portal.notification_choices (
  -- Whose choices they are.
  account_id uuid NOT NULL,
  -- mail, push (browsers), or none.
  channels text[] NOT NULL,
  -- info, warning or critical.
  minimum_severity text NOT NULL,
  -- Kinds of alarm rules; empty: all.
  kinds text[] NOT NULL,
  -- Sites of a Client, customers of an Admin; empty: all.
  subject_ids uuid[] NOT NULL,
  -- Daily time without messages, as on the wire; null: none.
  quiet_hours jsonb,
  -- Such as de; null: that of the portal.
  language text,
  CONSTRAINT notification_choices_account_fkey FOREIGN KEY (account_id) REFERENCES portal.accounts(id) ON DELETE CASCADE,
  CONSTRAINT notification_choices_minimum_severity_check CHECK ((minimum_severity = ANY (ARRAY['info'::text, 'warning'::text, 'critical'::text]))),
  CONSTRAINT notification_choices_pkey PRIMARY KEY (account_id)
);

-- Passkeys: each signs in by itself, because its device has asked for a finger, a face or a PIN.
CREATE TABLE portal.passkeys (
  -- GUID.
  id uuid NOT NULL,
  -- Whose passkey it is.
  account_id uuid NOT NULL,
  -- By which the device knows it.
  credential_id bytea NOT NULL,
  -- COSE key; opens nothing.
  public_key bytea NOT NULL,
  -- How often the device has used it; 0 of devices that do not count.
  sign_count bigint NOT NULL,
  -- Host name for which it was made and is valid.
  host text NOT NULL,
  -- Given by its owner.
  name text NOT NULL,
  -- UTC instant.
  created_at timestamp with time zone NOT NULL,
  -- UTC instant; null before the first use.
  last_used_at timestamp with time zone,
  CONSTRAINT passkeys_account_fkey FOREIGN KEY (account_id) REFERENCES portal.accounts(id) ON DELETE CASCADE,
  CONSTRAINT passkeys_credential_key UNIQUE (credential_id),
  CONSTRAINT passkeys_pkey PRIMARY KEY (id)
);

-- Codes that take the place of a second factor, each once; a row goes when its code is taken.
CREATE TABLE portal.recovery_codes (
  -- Whose code it is.
  account_id uuid NOT NULL,
  -- SHA-256 of the code, which has 120 random bits.
  code_hash bytea NOT NULL,
  CONSTRAINT recovery_codes_account_fkey FOREIGN KEY (account_id) REFERENCES portal.accounts(id) ON DELETE CASCADE,
  CONSTRAINT recovery_codes_pkey PRIMARY KEY (account_id, code_hash)
);

-- Who gets which report by mail.
CREATE TABLE portal.report_subscriptions (
  -- GUID.
  id uuid NOT NULL,
  -- Shown in the page and in mails.
  name text NOT NULL,
  -- False: nothing is sent.
  is_active boolean NOT NULL,
  -- week, month or year.
  period text NOT NULL,
  -- Sites of a Client, customers of an Admin; empty: all.
  subject_ids uuid[] NOT NULL,
  -- Accounts and addresses, as on the wire.
  recipients jsonb NOT NULL,
  -- Whether a workbook is attached.
  has_workbook boolean NOT NULL,
  -- UTC instant; periods that ended before are not sent.
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT report_subscriptions_period_check CHECK ((period = ANY (ARRAY['week'::text, 'month'::text, 'year'::text]))),
  CONSTRAINT report_subscriptions_pkey PRIMARY KEY (id)
);

-- The migrations that made this database. The migrator makes the table before it applies the first one.
CREATE TABLE portal.schema_migrations (
  -- common, client or admin: a folder of migrations.
  stream text NOT NULL,
  -- File name without .sql.
  name text NOT NULL,
  -- SHA-256 of the file, hexadecimal digits.
  checksum text NOT NULL,
  -- UTC instant.
  applied_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT schema_migrations_pkey PRIMARY KEY (stream, name)
);

-- Signed-in browsers. A session is valid while its row is here, so that ending one ends every copy of its cookie.
CREATE TABLE portal.sessions (
  -- GUID; stands in the cookie.
  id uuid NOT NULL,
  -- Whose session it is.
  account_id uuid NOT NULL,
  -- UTC instant.
  signed_in_at timestamp with time zone NOT NULL,
  -- UTC instant; written at most every few minutes.
  last_used_at timestamp with time zone NOT NULL,
  -- UTC instant after which the session is not accepted.
  expires_at timestamp with time zone NOT NULL,
  -- Network address from which the person signed in.
  source_address text NOT NULL,
  -- What the browser said of itself when the person signed in.
  user_agent text NOT NULL,
  CONSTRAINT sessions_account_fkey FOREIGN KEY (account_id) REFERENCES portal.accounts(id) ON DELETE CASCADE,
  CONSTRAINT sessions_pkey PRIMARY KEY (id)
);

-- Failed sign-ins, also of emails that have no account, so that the lock tells nothing.
CREATE TABLE portal.sign_in_failures (
  -- The email in lower case.
  email_key text NOT NULL,
  -- UTC instants of the latest failures, ascending.
  failed_at timestamp with time zone[] NOT NULL,
  -- UTC instant at which the lock ends; null without a lock.
  locked_until timestamp with time zone,
  CONSTRAINT sign_in_failures_pkey PRIMARY KEY (email_key)
);

-- What signing in needs. One row, once an administrator has decided.
CREATE TABLE portal.sign_in_policy (
  -- Always true: there is one row.
  is_only boolean NOT NULL DEFAULT true,
  -- Whether accounts with a role need a second factor.
  admins_need_second_factor boolean NOT NULL,
  CONSTRAINT sign_in_policy_is_only CHECK (is_only),
  CONSTRAINT sign_in_policy_pkey PRIMARY KEY (is_only)
);

-- Challenges that a passkey has answered: none is answered twice, whichever portal is asked.
CREATE TABLE portal.spent_challenges (
  -- SHA-256 of the challenge.
  challenge_hash bytea NOT NULL,
  -- UTC instant after which the challenge is over anyway and the row goes.
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT spent_challenges_pkey PRIMARY KEY (challenge_hash)
);

-- Addresses of other systems that are told of alarms.
CREATE TABLE portal.webhooks (
  -- GUID.
  id uuid NOT NULL,
  -- Shown in the page.
  name text NOT NULL,
  -- Where deliveries are posted.
  url text NOT NULL,
  -- False: nothing is delivered.
  is_active boolean NOT NULL,
  -- The secret of signatures, sealed with a key under Storage__KeysPath.
  sealed_secret text NOT NULL,
  CONSTRAINT webhooks_pkey PRIMARY KEY (id)
);

-- Takes the old address of an account out of alarm rules and reports by mail.
CREATE OR REPLACE FUNCTION portal.forget_address()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
  instead jsonb := CASE TG_OP WHEN 'UPDATE' THEN jsonb_build_object('userId', OLD.id) END;
BEGIN
  UPDATE portal.alarm_rules SET recipients = portal.forget_recipient(recipients, OLD.email, instead)
    WHERE recipients @? '$[*].email';
  UPDATE portal.alarm_rules SET escalation = nullif(
      jsonb_set(escalation, '{recipients}', portal.forget_recipient(escalation->'recipients', OLD.email, instead)),
      jsonb_set(escalation, '{recipients}', '[]'))
    WHERE escalation @? '$.recipients[*].email';
  UPDATE portal.report_subscriptions SET recipients = portal.forget_recipient(recipients, OLD.email, instead)
    WHERE recipients @? '$[*].email';
  RETURN NULL;
END $function$
;

-- Recipients with another one in the place of an address; null: without it.
CREATE OR REPLACE FUNCTION portal.forget_recipient(recipients jsonb, address text, instead jsonb)
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE
AS $function$
  SELECT coalesce(jsonb_agg(shown ORDER BY place) FILTER (WHERE shown IS NOT NULL), '[]')
  FROM jsonb_array_elements(recipients) WITH ORDINALITY AS given (entry, place),
    LATERAL (SELECT CASE WHEN lower(entry->>'email') = lower(address) THEN instead ELSE entry END AS shown) named
$function$
;

-- Refuses changes of audit events, and their deletion within two years.
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

-- Adds the audit event of a changed dashboard, for the account of the dashboard tool.
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

CREATE INDEX alarm_outbox_alarm_id ON portal.alarm_outbox USING btree (alarm_id);

CREATE INDEX alarm_outbox_message_id ON portal.alarm_outbox USING btree (message_id);

CREATE INDEX alarms_firing_at ON portal.alarms USING btree (firing_at DESC, id DESC) WHERE (firing_at IS NOT NULL);

CREATE INDEX alarms_resolved_at ON portal.alarms USING btree (resolved_at) WHERE (resolved_at IS NOT NULL);

CREATE INDEX alarms_subject_resolved_at ON portal.alarms USING btree (rule_id, subject_id, resolved_at) WHERE (resolved_at IS NOT NULL);

CREATE INDEX audit_events_account_id ON portal.audit_events USING btree (account_id, occurred_at, id) WHERE (account_id IS NOT NULL);

CREATE INDEX audit_events_action ON portal.audit_events USING btree (action, occurred_at, id);

CREATE INDEX audit_events_occurred_at ON portal.audit_events USING btree (occurred_at, id);

CREATE INDEX audit_events_subject_id ON portal.audit_events USING btree (subject_id, occurred_at, id) WHERE (subject_id IS NOT NULL);

CREATE INDEX audit_events_subject_kind ON portal.audit_events USING btree (subject_kind, occurred_at, id);

CREATE INDEX browser_subscriptions_account_id ON portal.browser_subscriptions USING btree (account_id);

CREATE INDEX kept_reports_read_at ON portal.kept_reports USING btree (read_at DESC);

CREATE INDEX messages_created_at ON portal.messages USING btree (created_at);

CREATE INDEX messages_due ON portal.messages USING btree (next_attempt_at) WHERE ((sent_at IS NULL) AND (failed_at IS NULL));

CREATE INDEX messages_recipient ON portal.messages USING btree (recipient, created_at);

CREATE INDEX passkeys_account_idx ON portal.passkeys USING btree (account_id);

CREATE INDEX sessions_account_id ON portal.sessions USING btree (account_id, last_used_at DESC);

CREATE INDEX sessions_expires_at ON portal.sessions USING btree (expires_at);

CREATE INDEX spent_challenges_expires_at_idx ON portal.spent_challenges USING btree (expires_at);

CREATE UNIQUE INDEX accounts_email_key ON portal.accounts USING btree (lower(email));

CREATE UNIQUE INDEX alarms_open_key ON portal.alarms USING btree (rule_id, subject_kind, subject_id) WHERE (resolved_at IS NULL);

CREATE TRIGGER accounts_change_address AFTER UPDATE OF email ON portal.accounts FOR EACH ROW WHEN ((lower(old.email) <> lower(new.email))) EXECUTE FUNCTION portal.forget_address();

CREATE TRIGGER accounts_take_address AFTER DELETE ON portal.accounts FOR EACH ROW EXECUTE FUNCTION portal.forget_address();

CREATE TRIGGER audit_events_kept BEFORE DELETE OR UPDATE ON portal.audit_events FOR EACH ROW EXECUTE FUNCTION portal.keep_audit_event();

CREATE TRIGGER audit_events_not_truncated BEFORE TRUNCATE ON portal.audit_events FOR EACH STATEMENT EXECUTE FUNCTION portal.keep_audit_event();
