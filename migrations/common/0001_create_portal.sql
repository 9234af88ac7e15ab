-- What both run modes have: accounts and how they sign in, the audit trail, branding, and the dashboards of the dashboard tool.
-- The schema portal is the migrator's, whose ledger lies in it. What a table and a column mean is said by its COMMENT, right below it
-- (`npm run check` wants one of each); what is said here with -- is why it is made as it is.

COMMENT ON TABLE portal.schema_migrations IS
  'The migrations that made this database. The migrator makes the table before it applies the first one.';
COMMENT ON COLUMN portal.schema_migrations.stream IS 'common, client or admin: a folder of migrations.';
COMMENT ON COLUMN portal.schema_migrations.name IS 'File name without .sql.';
COMMENT ON COLUMN portal.schema_migrations.checksum IS 'SHA-256 of the file, hexadecimal digits.';
COMMENT ON COLUMN portal.schema_migrations.applied_at IS 'UTC instant.';

CREATE TABLE portal.accounts (
  id uuid PRIMARY KEY,
  email text NOT NULL,
  display_name text NOT NULL,
  password_hash text NOT NULL,
  roles text[] NOT NULL DEFAULT '{}',
  is_active boolean NOT NULL DEFAULT true,
  security_stamp uuid NOT NULL,
  last_login_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  time_zone text
);
COMMENT ON TABLE portal.accounts IS 'People who can sign in.';
COMMENT ON COLUMN portal.accounts.id IS 'GUID.';
COMMENT ON COLUMN portal.accounts.email IS 'As it was entered; unique whatever its case.';
COMMENT ON COLUMN portal.accounts.display_name IS 'Shown in the page.';
COMMENT ON COLUMN portal.accounts.password_hash IS 'argon2id, with its parameters and salt.';
COMMENT ON COLUMN portal.accounts.roles IS 'Admin, RestrictedAdmin or none.';
COMMENT ON COLUMN portal.accounts.is_active IS 'False: cannot sign in.';
COMMENT ON COLUMN portal.accounts.security_stamp IS 'Stands in every session of the account; a new one ends them all.';
COMMENT ON COLUMN portal.accounts.last_login_at IS 'UTC instant of the last sign-in; null before the first.';
COMMENT ON COLUMN portal.accounts.created_at IS 'UTC instant.';
COMMENT ON COLUMN portal.accounts.time_zone IS
  'IANA name of the zone in which this person sees times; null: that of the portal.';
CREATE UNIQUE INDEX accounts_email_key ON portal.accounts (lower(email));

CREATE TABLE portal.sign_in_failures (
  email_key text PRIMARY KEY,
  failed_at timestamptz[] NOT NULL,
  locked_until timestamptz
);
COMMENT ON TABLE portal.sign_in_failures IS 'Failed sign-ins, also of emails that have no account, so that the lock tells nothing.';
COMMENT ON COLUMN portal.sign_in_failures.email_key IS 'The email in lower case.';
COMMENT ON COLUMN portal.sign_in_failures.failed_at IS 'UTC instants of the latest failures, ascending.';
COMMENT ON COLUMN portal.sign_in_failures.locked_until IS 'UTC instant at which the lock ends; null without a lock.';

CREATE TABLE portal.sessions (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL CONSTRAINT sessions_account_fkey REFERENCES portal.accounts ON DELETE CASCADE,
  signed_in_at timestamptz NOT NULL,
  last_used_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  source_address text NOT NULL,
  user_agent text NOT NULL
);
COMMENT ON TABLE portal.sessions IS
  'Signed-in browsers. A session is valid while its row is here, so that ending one ends every copy of its cookie.';
COMMENT ON COLUMN portal.sessions.id IS 'GUID; stands in the cookie.';
COMMENT ON COLUMN portal.sessions.account_id IS 'Whose session it is.';
COMMENT ON COLUMN portal.sessions.signed_in_at IS 'UTC instant.';
COMMENT ON COLUMN portal.sessions.last_used_at IS 'UTC instant; written at most every few minutes.';
COMMENT ON COLUMN portal.sessions.expires_at IS 'UTC instant after which the session is not accepted.';
COMMENT ON COLUMN portal.sessions.source_address IS 'Network address from which the person signed in.';
COMMENT ON COLUMN portal.sessions.user_agent IS 'What the browser said of itself when the person signed in.';
CREATE INDEX sessions_account_id ON portal.sessions (account_id, last_used_at DESC);
CREATE INDEX sessions_expires_at ON portal.sessions (expires_at);

