-- The role that Grafana reads with (docs/adr/0055). Whoever may look at a dashboard may send any SQL through Grafana, so the role can
-- neither write nor hold locks that the portal waits for. Run as the superuser of the database; may be run again at any time.
DO $$
DECLARE
  owner text := (SELECT tableowner FROM pg_tables WHERE schemaname = 'monitoring' AND tablename = 'devices');
  other regprocedure;
BEGIN
  IF owner IS NULL THEN
    RAISE EXCEPTION 'There is no portal of the run mode Client in this database: start it once, then run this again.';
  END IF;
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'portal_grafana') THEN
    CREATE ROLE portal_grafana LOGIN;
  END IF;
  EXECUTE format('GRANT CONNECT ON DATABASE %I TO portal_grafana', current_database());
  EXECUTE format('GRANT TEMPORARY ON DATABASE %I TO %I', current_database(), owner);
  EXECUTE format('REVOKE TEMPORARY ON DATABASE %I FROM PUBLIC', current_database());
  FOR other IN
    SELECT oid FROM pg_proc
    WHERE pronamespace = 'pg_catalog'::regnamespace
      AND proname ~ '^(pg_(try_)?advisory_.*lock.*|lo_(creat|create|from_bytea|import|put|open)|lowrite)$'
  LOOP
    EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO %I', other, owner);
    EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', other);
  END LOOP;
END
$$;
ALTER ROLE portal_grafana NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS CONNECTION LIMIT 10;
ALTER ROLE portal_grafana SET default_transaction_read_only = on;
ALTER ROLE portal_grafana SET statement_timeout = '60s';
ALTER ROLE portal_grafana SET idle_in_transaction_session_timeout = '60s';
ALTER ROLE portal_grafana SET temp_file_limit = '1GB';
