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
