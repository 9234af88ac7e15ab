-- Rules and reports may name an account by its address. Without the account, the address would be a stranger's, who is told
-- everything. So an account takes its address along, whoever deletes or renames it.
CREATE FUNCTION portal.forget_recipient(recipients jsonb, address text, instead jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(jsonb_agg(shown ORDER BY place) FILTER (WHERE shown IS NOT NULL), '[]')
  FROM jsonb_array_elements(recipients) WITH ORDINALITY AS given (entry, place),
    LATERAL (SELECT CASE WHEN lower(entry->>'email') = lower(address) THEN instead ELSE entry END AS shown) named
$$;
COMMENT ON FUNCTION portal.forget_recipient IS 'Recipients with another one in the place of an address; null: without it.';
CREATE FUNCTION portal.forget_address() RETURNS trigger LANGUAGE plpgsql AS $$
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
END $$;
COMMENT ON FUNCTION portal.forget_address IS 'Takes the old address of an account out of alarm rules and reports by mail.';
CREATE TRIGGER accounts_take_address AFTER DELETE ON portal.accounts
  FOR EACH ROW EXECUTE FUNCTION portal.forget_address();
CREATE TRIGGER accounts_change_address AFTER UPDATE OF email ON portal.accounts
  FOR EACH ROW WHEN (lower(OLD.email) <> lower(NEW.email)) EXECUTE FUNCTION portal.forget_address();
