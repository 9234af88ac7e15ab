// Replaces `docker` in the stack test: translates the docker compose calls of deploy/, and only those, into plain commands of
// podman, from the same compose files. Everything else is passed on.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parse } from 'yaml';

/**
 * @typedef {{
 *   image: string, user?: string, command?: string[], environment?: Record<string, string>, volumes?: string[],
 *   secrets?: string[], tmpfs?: string[], networks: Record<string, { aliases?: string[] } | null> | string[],
 *   depends_on?: Record<string, object>, profiles?: string[], cap_drop?: string[], cap_add?: string[], security_opt?: string[],
 *   sysctls?: Record<string, string>, ports?: string[], read_only?: boolean, restart?: string, mem_limit?: string,
 *   cpus?: string, pids_limit?: number, shm_size?: string, stop_grace_period?: string,
 *   logging?: { options: Record<string, string> },
 *   healthcheck?: { test: string[], interval?: string, timeout?: string, retries?: number, start_period?: string },
 * }} Service
 * @typedef {{
 *   services: Record<string, Service>, secrets?: Record<string, { file: string }>, volumes?: Record<string, null>,
 *   networks: Record<string, { name?: string, external?: boolean, internal?: boolean } | null>,
 * }} Project
 */

const prefix = process.env['STACK_TEST_PREFIX'] ?? '';
// Small limits, because the machine may allow less than podman requests.
const limits = ['--ulimit', 'nofile=1024:1024', '--ulimit', 'nproc=1024:1024'];
const healthyWithinMs = 180_000;
// Docker isolates networks by default.
const apart = ['--opt', 'isolate=true'];

const [first, ...rest] = process.argv.slice(2);
process.exitCode = first === 'compose' ? compose(rest) : passOn(first ?? '', rest);

/**
 * @param {string} command
 * @param {string[]} words
 */
function passOn(command, words) {
  if (command === 'network' && words[0] === 'create') return podman(['network', 'create', ...apart, ...words.slice(1)]);
  if (command === 'network' && words[0] === 'connect') {
    // A container of podman resolves the names of a network that it joins later only after a restart.
    const container = words.at(-1) ?? '';
    const status = podman(['network', ...words]) || podman(['restart', '--time', '5', container]);
    const until = Date.now() + 30_000;
    const isBack = () => podman(['exec', container, 'test', '-S', '/tmp/admin.sock']) === 0;
    if (status !== 0) return status;
    while (Date.now() < until && !isBack()) pause();
    return 0;
  }
  return podman(command === 'run' ? ['run', ...limits, ...words] : [command, ...words]);
}

function pause() {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 250);
}

/** @param {string[]} words */
function podman(words) {
  return spawnSync('podman', ['--runtime', 'runc', ...words], { stdio: 'inherit' }).status ?? 1;
}

/**
 * What a command of podman says; throws where it fails.
 * @param {string[]} words
 */
function ask(words) {
  const { status, stdout, stderr } = spawnSync('podman', ['--runtime', 'runc', ...words], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`podman ${words.slice(0, 3).join(' ')}: ${stderr}`);
  return stdout.trim();
}

/** @param {string[]} words */
function compose(words) {
  const settings = readSettings();
  const project = readProject(settings);
  const name = settings['COMPOSE_PROJECT_NAME'] ?? '';
  const [command = '', ...others] = words;
  const flags = others.filter((word) => word.startsWith('--'));
  const named = others.filter((word) => !word.startsWith('-'));
  /** @param {string} service */
  const containerOf = (service) => `${prefix}${name}-${service}-1`;
  switch (command) {
    case 'up':
      return up({ project, name, containerOf }, inOrder(project, named.length > 0 ? named : undefined));
    case 'stop':
      return podman(['stop', '--ignore', ...inOrder(project).map(containerOf)]);
    case 'config':
      process.stdout.write(`${inOrder(project).join('\n')}\n`);
      return 0;
    case 'down': {
      podman(['rm', '--force', '--ignore', '--time', '30', ...inOrder(project).toReversed().map(containerOf)]);
      for (const network of ownNetworks(project)) podman(['network', 'rm', '--force', `${prefix}${name}_${network}`]);
      if (!flags.includes('--volumes')) return 0;
      return podman([
        'volume',
        'rm',
        '--force',
        ...Object.keys(project.volumes ?? {}).map((one) => `${prefix}${name}_${one}`),
      ]);
    }
    case 'ps': {
      const service = others.at(-1) ?? '';
      const onlyRunning = others.includes('--status');
      const there = ask([
        'ps',
        ...(onlyRunning ? [] : ['--all']),
        '--filter',
        `name=^${containerOf(service)}$`,
        '--quiet',
      ]);
      process.stdout.write(there === '' ? '' : `${ask(['inspect', '--format', '{{.Id}}', there])}\n`);
      return 0;
    }
    case 'exec': {
      const [, service = '', ...inside] = others;
      return podman(['exec', '--interactive', containerOf(service), ...inside]);
    }
    case 'run':
      return runOnce({ project, name }, others);
    default:
      throw new Error(`The stack test does not know docker compose ${command}.`);
  }
}

