# What the scripts of this folder share; POSIX sh, docker with its compose plugin, and openssl are all that they need.
# shellcheck shell=sh
set -eu
umask 077
# Ranges of letters are those of ASCII.
LC_ALL=C
export LC_ALL

# Where the stacks of this machine are, one folder each, and the proxy's.
home=${PORTAL_HOME:-/srv/power-monitoring}
deploy=$(cd "$(dirname "$0")" && pwd)
proxy=$home/caddy
# Exact tags, tried together.
default_portal_image=power-monitoring-portal:0.1.0
default_database_image=docker.io/timescale/timescaledb:2.28.3-pg17
default_caddy_image=docker.io/library/caddy:2.11.2

fail() {
  echo "$*" >&2
  exit 1
}

# The text at the head of a script.
usage() {
  sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0" >&2
  exit 2
}

# A code is the compose project, the folder and the first label of the host name.
check_code() {
  case $1 in
  caddy) fail "The code \"$1\" is the proxy's; choose another." ;;
  removed) fail "The code \"$1\" is the folder with the backups of stacks that were removed; choose another." ;;
  *[!a-z0-9-]* | -* | *- | ? | '')
    fail "The code \"$1\" must have 2 to 39 lower-case letters, digits and hyphens, and neither begin nor end with a hyphen."
    ;;
  esac
  [ ${#1} -le 39 ] || fail "The code \"$1\" has ${#1} characters; it must have at most 39."
}

# check_text WHAT VALUE: it can stand in a file of settings, a line each.
check_text() {
  case $2 in *[[:cntrl:]\"\\\$\`\']*) fail "$1 must not hold quotes, \$, backslashes, line breaks or other control characters." ;; esac
}

# check_word WHAT VALUE: an address, an image, a zone.
check_word() {
  check_text "$1" "$2"
  case $2 in -* | *[!A-Za-z0-9.:/@_+-]*) fail "$1 is \"$2\"; it must have letters, digits and .:/@_+- alone, and not begin with a hyphen." ;; esac
}

need_stack() {
  check_code "$1"
  [ -f "$home/$1/.env" ] || fail "There is no stack $1 in $home."
}

# One at a time: two would write the proxy's files at once.
take_turn() {
  mkdir -p "$home"
  mkdir "$home/.lock" 2>/dev/null ||
    fail "Another of these scripts is running. If none is, one was killed: remove the folder $home/.lock."
  trap 'rm -rf "$home/.lock" ${scrap:+"$scrap"}' EXIT
  trap 'exit 1' HUP INT TERM
}

# docker compose in the folder of a stack: in_stack CODE WORDS...
in_stack() {
  folder=$home/$1
  shift
  (cd "$folder" && exec docker compose "$@")
}

# A setting of a stack: setting CODE NAME
setting() {
  sed -n "s/^$2=//p" "$home/$1/.env"
}

# The host name of a stack, which leads to it whatever the port: the proxy listens on those of the machine.
host_of() {
  setting "$1" PUBLIC_URL | sed 's|^https\{0,1\}://||; s|:[0-9]*$||'
}

# change_setting CODE NAME VALUE
change_setting() {
  { grep -v "^$2=" "$home/$1/.env" || true; echo "$2=$3"; } >"$home/$1/.env.new"
  mv "$home/$1/.env.new" "$home/$1/.env"
}

has_image() {
  docker image inspect "$1" >/dev/null 2>&1
}

random_hex() {
  openssl rand -hex "$1"
}

# Takes the files of a stack from this folder; what it has of its own (.env, secrets) stays.
install_files() {
  install -m 644 "$deploy/compose.yaml" "$deploy/compose.push.yaml" "$deploy/compose.mail.yaml" "$deploy/compose.citus.yaml" "$1/"
  install -m 755 "$deploy/database-accounts.sh" "$deploy/citus-nodes.sh" "$1/"
}

# Every stack of this machine, by its code.
stacks() {
  for env in "$home"/*/.env; do
    code=$(basename "$(dirname "$env")")
    [ "$code" = caddy ] || [ ! -f "$env" ] || echo "$code"
  done
}

# The proxy's files, as this folder and the stacks have them; those that are read in the container are not secret.
write_proxy() {
  check_word 'CADDY_IMAGE' "${CADDY_IMAGE:-}"
  check_word 'HTTP_PORT' "${HTTP_PORT:-}"
  check_word 'HTTPS_PORT' "${HTTPS_PORT:-}"
  install -d -m 755 "$proxy" "$proxy/sites" "$proxy/options"
  install -d -m 1777 "$proxy/data"
  install -m 644 "$deploy/compose.caddy.yaml" "$proxy/compose.yaml"
  # Written in place: the running container keeps the file that it was given, not the name.
  cat "$deploy/caddy/Caddyfile" >"$proxy/Caddyfile"
  chmod 644 "$proxy/Caddyfile"
  [ -f "$proxy/.env" ] || cat >"$proxy/.env" <<ENV
COMPOSE_PROJECT_NAME=caddy
COMPOSE_FILE=compose.yaml:compose.networks.yaml
CADDY_IMAGE=${CADDY_IMAGE:-$default_caddy_image}
HTTP_PORT=${HTTP_PORT:-80}
HTTPS_PORT=${HTTPS_PORT:-443}
ENV
  {
    printf 'services:\n  caddy:\n    networks:\n      outside: {}\n'
    for one in $(stacks); do
      echo "      ${one}_edge: { aliases: [$(fleet_hosts)] }"
    done
    printf 'networks:\n  outside: {}\n'
    for one in $(stacks); do
      echo "  ${one}_edge: { external: true, name: ${one}_edge }"
    done
  } >"$proxy/compose.networks.yaml"
}

# The host names of the fleets on this machine: stacks that push to them find them at the proxy, not by the way outside.
fleet_hosts() {
  for code in $(stacks); do
    [ "$(setting "$code" RUN_MODE)" != Admin ] || host_of "$code"
  done | paste -s -d, -
}

# Tells the running proxy of its sites, without a break; starts it where it does not run.
reload_proxy() {
  if [ -n "$(in_stack caddy ps --quiet --status running caddy)" ]; then
    in_stack caddy exec -T caddy caddy reload --config /etc/caddy/Caddyfile --address unix//tmp/admin.sock
  else
    in_stack caddy up --detach --wait
  fi
}

# join_proxy CODE: into the stack's network, without a break. A fleet gets a name in the networks of all stacks.
join_proxy() {
  container=$(in_stack caddy ps --quiet --status running caddy)
  [ -n "$container" ] || return 0
  if [ "$(setting "$1" RUN_MODE)" = Admin ]; then
    in_stack caddy up --detach --wait
  elif ! docker inspect --format '{{json .NetworkSettings.Networks}}' "$container" | grep -q "\"$1_edge\""; then
    # shellcheck disable=SC2046
    docker network connect $(fleet_hosts | tr ',' '\n' | sed 's/^./--alias &/') "$1_edge" "$container"
  fi
}

# write_site CODE: what the proxy does with the stack's host name, where Caddy takes it.
write_site() {
  check_site "$1" "$1"
  mv "$proxy/check/sites/$1.caddy" "$proxy/sites/"
  rm -rf "$proxy/check"
}

# check_site CODE FOLDER: asks Caddy whether it takes the site beside all others, with the settings in that folder. One site that it
# refuses would keep it from starting again, for all.
check_site() {
  rm -rf "$proxy/check"
  mkdir "$proxy/check"
  cp -R "$proxy/Caddyfile" "$proxy/options" "$proxy/sites" "$proxy/check/"
  # https is what it does by itself.
  case $(setting "$2" PUBLIC_URL) in http://*) host=http://$(host_of "$2") ;; *) host=$(host_of "$2") ;; esac
  portals=$1-portal:8080 words=
  if [ "$(setting "$2" COMPOSE_PROFILES)" = several ]; then
    portals="$portals $1-portal-2:8080" words='s|# several: ||;'
  fi
  sed "$words s|@HOST@|$host|g; s|@PREFIX@|$(setting "$2" DASHBOARD_PREFIX)|g; s|@PORTALS@|$portals|g; s|@TOOL@|$1-dashboards:8081|g" \
    "$deploy/caddy/site.caddy.template" >"$proxy/check/sites/$1.caddy"
  chmod -R a+rX "$proxy/check"
  said=$(docker run --rm --network none --user 10002:10002 --env XDG_DATA_HOME=/data --env XDG_CONFIG_HOME=/tmp \
    --mount "type=bind,source=$proxy/check,target=/check,readonly" --mount "type=bind,source=$proxy/data,target=/data" \
    "$(setting caddy CADDY_IMAGE)" \
    caddy validate --config /check/Caddyfile --adapter caddyfile 2>&1) || {
    rm -rf "$proxy/check"
    fail "$said
Caddy refuses the site of $1; the proxy keeps the sites that it had."
  }
}

# run_portal CODE WORDS...: a command of the portal in a container of its own, which sees the stack's exchange folder as /exchange.
# That folder lets every account write, inside of one that only its owner may enter.
run_portal() {
  stack=$1
  shift
  in_stack "$stack" run --rm --no-TTY --no-deps --volume "$home/$stack/exchange/files:/exchange" portal "$@"
}

# new_backup CODE LABEL: the path of a backup that is about to be made.
new_backup() {
  mkdir -p "$home/$1/backups"
  echo "$home/$1/backups/$1${2:+-$2}-$(date -u +%Y%m%dT%H%M%SZ).tar"
}

# back_up CODE FILE
back_up() {
  name=backup-$$.tar
  run_portal "$1" backup --to "/exchange/$name" >&2
  # Copied, so that it belongs to who asked for it, and moved, so that it is whole where it stands under its name.
  cp "$home/$1/exchange/files/$name" "$2.partial"
  rm -f "$home/$1/exchange/files/$name"
  mv "$2.partial" "$2"
}