CREATE TABLE portal.authenticator_apps (
  account_id uuid PRIMARY KEY CONSTRAINT authenticator_apps_account_fkey REFERENCES portal.accounts ON DELETE CASCADE,
  sealed_secret text NOT NULL,
  last_step bigint NOT NULL,
  added_at timestamptz NOT NULL
);
COMMENT ON TABLE portal.authenticator_apps IS 'Authenticator apps (TOTP), one an account.';
COMMENT ON COLUMN portal.authenticator_apps.account_id IS 'Whose app it is.';
COMMENT ON COLUMN portal.authenticator_apps.sealed_secret IS
  'The secret, sealed with a key under Storage__KeysPath, so that a copy of the database opens nothing.';
COMMENT ON COLUMN portal.authenticator_apps.last_step IS
  'Time step of the last code that was taken: it and older ones are refused, so that no code is taken twice.';
COMMENT ON COLUMN portal.authenticator_apps.added_at IS 'UTC instant.';

CREATE TABLE portal.recovery_codes (
  account_id uuid NOT NULL CONSTRAINT recovery_codes_account_fkey REFERENCES portal.accounts ON DELETE CASCADE,
  code_hash bytea NOT NULL,
  PRIMARY KEY (account_id, code_hash)
);
COMMENT ON TABLE portal.recovery_codes IS
  'Codes that take the place of a second factor, each once; a row goes when its code is taken.';
COMMENT ON COLUMN portal.recovery_codes.account_id IS 'Whose code it is.';
COMMENT ON COLUMN portal.recovery_codes.code_hash IS 'SHA-256 of the code, which has 120 random bits.';

CREATE TABLE portal.passkeys (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL CONSTRAINT passkeys_account_fkey REFERENCES portal.accounts ON DELETE CASCADE,
  credential_id bytea NOT NULL CONSTRAINT passkeys_credential_key UNIQUE,
  public_key bytea NOT NULL,
  sign_count bigint NOT NULL,
  host text NOT NULL,
  name text NOT NULL,
  created_at timestamptz NOT NULL,
  last_used_at timestamptz
);
COMMENT ON TABLE portal.passkeys IS
  'Passkeys: each signs in by itself, because its device has asked for a finger, a face or a PIN.';
COMMENT ON COLUMN portal.passkeys.id IS 'GUID.';
COMMENT ON COLUMN portal.passkeys.account_id IS 'Whose passkey it is.';
COMMENT ON COLUMN portal.passkeys.credential_id IS 'By which the device knows it.';
COMMENT ON COLUMN portal.passkeys.public_key IS 'COSE key; opens nothing.';
COMMENT ON COLUMN portal.passkeys.sign_count IS 'How often the device has used it; 0 of devices that do not count.';
COMMENT ON COLUMN portal.passkeys.host IS 'Host name for which it was made and is valid.';
COMMENT ON COLUMN portal.passkeys.name IS 'Given by its owner.';
COMMENT ON COLUMN portal.passkeys.created_at IS 'UTC instant.';
COMMENT ON COLUMN portal.passkeys.last_used_at IS 'UTC instant; null before the first use.';
CREATE INDEX passkeys_account_idx ON portal.passkeys (account_id);

CREATE TABLE portal.spent_challenges (
  challenge_hash bytea PRIMARY KEY,
  expires_at timestamptz NOT NULL
);
COMMENT ON TABLE portal.spent_challenges IS
  'Challenges that a passkey has answered: none is answered twice, whichever portal is asked.';
COMMENT ON COLUMN portal.spent_challenges.challenge_hash IS 'SHA-256 of the challenge.';
COMMENT ON COLUMN portal.spent_challenges.expires_at IS 'UTC instant after which the challenge is over anyway and the row goes.';
CREATE INDEX spent_challenges_expires_at_idx ON portal.spent_challenges (expires_at);

