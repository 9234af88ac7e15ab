import { spawn } from 'node:child_process';
import { allocatorSettings, exitCode, pinnedNode, root } from './project.mjs';

const isWindows = process.platform === 'win32';
// Ctrl-C reaches this script twice, from the terminal and from npm; a later one is a second Ctrl-C.
const sameWishMs = 500;
const lookAfterParentMs = 300;

/**
 * Runs programs with the pinned Node in the foreground until one of them ends; then the others are asked to end too.
 * They are outside the terminal's process group, so that each gets exactly one signal per Ctrl-C and can stop gracefully; a
 * second Ctrl-C is passed on as well. Returns the exit code of the one that ended first.
 * @param {readonly (readonly string[])[]} commands the words after `node`, one list a program
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Promise<number>}
 */
export async function runInForeground(commands, env = process.env) {
  const children = commands.map((words) =>
    spawn(pinnedNode, words, {
      cwd: root,
      env: { ...allocatorSettings, ...env },
      stdio: 'inherit',
      detached: !isWindows,
    }),
  );
  const endings = children.map(
    (child) =>
      new Promise((/** @type {(code: number) => void} */ resolve) => {
        child.on('error', () => resolve(127));
        child.on('exit', (code, signal) => resolve(exitCode(code, signal)));
      }),
  );
  const stopAll = (/** @type {NodeJS.Signals} */ signal) => {
    // Windows sends Ctrl-C to the whole group itself, and its kill is never graceful.
    if (isWindows && signal === 'SIGINT') return;
    for (const child of children) if (child.exitCode === null && child.signalCode === null) child.kill(signal);
  };
  let lastAt = Number.NEGATIVE_INFINITY;
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(signal, () => {
      if (performance.now() - lastAt < sameWishMs) return;
      lastAt = performance.now();
      // A closed terminal stops them too.
      stopAll(signal === 'SIGHUP' ? 'SIGTERM' : signal);
    });
  }
  const watch = whenParentEnds(() => stopAll('SIGTERM'));
  const first = await Promise.race(endings);
  clearInterval(watch);
  stopAll('SIGTERM');
  await Promise.all(endings);
  return first;
}

/**
 * npm sends SIGTERM only to its shell, which ends and leaves this script orphaned; that stops it too.
 * @param {() => void} stop
 */
function whenParentEnds(stop) {
  if (isWindows || process.env['npm_lifecycle_event'] === undefined) return undefined;
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    stop();
  }, lookAfterParentMs);
  return watch;
}
