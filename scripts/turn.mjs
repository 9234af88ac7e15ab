import { mkdirSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { root, say } from './project.mjs';

const lock = join(root, '.setup-lock');
const beatMs = 2_000;
// A killed holder stops touching its lock; a slow one does not.
const abandonedAfterMs = 15_000;

/** How many works of this process share its turn. */
let sharing = 0;
/** @type {Promise<void> | undefined} */
let turn;
/** @type {NodeJS.Timeout | undefined} */
let beat;

/**
 * Runs `work` while no other script of this clone installs or builds. Works of one script run beside each other.
 * @template T
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function inTurn(work) {
  sharing += 1;
  turn ??= begin();
  try {
    await turn;
    return await work();
  } finally {
    sharing -= 1;
    if (sharing === 0) end();
  }
}

async function begin() {
  for (let attempt = 0; !take(); attempt += 1) {
    if (attempt === 0) say('Another command is installing or building in this folder; waiting for it…');
    if (isAbandoned()) discard();
    else await sleep(250);
  }
  beat = setInterval(() => utimesSync(lock, new Date(), new Date()), beatMs);
}

function end() {
  if (beat !== undefined) rmSync(lock, { recursive: true, force: true });
  clearInterval(beat);
  [turn, beat] = [undefined, undefined];
}

function take() {
  try {
    mkdirSync(lock);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

function isAbandoned() {
  const age = statSync(lock, { throwIfNoEntry: false })?.mtimeMs;
  return age !== undefined && Date.now() - age > abandonedAfterMs;
}

/** Renamed first, so that of two who find it abandoned only one takes it away. */
function discard() {
  const remains = `${lock}-${process.pid}`;
  try {
    renameSync(lock, remains);
    rmSync(remains, { recursive: true, force: true });
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
}

/** @param {unknown} error */
function codeOf(error) {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
