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