CREATE TABLE portal.sign_in_policy (
  is_only boolean PRIMARY KEY DEFAULT true CONSTRAINT sign_in_policy_is_only CHECK (is_only),
  admins_need_second_factor boolean NOT NULL
);
COMMENT ON TABLE portal.sign_in_policy IS 'What signing in needs. One row, once an administrator has decided.';
COMMENT ON COLUMN portal.sign_in_policy.is_only IS 'Always true: there is one row.';
COMMENT ON COLUMN portal.sign_in_policy.admins_need_second_factor IS 'Whether accounts with a role need a second factor.';

CREATE TABLE portal.display (
  is_only boolean PRIMARY KEY DEFAULT true CONSTRAINT display_is_only CHECK (is_only),
  time_zone text NOT NULL
);
COMMENT ON TABLE portal.display IS 'How the portal shows what it has. One row, once an administrator has decided.';
COMMENT ON COLUMN portal.display.is_only IS 'Always true: there is one row.';
COMMENT ON COLUMN portal.display.time_zone IS 'IANA name of the zone in which times are shown.';

-- No foreign keys: what was written stays when the account or the subject is deleted.
CREATE TABLE portal.audit_events (
  id uuid PRIMARY KEY,
  occurred_at timestamptz NOT NULL DEFAULT clock_timestamp(),
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
  summary_key text CONSTRAINT audit_events_summary_key UNIQUE
);
COMMENT ON TABLE portal.audit_events IS 'Who did what, when and from where. Append-only for two years.';
COMMENT ON COLUMN portal.audit_events.id IS 'GUID.';
COMMENT ON COLUMN portal.audit_events.occurred_at IS 'UTC instant.';
COMMENT ON COLUMN portal.audit_events.actor_kind IS 'account, anonymous or system.';
COMMENT ON COLUMN portal.audit_events.account_id IS 'Who did it; null if nobody was signed in. Stays when the account is deleted.';
COMMENT ON COLUMN portal.audit_events.account_email IS 'Their email as it was then.';
COMMENT ON COLUMN portal.audit_events.source_address IS 'Network address of the request; null if the portal itself did it.';
COMMENT ON COLUMN portal.audit_events.action IS 'What was done, such as user.create.';
COMMENT ON COLUMN portal.audit_events.subject_kind IS 'Kind of thing that it was done to, such as user.';
COMMENT ON COLUMN portal.audit_events.subject_id IS 'GUID of that thing; null if it has none.';
COMMENT ON COLUMN portal.audit_events.subject_name IS 'Its name as it was then.';
COMMENT ON COLUMN portal.audit_events.before IS 'Fields that changed, as they were; never a secret.';
COMMENT ON COLUMN portal.audit_events.after IS 'Fields that changed, as they are now; never a secret.';
COMMENT ON COLUMN portal.audit_events.attempts IS
  'Events that the row stands for: more than one only for sign-ins and sign-outs, which are counted by window.';
COMMENT ON COLUMN portal.audit_events.summary_key IS
  'Identifies the window whose events are counted in this row; null for all other events.';
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
COMMENT ON FUNCTION portal.keep_audit_event IS 'Refuses changes of audit events, and their deletion within two years.';
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
COMMENT ON FUNCTION portal.record_dashboard_change IS 'Adds the audit event of a changed dashboard, for the account of the dashboard tool.';
REVOKE ALL ON FUNCTION portal.record_dashboard_change FROM PUBLIC;

CREATE TABLE portal.branding (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  application_name text,
  logo_url text,
  primary_color text,
  secondary_color text,
  accent_color text,
  footer_text text
);
COMMENT ON TABLE portal.branding IS
  'The look of the portal. One row, made from the WhiteLabel settings at the first start; null follows the setting.';
COMMENT ON COLUMN portal.branding.only_row IS 'Always true: there is one row.';
COMMENT ON COLUMN portal.branding.application_name IS 'Name of the portal.';
COMMENT ON COLUMN portal.branding.logo_url IS 'Address of the logo.';
COMMENT ON COLUMN portal.branding.primary_color IS 'Hexadecimal color.';
COMMENT ON COLUMN portal.branding.secondary_color IS 'Hexadecimal color.';
COMMENT ON COLUMN portal.branding.accent_color IS 'Hexadecimal color.';
COMMENT ON COLUMN portal.branding.footer_text IS 'Text at the foot of each page.';

