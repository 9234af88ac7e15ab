#!/bin/sh
# Runs in the container of the database when it is made, and when a backup is restored: the account that the portal has, which
# owns its database and is no superuser, and the one of the dashboard tool, which the portal lets read what it needs.
set -eu

# Passwords are made of hex digits, by deploy/new-customer.
password_in() {
  found=$(sed -n 's|^postgres://[^:]*:\([0-9a-f]\{16,\}\)@.*$|\1|p' "/run/secrets/$1")
  [ -n "$found" ] || { echo "The secret $1 is not a connection string with a password of hex digits." >&2; exit 1; }
  echo "$found"
}
portal=$(password_in portal_database)
dashboards=$(password_in dashboards_database)

psql -X -q -v ON_ERROR_STOP=1 --username postgres --dbname portal <<SQL
SELECT 'CREATE ROLE portal' WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'portal') \gexec
SELECT 'CREATE ROLE portal_dashboards' WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'portal_dashboards') \gexec
ALTER ROLE portal LOGIN PASSWORD '$portal';
ALTER ROLE portal_dashboards LOGIN CONNECTION LIMIT 20 PASSWORD '$dashboards';
ALTER ROLE portal_dashboards SET default_transaction_read_only = on;
ALTER ROLE portal_dashboards SET statement_timeout = '30s';
ALTER ROLE portal_dashboards SET idle_in_transaction_session_timeout = '60s';
ALTER DATABASE portal OWNER TO portal;
REVOKE ALL ON DATABASE portal FROM PUBLIC;
GRANT CONNECT ON DATABASE portal TO portal_dashboards;
SELECT 'CREATE EXTENSION IF NOT EXISTS timescaledb'
WHERE EXISTS (SELECT FROM pg_available_extensions WHERE name = 'timescaledb') \gexec
SQL
