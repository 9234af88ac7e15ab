#!/bin/sh
# Runs at each start of a stack with Grafana, before Grafana does: its role with the password of the secret, and the functions of this
# version, which belong to the account of the portal.
set -eu
secrets=${SECRETS:-/run/secrets} scripts=${SCRIPTS:-/grafana}
password=$(cat "$secrets/grafana_database")
case $password in
*[!0-9a-f]* | '') echo 'The secret grafana_database is not a password of hex digits.' >&2; exit 1 ;;
esac
PGPASSWORD=$(cat "$secrets/postgres_password") PGHOST=${PGHOST:-database}
export PGPASSWORD PGHOST

psql -X -q -v ON_ERROR_STOP=1 --username postgres --dbname "${PGDATABASE:-portal}" <<SQL
BEGIN;
\i $scripts/role.sql
ALTER ROLE portal_grafana PASSWORD '$password';
SELECT tableowner AS owner FROM pg_tables WHERE schemaname = 'monitoring' AND tablename = 'devices' \gset
SET ROLE :"owner";
\i $scripts/reporting.sql
COMMIT;
SQL
