// Shared by all scripts. Those that run before the install need nothing but Node 20.
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { delimiter, dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
export const modules = join(root, 'node_modules');

const isWindows = process.platform === 'win32';

/** The Node that the project pins, as a program to start; see `problemOfPinnedNode`. */
export const pinnedNode = join(modules, 'node', 'bin', isWindows ? 'node.exe' : 'node');

/**
 * For the allocator of glibc: memory of a megabyte and more, such as that of a password's hash, goes back to the system when it is
 * freed, and threads share two arenas instead of filling one each. Without them a portal keeps some 30 MiB when it does nothing.
 */
export const allocatorSettings = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '1048576',
  MALLOC_TRIM_THRESHOLD_: '1048576',
};

/** For Node: its young heap grows to 24 MiB and not to 48, which is 50 MiB less under load, and no slower. */
export const heapOptions = ['--max-semi-space-size=8'];

/**
 * Why the pinned Node cannot be used: its error output, or undefined if it starts and has the version of the lock file.
 * @returns {string | undefined}
 */
export function problemOfPinnedNode() {
  const { stdout, stderr, status } = spawnSync(pinnedNode, ['--version'], { encoding: 'utf8', timeout: 20_000 });
  if (status === 0 && stdout.trim() === `v${pinnedVersion()}`) return undefined;
  if (status === 0) return `it is ${stdout.trim()}`;
  return stderr?.trim() || 'it is not there';
}

/** The version of Node in the lock file, such as `26.1.0`. */
export function pinnedVersion() {
  /** @type {{ packages: Record<string, { version?: string }> }} */
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  return lock.packages['node_modules/node']?.version;
}

/**
 * Prints a message to the person at the terminal, apart from the output of programs.
 * @param {string} text
 */
export function say(text) {
  process.stderr.write(`${text}\n`);
}

/**
 * Ends the script if a requirement is missing; `main` prints the message without a stack.
 */
export class Refusal extends Error {}

/**
 * Runs a script and turns what it returns into the exit code.
 * @param {() => Promise<number>} work
 */
export async function main(work) {
  try {
    process.exitCode = await work();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    say(error.message);
    process.exitCode = 1;
  }
}

/**
 * Runs a program in the project's folder with the terminal's input and output, and waits for its exit code.
 * @param {string} program
 * @param {readonly string[]} words
 * @param {{ env?: NodeJS.ProcessEnv, shell?: boolean }} [options]
 * @returns {Promise<number>}
 */
export function run(program, words, { env = process.env, shell = false } = {}) {
  return new Promise((resolve) => {
    const child = spawn(program, words, { cwd: root, env, shell, stdio: 'inherit' });
    child.on('error', () => resolve(127));
    child.on('exit', (code, signal) => resolve(exitCode(code, signal)));
  });
}

/**
 * Runs a program and waits for its exit code and its output.
 * @param {string} program
 * @param {readonly string[]} words
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<{ code: number, output: string }>}
 */
function runCaptured(program, words, env) {
  return new Promise((resolve) => {
    let output = '';
    const child = spawn(program, words, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        output += text;
      });
    }
    child.on('error', ({ message }) => resolve({ code: 127, output: message }));
    child.on('close', (code, signal) => resolve({ code: exitCode(code, signal), output: output.trimEnd() }));
  });
}

/**
 * Runs a verbose program; its last lines are shown only if it fails.
 * @param {string} program
 * @param {readonly string[]} words
 * @param {NodeJS.ProcessEnv} env
 */
export async function runQuietly(program, words, env) {
  const { code, output } = await runCaptured(program, words, env);
  if (code !== 0) say(output.split('\n').slice(-5).join('\n'));
  return code;
}

/**
 * Runs a program of the project's packages with the pinned Node.
 * @param {string} file below node_modules, or below the project's folder
 * @param {readonly string[]} words
 * @param {NodeJS.ProcessEnv} [env]
 */
export function runPinned(file, words, env = process.env) {
  return run(pinnedNode, [file, ...words], { env: withPinnedNodeFirst(env) });
}

/**
 * The same, with the output instead of the terminal.
 * @param {string} file
 * @param {readonly string[]} words
 */
export function runPinnedCaptured(file, words) {
  return runCaptured(pinnedNode, [file, ...words], withPinnedNodeFirst(process.env));
}

/**
 * npm, independent of the packages that it may replace: neither it nor the install scripts may run on the pinned Node, which npm
 * puts first on the PATH of every script.
 * @param {readonly string[]} words
 */
export function runNpm(words) {
  return run('npm', words, { env: withoutPackages(process.env), shell: isWindows });
}

/**
 * @param {number | null} code
 * @param {NodeJS.Signals | null} signal
 */
export function exitCode(code, signal) {
  const signalNumbers = { SIGHUP: 1, SIGINT: 2, SIGQUIT: 3, SIGKILL: 9, SIGTERM: 15 };
  if (signal === null) return code ?? 1;
  return 128 + (Object.entries(signalNumbers).find(([name]) => name === signal)?.[1] ?? 0);
}

/** @param {NodeJS.ProcessEnv} env */
function withPinnedNodeFirst(env) {
  return withPath(env, (folders) => [join(modules, '.bin'), ...folders]);
}

/** @param {NodeJS.ProcessEnv} env */
function withoutPackages(env) {
  return withPath(env, (folders) => folders.filter((folder) => !folder.startsWith(modules + sep)));
}

/**
 * @param {NodeJS.ProcessEnv} env
 * @param {(folders: string[]) => string[]} change
 */
function withPath(env, change) {
  const name = Object.keys(env).find((key) => key.toUpperCase() === 'PATH') ?? 'PATH';
  return { ...env, [name]: change((env[name] ?? '').split(delimiter)).join(delimiter) };
}