CREATE TABLE portal.embedded_dashboards (
  id uuid PRIMARY KEY,
  title text NOT NULL,
  description text NOT NULL,
  path text NOT NULL,
  sort_order integer NOT NULL
);
COMMENT ON TABLE portal.embedded_dashboards IS 'What the Dashboards page offers of the dashboard tool.';
COMMENT ON COLUMN portal.embedded_dashboards.id IS 'GUID.';
COMMENT ON COLUMN portal.embedded_dashboards.title IS 'Shown in the menu.';
COMMENT ON COLUMN portal.embedded_dashboards.description IS 'Shown below the title.';
COMMENT ON COLUMN portal.embedded_dashboards.path IS
  'Path below Dashboard__EmbedPathPrefix, so that it stays right when that changes.';
COMMENT ON COLUMN portal.embedded_dashboards.sort_order IS 'Place in the menu, ascending.';

CREATE TABLE portal.embedded_dashboards_seeded (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row)
);
COMMENT ON TABLE portal.embedded_dashboards_seeded IS
  'One row once the dashboards that ship were added, so that deleted ones do not come back.';
COMMENT ON COLUMN portal.embedded_dashboards_seeded.only_row IS 'Always true: there is one row.';

CREATE SCHEMA dashboards;
COMMENT ON SCHEMA dashboards IS 'What the dashboard tool keeps; its own account writes here.';

CREATE TABLE dashboards.dashboards (
  name text PRIMARY KEY,
  version integer NOT NULL,
  title text,
  updated_at timestamptz NOT NULL,
  updated_by text NOT NULL
);
COMMENT ON TABLE dashboards.dashboards IS
  'Dashboards that were saved. One that ships with the dashboard tool has a row as soon as somebody changed it.';
COMMENT ON COLUMN dashboards.dashboards.name IS 'Identifies the dashboard in its address.';
COMMENT ON COLUMN dashboards.dashboards.version IS 'The newest of its versions.';
COMMENT ON COLUMN dashboards.dashboards.title IS 'Shown title; null: as it ships.';
COMMENT ON COLUMN dashboards.dashboards.updated_at IS 'UTC instant of the newest version.';
COMMENT ON COLUMN dashboards.dashboards.updated_by IS 'Display name of who saved it, as it was then.';

CREATE TABLE dashboards.versions (
  name text NOT NULL CONSTRAINT versions_name_fkey REFERENCES dashboards.dashboards ON DELETE CASCADE,
  version integer NOT NULL,
  spec json,
  saved_at timestamptz NOT NULL,
  saved_by_id uuid NOT NULL,
  saved_by text NOT NULL,
  PRIMARY KEY (name, version)
);
COMMENT ON TABLE dashboards.versions IS 'All kept versions of dashboards.';
COMMENT ON COLUMN dashboards.versions.name IS 'Of which dashboard.';
COMMENT ON COLUMN dashboards.versions.version IS 'Counts from 1.';
COMMENT ON COLUMN dashboards.versions.spec IS 'The dashboard as it was sent, in its order; null: made again what ships.';
COMMENT ON COLUMN dashboards.versions.saved_at IS 'UTC instant.';
COMMENT ON COLUMN dashboards.versions.saved_by_id IS 'GUID of the account that saved it.';
COMMENT ON COLUMN dashboards.versions.saved_by IS 'Its display name as it was then.';