/**
 * `run --rm --no-TTY --no-deps --volume <volume> <service> <words>`
 * @param {{ project: Project, name: string }} stack
 * @param {string[]} words
 */
function runOnce({ project, name }, words) {
  makeWhatIsShared({ project, name });
  const at = words.indexOf('--volume');
  const [volume = '', service = '', ...command] = words.slice(at + 1);
  const { restart: _, ports: __, ...parts } = serviceOf(project, service);
  const options = optionsOf({ project, name, service, parts });
  return podman(['run', '--rm', '--volume', volume, ...limits, ...options, parts.image, ...command]);
}

/**
 * @param {{ project: Project, name: string, containerOf: (service: string) => string }} stack
 * @param {string[]} services
 */
function up({ project, name, containerOf }, services) {
  makeWhatIsShared({ project, name });
  for (const service of services) {
    const parts = serviceOf(project, service);
    const container = containerOf(service);
    const words = [...limits, ...optionsOf({ project, name, service, parts }), parts.image, ...(parts.command ?? [])];
    const hash = createHash('sha256')
      .update(JSON.stringify([words, parts.healthcheck, idOf(parts.image)]))
      .digest('hex');
    const [was, state] = stateOf(container);
    if (was !== hash) {
      ask(['rm', '--force', '--ignore', '--time', '30', container]);
      ask(['run', '--detach', '--name', container, '--label', `hash=${hash}`, ...healthOptions(parts), ...words]);
    } else if (state !== 'running') ask(['start', container]);
    if (!becomesHealthy(container)) {
      process.stderr.write(`${container} does not become healthy.\n`);
      podman(['logs', '--tail', '20', container]);
      return 1;
    }
  }
  return 0;
}

/**
 * The volumes and networks of a stack.
 * @param {{ project: Project, name: string }} stack
 */
function makeWhatIsShared({ project, name }) {
  for (const volume of Object.keys(project.volumes ?? {})) {
    ensure('volume', `${prefix}${name}_${volume}`);
  }
  for (const network of ownNetworks(project)) {
    ensure(
      'network',
      `${prefix}${name}_${network}`,
      project.networks[network]?.internal === true ? ['--internal'] : [],
    );
  }
}

/**
 * @param {string} kind
 * @param {string} name
 * @param {string[]} options
 */
function ensure(kind, name, options = []) {
  if (spawnSync('podman', [kind, 'exists', name]).status !== 0) ask([kind, 'create', ...options, name]);
}

/**
 * Podman has its checks run by systemd, which may not be there.
 * @param {string} container
 */
function becomesHealthy(container) {
  if (ask(['inspect', '--format', '{{.Config.Healthcheck}}', container]) === '<nil>') return true;
  const until = Date.now() + healthyWithinMs;
  while (Date.now() < until) {
    if (Number(ask(['inspect', '--format', '{{.RestartCount}}', container])) > 3) return false;
    if (spawnSync('podman', ['--runtime', 'runc', 'healthcheck', 'run', container]).status === 0) return true;
    pause();
  }
  return false;
}

/**
 * The label with what it was made from, and its state.
 * @param {string} container
 */
function stateOf(container) {
  const format = '{{index .Config.Labels "hash"}} {{.State.Status}}';
  const { status, stdout } = spawnSync('podman', ['inspect', '--format', format, container], { encoding: 'utf8' });
  return status === 0 ? stdout.trim().split(' ') : [];
}

/** @param {string} image */
function idOf(image) {
  return ask(['image', 'inspect', '--format', '{{.Id}}', image]);
}

/** @param {Service} parts */
function healthOptions({ healthcheck }) {
  if (healthcheck === undefined) return [];
  const [kind, ...command] = healthcheck.test;
  if (kind !== 'CMD') throw new Error('A health check is a list that begins with CMD.');
  return ['--health-cmd', command.join(' '), '--health-interval', 'disable'];
}

/**
 * @param {{ project: Project, name: string, service: string, parts: Service }} stack
 * @returns {string[]}
 */
