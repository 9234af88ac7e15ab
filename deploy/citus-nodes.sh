#!/bin/sh
# Runs in the container of the coordinator when it is made, after database-accounts.sh, whose accounts go to the workers with it.
set -eu

password=$(cat /run/secrets/postgres_password)
password_in() {
  sed -n 's|^postgres://[^:]*:\([0-9a-f]*\)@.*$|\1|p' "/run/secrets/$1"
}
psql -X -q -v ON_ERROR_STOP=1 --username postgres --dbname portal <<SQL
-- Adding a worker and moving shards connect to the coordinator too, by its name (0) and as localhost (-1). So does what reads the
-- registry on every node.
INSERT INTO pg_dist_authinfo (nodeid, rolename, authinfo)
VALUES (0, 'postgres', 'password=$password'), (-1, 'postgres', 'password=$password'),
  (0, 'portal', 'password=$(password_in portal_database)'),
  (0, 'portal_dashboards', 'password=$(password_in dashboards_database)')
ON CONFLICT (rolename, nodeid) DO UPDATE SET authinfo = excluded.authinfo;
SELECT citus_set_coordinator_host('database', 5432);
SQL
# Every worker runs before the coordinator does.
number=1
while getent hosts "worker-$number" >/dev/null; do
  psql -X -q -v ON_ERROR_STOP=1 --username postgres --dbname portal --command "SELECT citus_add_node('worker-$number', 5432)"
  number=$((number + 1))
done