-- Alarms of both run modes (docs/adr/0082). Rules, open alarms and their history are few beside readings, so they stay on the
-- coordinator where the fleet is sharded. No foreign keys: the history stays when a rule or its subject is deleted.
CREATE TABLE portal.alarm_rules (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  kind text NOT NULL,
  is_active boolean NOT NULL,
  severity text NOT NULL CHECK (severity IN ('info', 'warning', 'critical')),
  scope jsonb NOT NULL,
  condition jsonb NOT NULL,
  duration_seconds integer NOT NULL CHECK (duration_seconds >= 0),
  schedule jsonb,
  recipients jsonb NOT NULL,
  escalation jsonb
);
COMMENT ON TABLE portal.alarm_rules IS 'What alarms are about, and who is told.';
COMMENT ON COLUMN portal.alarm_rules.id IS 'GUID.';
COMMENT ON COLUMN portal.alarm_rules.name IS 'Shown in the page.';
COMMENT ON COLUMN portal.alarm_rules.kind IS 'What it looks at (shared/alarms.ts).';
COMMENT ON COLUMN portal.alarm_rules.is_active IS 'False: nothing is evaluated.';
COMMENT ON COLUMN portal.alarm_rules.severity IS 'info, warning or critical.';
COMMENT ON COLUMN portal.alarm_rules.scope IS 'Sites, devices, end uses or customers that it is about, as on the wire; {}: all.';
COMMENT ON COLUMN portal.alarm_rules.condition IS 'Limits of its kind, as on the wire.';
COMMENT ON COLUMN portal.alarm_rules.duration_seconds IS 'How long the condition must last, s.';
COMMENT ON COLUMN portal.alarm_rules.schedule IS 'Weekly windows, as on the wire; null: always.';
COMMENT ON COLUMN portal.alarm_rules.recipients IS 'Webhooks, accounts and addresses, as on the wire.';
COMMENT ON COLUMN portal.alarm_rules.escalation IS 'Others who are told if nobody acknowledges, and when, as on the wire; null: nobody.';

CREATE TABLE portal.alarm_rules_seeded (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row)
);
COMMENT ON TABLE portal.alarm_rules_seeded IS
  'One row once the standard rules were added, so that deleted ones do not come back.';
COMMENT ON COLUMN portal.alarm_rules_seeded.only_row IS 'Always true: there is one row.';

CREATE TABLE portal.alarms (
  id uuid PRIMARY KEY,
  rule_id uuid NOT NULL,
  rule_name text NOT NULL,
  kind text NOT NULL,
  severity text NOT NULL,
  subject_kind text NOT NULL,
  subject_id uuid NOT NULL,
  subject_name text NOT NULL,
  pending_since timestamptz NOT NULL,
  firing_at timestamptz,
  acknowledged_at timestamptz,
  acknowledged_by text,
  snoozed_until timestamptz,
  resolved_at timestamptz,
  value double precision,
  unit text,
  CONSTRAINT alarms_resolved_check CHECK (resolved_at IS NULL OR firing_at IS NOT NULL)
);
COMMENT ON TABLE portal.alarms IS
  'Alarms, the resolved ones for two years. One that is pending has no firing_at, and goes without trace if its condition ends.';
COMMENT ON COLUMN portal.alarms.id IS 'GUID.';
COMMENT ON COLUMN portal.alarms.rule_id IS 'portal.alarm_rules.id; the rule may be deleted.';
COMMENT ON COLUMN portal.alarms.rule_name IS 'Name of the rule when the alarm began.';
COMMENT ON COLUMN portal.alarms.kind IS 'Kind of the rule.';
COMMENT ON COLUMN portal.alarms.severity IS 'Severity of the rule when the alarm began.';
COMMENT ON COLUMN portal.alarms.subject_kind IS 'device, site, customer, apiKey or portal.';
COMMENT ON COLUMN portal.alarms.subject_id IS 'GUID of what the alarm is about; all zeros for the portal itself.';
COMMENT ON COLUMN portal.alarms.subject_name IS 'Its name when the alarm began.';
COMMENT ON COLUMN portal.alarms.pending_since IS 'UTC instant from which on the condition has held.';
COMMENT ON COLUMN portal.alarms.firing_at IS 'UTC instant at which it had held for long enough; null: not yet.';
COMMENT ON COLUMN portal.alarms.acknowledged_at IS 'UTC instant; null: not acknowledged.';
COMMENT ON COLUMN portal.alarms.acknowledged_by IS 'Display name of who acknowledged it.';
COMMENT ON COLUMN portal.alarms.snoozed_until IS 'UTC instant before which nobody is told; null: not snoozed.';
COMMENT ON COLUMN portal.alarms.resolved_at IS 'UTC instant at which the condition ended; null: open.';
COMMENT ON COLUMN portal.alarms.value IS 'Figure that caused it, in unit; null: none.';
COMMENT ON COLUMN portal.alarms.unit IS 'Unit of value; null: none.';
-- One open alarm of a rule and subject, whichever portal evaluates.
CREATE UNIQUE INDEX alarms_open_key ON portal.alarms (rule_id, subject_kind, subject_id) WHERE resolved_at IS NULL;
CREATE INDEX alarms_subject_resolved_at ON portal.alarms (rule_id, subject_id, resolved_at) WHERE resolved_at IS NOT NULL;
CREATE INDEX alarms_firing_at ON portal.alarms (firing_at DESC, id DESC) WHERE firing_at IS NOT NULL;
CREATE INDEX alarms_resolved_at ON portal.alarms (resolved_at) WHERE resolved_at IS NOT NULL;