function optionsOf({ project, name, service, parts }) {
  const networks = Array.isArray(parts.networks)
    ? Object.fromEntries(parts.networks.map((network) => [network, null]))
    : parts.networks;
  /** @type {(option: string, values: readonly (string | number | undefined)[] | undefined) => string[]} */
  const each = (option, values = []) =>
    values.flatMap((value) => (value === undefined ? [] : [`--${option}`, String(value)]));
  return [
    ...Object.entries(networks).flatMap(([network, given]) => {
      const { external = false, name: real = network } = project.networks[network] ?? {};
      const aliases = [service, ...(given?.aliases ?? [])].map((alias) => `alias=${alias}`);
      return ['--network', `${external ? real : `${prefix}${name}_${network}`}:${aliases.join(',')}`];
    }),
    ...Object.entries(parts.environment ?? {}).flatMap(([key, value]) => ['--env', `${key}=${value}`]),
    ...(parts.secrets ?? []).flatMap((secret) => {
      const file = project.secrets?.[secret]?.file ?? '';
      return ['--volume', `${resolve(file)}:/run/secrets/${secret}:ro`];
    }),
    ...(parts.volumes ?? []).flatMap((volume) => {
      const [source = '', ...target] = volume.split(':');
      const real = source.startsWith('.') ? resolve(source) : `${prefix}${name}_${source}`;
      return ['--volume', [real, ...target].join(':')];
    }),
    ...each('user', [parts.user]),
    ...each('tmpfs', parts.tmpfs),
    ...each('cap-drop', parts.cap_drop),
    ...each('cap-add', parts.cap_add),
    ...each('security-opt', parts.security_opt),
    ...each(
      'sysctl',
      Object.entries(parts.sysctls ?? {}).map(([key, value]) => `${key}=${value}`),
    ),
    ...each(
      'publish',
      parts.ports?.map((port) => `127.0.0.1:${port}`),
    ),
    ...each('restart', [parts.restart]),
    ...each('memory', [parts.mem_limit]),
    ...each('cpus', [parts.cpus]),
    ...each('pids-limit', [parts.pids_limit]),
    ...each('shm-size', [parts.shm_size]),
    ...each('stop-timeout', [parts.stop_grace_period?.replace('s', '')]),
    ...each('log-opt', [parts.logging === undefined ? undefined : `max-size=${parts.logging.options['max-size']}`]),
    ...(parts.read_only === true ? ['--read-only', '--read-only-tmpfs=false'] : []),
  ];
}

/**
 * @param {Project} project
 * @param {string} name
 */
function serviceOf(project, name) {
  const service = project.services[name];
  if (service === undefined) throw new Error(`There is no service ${name}.`);
  return service;
}

/**
 * Services after those that they depend on.
 * @param {Project} project
 * @param {string[]} names all by default
 */
function inOrder({ services }, names = Object.keys(services)) {
  /** @type {Set<string>} */
  const order = new Set();
  /** @param {string} name */
  const add = (name) => {
    for (const other of Object.keys(services[name]?.depends_on ?? {})) add(other);
    order.add(name);
  };
  for (const name of names) add(name);
  return [...order];
}

/** @param {Project} project */
function ownNetworks({ networks }) {
  return Object.keys(networks).filter((network) => networks[network]?.external !== true);
}

/** @returns {Record<string, string | undefined>} */
function readSettings() {
  const lines = readFileSync('.env', 'utf8').split('\n');
  const settings = lines.flatMap((line) => {
    const [, name, value = ''] = /^([A-Z_]+)=(.*)$/.exec(line) ?? [];
    return name === undefined ? [] : [[name, value.replace(/^"(.*)"$/, '$1')]];
  });
  return { ...Object.fromEntries(settings), ...process.env };
}

/**
 * @param {Record<string, string | undefined>} settings
 * @returns {Project}
 */
function readProject(settings) {
  const files = (settings['COMPOSE_FILE'] ?? 'compose.yaml').split(':');
  /** @type {Project} */
  const project = files
    .map((file) => parse(interpolate(readFileSync(file, 'utf8'), settings), { merge: true }))
    .reduce(merged);
  const isChosen = (/** @type {Service} */ { profiles }) =>
    profiles === undefined || profiles.includes(settings['COMPOSE_PROFILES'] ?? '');
  return {
    ...project,
    services: Object.fromEntries(Object.entries(project.services).filter(([, one]) => isChosen(one))),
  };
}

/**
 * @param {string} text
 * @param {Record<string, string | undefined>} settings
 */
function interpolate(text, settings) {
  return text.replace(/\$\{([A-Z_]+)(?::([?-])([^}]*))?\}/g, (_, name, kind, fallback) => {
    const value = settings[name] ?? '';
    if (value !== '') return value;
    if (kind === '-') return fallback;
    throw new Error(`${name} is not set.`);
  });
}

/**
 * Of maps both, of lists one after the other, of all else the later.
 * @param {any} a
 * @param {any} b
 * @returns {any}
 */
function merged(a, b) {
  if (Array.isArray(a) && Array.isArray(b)) return [...a, ...b];
  if (Array.isArray(a) && typeof b === 'object' && b !== null) {
    return merged(Object.fromEntries(a.map((key) => [key, null])), b);
  }
  if (typeof a !== 'object' || a === null || typeof b !== 'object' || b === null) return b ?? a;
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return Object.fromEntries(
    [...keys].map((key) => [key, key in a && key in b ? merged(a[key], b[key]) : (a[key] ?? b[key])]),
  );
}
