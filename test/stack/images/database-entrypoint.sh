#!/bin/sh
# What the images of PostgreSQL do at the first start, in short: a cluster, a database, and the scripts of initdb.d.
set -eu
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  initdb --username="$POSTGRES_USER" --pwfile="$POSTGRES_PASSWORD_FILE" --auth-local=trust --auth-host=scram-sha-256 \
    --encoding=UTF8 --locale=C.UTF-8 >/dev/null
  echo 'host all all all scram-sha-256' >>"$PGDATA/pg_hba.conf"
  echo "listen_addresses = '*'" >>"$PGDATA/postgresql.conf"
  [ ! -e "$(pg_config --pkglibdir)/timescaledb.so" ] ||
    printf "shared_preload_libraries = 'timescaledb'\ntimescaledb.telemetry_level = off\n" >>"$PGDATA/postgresql.conf"
  pg_ctl -w -o "-c listen_addresses=''" start >/dev/null
  createdb --username="$POSTGRES_USER" "$POSTGRES_DB"
  for script in /docker-entrypoint-initdb.d/*; do "$script"; done
  pg_ctl -m fast -w stop >/dev/null
fi
exec postgres