CREATE TABLE portal.alarm_events (
  alarm_id uuid NOT NULL CONSTRAINT alarm_events_alarm_fkey REFERENCES portal.alarms ON DELETE CASCADE,
  event text NOT NULL CHECK (event IN ('firing', 'escalated', 'acknowledged', 'resolved')),
  occurred_at timestamptz NOT NULL,
  value double precision,
  CONSTRAINT alarm_events_pkey PRIMARY KEY (alarm_id, event)
);
COMMENT ON TABLE portal.alarm_events IS 'What became of an alarm, with the figure that caused it.';
COMMENT ON COLUMN portal.alarm_events.alarm_id IS 'portal.alarms.id.';
COMMENT ON COLUMN portal.alarm_events.event IS 'firing, escalated, acknowledged or resolved.';
COMMENT ON COLUMN portal.alarm_events.occurred_at IS 'UTC instant.';
COMMENT ON COLUMN portal.alarm_events.value IS 'Figure at that instant, in the unit of the alarm; null: none.';

CREATE TABLE portal.webhooks (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  url text NOT NULL,
  is_active boolean NOT NULL,
  sealed_secret text NOT NULL
);
COMMENT ON TABLE portal.webhooks IS 'Addresses of other systems that are told of alarms.';
COMMENT ON COLUMN portal.webhooks.id IS 'GUID.';
COMMENT ON COLUMN portal.webhooks.name IS 'Shown in the page.';
COMMENT ON COLUMN portal.webhooks.url IS 'Where deliveries are posted.';
COMMENT ON COLUMN portal.webhooks.is_active IS 'False: nothing is delivered.';
COMMENT ON COLUMN portal.webhooks.sealed_secret IS 'The secret of signatures, sealed with a key under Storage__KeysPath.';

-- A message is repeated until it is accepted or a day has passed.
CREATE TABLE portal.messages (
  id uuid PRIMARY KEY,
  recipient text NOT NULL,
  created_at timestamptz NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz NOT NULL,
  sent_at timestamptz,
  failed_at timestamptz,
  error text
);
COMMENT ON TABLE portal.messages IS 'Mails, notifications in browsers and deliveries to webhooks: waiting ones, and for a week the others.';
COMMENT ON COLUMN portal.messages.id IS 'GUID; the same at each attempt, so that a receiver recognizes repeats.';
COMMENT ON COLUMN portal.messages.recipient IS
  'Its purpose and whom it is for: webhook:, browser:, user: and invite: with a GUID, email: and reset: with an address, report: with both.';
COMMENT ON COLUMN portal.messages.created_at IS 'UTC instant.';
COMMENT ON COLUMN portal.messages.attempts IS 'Attempts so far.';
COMMENT ON COLUMN portal.messages.next_attempt_at IS 'UTC instant; while one is under way, when another portal may take over.';
COMMENT ON COLUMN portal.messages.sent_at IS 'UTC instant at which it was accepted; null: not yet.';
COMMENT ON COLUMN portal.messages.failed_at IS 'UTC instant at which it was given up; null: not.';
COMMENT ON COLUMN portal.messages.error IS 'Why the last attempt failed; null: it did not.';
CREATE INDEX messages_due ON portal.messages (next_attempt_at) WHERE sent_at IS NULL AND failed_at IS NULL;
CREATE INDEX messages_created_at ON portal.messages (created_at);
CREATE INDEX messages_recipient ON portal.messages (recipient, created_at);

CREATE TABLE portal.notification_choices (
  account_id uuid PRIMARY KEY CONSTRAINT notification_choices_account_fkey REFERENCES portal.accounts ON DELETE CASCADE,
  channels text[] NOT NULL,
  minimum_severity text NOT NULL CHECK (minimum_severity IN ('info', 'warning', 'critical')),
  kinds text[] NOT NULL,
  subject_ids uuid[] NOT NULL,
  quiet_hours jsonb,
  language text
);
COMMENT ON TABLE portal.notification_choices IS 'What people want to be told of alarms, and in which language; without a row, everything.';
COMMENT ON COLUMN portal.notification_choices.account_id IS 'Whose choices they are.';
COMMENT ON COLUMN portal.notification_choices.channels IS 'mail, push (browsers), or none.';
COMMENT ON COLUMN portal.notification_choices.minimum_severity IS 'info, warning or critical.';
COMMENT ON COLUMN portal.notification_choices.kinds IS 'Kinds of alarm rules; empty: all.';
COMMENT ON COLUMN portal.notification_choices.subject_ids IS 'Sites of a Client, customers of an Admin; empty: all.';
COMMENT ON COLUMN portal.notification_choices.quiet_hours IS 'Daily time without messages, as on the wire; null: none.';
COMMENT ON COLUMN portal.notification_choices.language IS 'Such as de; null: that of the portal.';

CREATE TABLE portal.browser_subscriptions (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL CONSTRAINT browser_subscriptions_account_fkey REFERENCES portal.accounts ON DELETE CASCADE,
  session_id uuid NOT NULL,
  endpoint text NOT NULL CONSTRAINT browser_subscriptions_endpoint_key UNIQUE,
  public_key text NOT NULL,
  auth_secret text NOT NULL,
  user_agent text NOT NULL,
  created_at timestamptz NOT NULL
);
COMMENT ON TABLE portal.browser_subscriptions IS 'Browsers that show notifications of alarms.';
COMMENT ON COLUMN portal.browser_subscriptions.id IS 'GUID.';
COMMENT ON COLUMN portal.browser_subscriptions.account_id IS 'Whose browser it is.';
COMMENT ON COLUMN portal.browser_subscriptions.session_id IS
  'portal.sessions.id in which the person asked for it; when that is ended the row goes, when it expires the row stays.';
COMMENT ON COLUMN portal.browser_subscriptions.endpoint IS 'Where the push service of the browser takes notifications.';
COMMENT ON COLUMN portal.browser_subscriptions.public_key IS 'P-256 key of the browser in base64url: notifications are encrypted for it.';
COMMENT ON COLUMN portal.browser_subscriptions.auth_secret IS 'Secret of the browser in base64url, which encryption needs too.';
COMMENT ON COLUMN portal.browser_subscriptions.user_agent IS 'What the browser said of itself.';
COMMENT ON COLUMN portal.browser_subscriptions.created_at IS 'UTC instant.';
CREATE INDEX browser_subscriptions_account_id ON portal.browser_subscriptions (account_id);

-- Written in the transaction of the state change, so that nothing is lost and nothing told that did not happen.
CREATE TABLE portal.alarm_outbox (
  recipient text NOT NULL,
  alarm_id uuid NOT NULL CONSTRAINT alarm_outbox_alarm_fkey REFERENCES portal.alarms ON DELETE CASCADE,
  event text NOT NULL,
  occurred_at timestamptz NOT NULL,
  message_id uuid CONSTRAINT alarm_outbox_message_fkey REFERENCES portal.messages ON DELETE CASCADE,
  CONSTRAINT alarm_outbox_pkey PRIMARY KEY (recipient, alarm_id, event)
);
COMMENT ON TABLE portal.alarm_outbox IS 'Events of alarms that a recipient is still to be told. A row goes once its message is sent or given up.';
COMMENT ON COLUMN portal.alarm_outbox.recipient IS 'As in messages.';
COMMENT ON COLUMN portal.alarm_outbox.alarm_id IS 'portal.alarms.id.';
COMMENT ON COLUMN portal.alarm_outbox.event IS 'firing, escalated, acknowledged or resolved.';
COMMENT ON COLUMN portal.alarm_outbox.occurred_at IS 'UTC instant.';
COMMENT ON COLUMN portal.alarm_outbox.message_id IS 'The message that has it; null: none yet.';
CREATE INDEX alarm_outbox_message_id ON portal.alarm_outbox (message_id);
CREATE INDEX alarm_outbox_alarm_id ON portal.alarm_outbox (alarm_id);

-- Reports by mail (docs/adr/0085).
CREATE TABLE portal.report_subscriptions (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  is_active boolean NOT NULL,
  period text NOT NULL CHECK (period IN ('week', 'month', 'year')),
  subject_ids uuid[] NOT NULL,
  recipients jsonb NOT NULL,
  has_workbook boolean NOT NULL,
  created_at timestamptz NOT NULL
);
COMMENT ON TABLE portal.report_subscriptions IS 'Who gets which report by mail.';
COMMENT ON COLUMN portal.report_subscriptions.id IS 'GUID.';
COMMENT ON COLUMN portal.report_subscriptions.name IS 'Shown in the page and in mails.';
COMMENT ON COLUMN portal.report_subscriptions.is_active IS 'False: nothing is sent.';
COMMENT ON COLUMN portal.report_subscriptions.period IS 'week, month or year.';
COMMENT ON COLUMN portal.report_subscriptions.subject_ids IS 'Sites of a Client, customers of an Admin; empty: all.';
COMMENT ON COLUMN portal.report_subscriptions.recipients IS 'Accounts and addresses, as on the wire.';
COMMENT ON COLUMN portal.report_subscriptions.has_workbook IS 'Whether a workbook is attached.';
COMMENT ON COLUMN portal.report_subscriptions.created_at IS 'UTC instant; periods that ended before are not sent.';

CREATE TABLE portal.kept_reports (
  id uuid PRIMARY KEY,
  subscription_id uuid NOT NULL,
  name text NOT NULL,
  period text NOT NULL,
  from_date date NOT NULL,
  to_date date NOT NULL,
  subject_ids uuid[] NOT NULL,
  recipients jsonb NOT NULL,
  has_workbook boolean NOT NULL,
  read_at timestamptz NOT NULL,
  figures jsonb NOT NULL,
  contents jsonb NOT NULL,
  CONSTRAINT kept_reports_period_key UNIQUE (subscription_id, period, from_date)
);
COMMENT ON TABLE portal.kept_reports IS
  'Reports as they were sent, with all their figures. The key makes each one sent once, whichever portal makes it.';
COMMENT ON COLUMN portal.kept_reports.id IS 'GUID.';
COMMENT ON COLUMN portal.kept_reports.subscription_id IS 'portal.report_subscriptions.id; it may be deleted.';
COMMENT ON COLUMN portal.kept_reports.name IS 'Name of the subscription at that time.';
COMMENT ON COLUMN portal.kept_reports.period IS 'week, month or year.';
COMMENT ON COLUMN portal.kept_reports.from_date IS 'First local day.';
COMMENT ON COLUMN portal.kept_reports.to_date IS 'The local day after the last one.';
COMMENT ON COLUMN portal.kept_reports.subject_ids IS 'Sites of a Client, customers of an Admin; empty: all.';
COMMENT ON COLUMN portal.kept_reports.recipients IS 'Accounts and addresses at that time, as on the wire.';
COMMENT ON COLUMN portal.kept_reports.has_workbook IS 'Whether a workbook was attached.';
COMMENT ON COLUMN portal.kept_reports.read_at IS 'UTC instant of the data.';
COMMENT ON COLUMN portal.kept_reports.figures IS 'The figures that it is compared by, as on the wire.';
COMMENT ON COLUMN portal.kept_reports.contents IS 'All that mail, PDF and workbook say (server/subscriptions/contents.ts).';
CREATE INDEX kept_reports_read_at ON portal.kept_reports (read_at DESC);
