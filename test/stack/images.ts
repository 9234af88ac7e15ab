import { execFile, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { modules, root } from '../../scripts/project.mjs';
import { findExtendedBinaries } from '../support/postgres-cluster.ts';
import { limits, whyNoNames } from './names.ts';

/** What the public images would be; the machine of a test may not be able to pull them. They stay for the next run. */
export interface BaseImages {
  debian: string;
  build: string;
  database: string;
  caddy: string;
}

const suite = 'bookworm';
const folderOfImages = join(import.meta.dirname, 'images');
const debianMajor = 15;

/** The output of a program; throws with its message if it fails. */
export async function run(
  program: string,
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<string> {
  const options = { maxBuffer: 64 * 1024 * 1024, env: { ...process.env, ...environment } };
  try {
    return (await promisify(execFile)(program, words, options)).stdout.trim();
  } catch (error) {
    const { stdout, stderr } = Object.assign({ stdout: '', stderr: '' }, error);
    throw new Error(`${program} ${words.slice(0, 4).join(' ')}: ${stderr.slice(-4000)}${stdout.slice(-4000)}`, {
      cause: error,
    });
  }
}

export const podman = (...words: string[]): Promise<string> => run('podman', ['--runtime', 'runc', ...words]);

/** Why stacks cannot run on this machine; undefined if they can. */
export function whyNoStacks(): string | undefined {
  if (process.getuid?.() !== 0) return 'this is not root';
  for (const program of ['podman', 'runc', 'debootstrap', 'openssl']) {
    if (spawnSync('sh', ['-c', `command -v ${program}`]).status !== 0) return `there is no ${program} on this machine`;
  }
  const info = spawnSync('podman', ['--runtime', 'runc', 'info'], { encoding: 'utf8' });
  if (info.status !== 0) return `podman does not work here: ${info.stderr.trim().split('\n').at(-1)}`;
  return whyNoNames();
}

/** Built if they are missing, from the mirror of debootstrap. */
export async function ensureBaseImages(): Promise<BaseImages> {
  const debian = `localhost/stack-test/debian:${suite}`;
  if (!hasImage(debian)) await inScratch((scratch) => importDebian(debian, scratch));
  return {
    debian,
    build: await buildBase('Build', debian, putNode),
    database: await buildBase('Database', debian, await databaseFiles()),
    caddy: await buildBase('Caddy', debian, () => []),
  };
}

/**
 * From the Dockerfile of the project and the sources in a folder, which are these or those of another commit. Pages that a
 * build has left in the folder of pages are taken where they are of the same sources, as `npm run build` finds out.
 */
export async function buildPortalImage(
  image: string,
  { context, pages, base: { build, debian } }: { context: string; pages: string; base: BaseImages },
): Promise<void> {
  const cache = join(homedir(), '.npm');
  mkdirSync(cache, { recursive: true });
  const dockerfile = join(root, 'deploy', 'Dockerfile');
  // The installed packages are those that the lock file wants, or else they come from npm's cache where it has them.
  const packages = [
    mounted(cache, '/root/.npm'),
    packagesOf('', context),
    packagesOf('dashboards/page', context),
    keptIn(pages, 'web/dist'),
    keptIn(pages, 'dashboards/page/dist'),
  ].flat();
  const images = ['--build-arg', `BUILD_IMAGE=${build}`, '--build-arg', `RUNTIME_IMAGE=${debian}`, '--tag', image];
  // Without layers, which would remain after each run.
  const options = ['--layers=false', '--format', 'docker', '--network', 'host', '--quiet', ...limits];
  await podman('build', ...options, ...packages, ...images, '--file', dockerfile, context);
}

const mounted = (from: string, to: string) => ['--volume', `${from}:${to}`];

function keptIn(folder: string, what: string): string[] {
  const kept = join(folder, what);
  mkdirSync(kept, { recursive: true });
  return mounted(kept, join('/portal', what));
}

/** What the build writes there is gone when a step ends. */
function packagesOf(folder: string, context: string): string[] {
  const packages = join(root, folder, 'node_modules');
  const lockFiles = [root, context].map((one) => join(one, folder, 'package-lock.json'));
  const isSame =
    lockFiles.every((file) => existsSync(file)) &&
    new Set(lockFiles.map((file) => readFileSync(file, 'utf8'))).size === 1;
  return isSame && existsSync(packages) ? mounted(packages, `${join('/portal', folder, 'node_modules')}:O`) : [];
}

const hasImage = (image: string) => spawnSync('podman', ['image', 'exists', image]).status === 0;

async function inScratch<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'stack-images-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function importDebian(image: string, scratch: string): Promise<void> {
  const tree = join(scratch, 'tree');
  await run('debootstrap', ['--variant=minbase', '--include=libatomic1,ca-certificates', suite, tree]);
  for (const cache of ['var/cache/apt/archives', 'var/lib/apt/lists']) rmSync(join(tree, cache), { recursive: true });
  const tar = join(scratch, 'debian.tar');
  await run('tar', ['-C', tree, '-cf', tar, '.']);
  await podman('import', tar, image);
}

/** Named after its content, so that other content makes another image. */
function buildBase(name: string, debian: string, putFiles: (context: string) => readonly string[]): Promise<string> {
  return inScratch(async (context) => {
    const containerfile = join(folderOfImages, name);
    const contents = [readFileSync(containerfile, 'utf8'), debian, ...putFiles(context)];
    const hash = createHash('sha256').update(contents.join('\n')).digest('hex').slice(0, 12);
    const image = `localhost/stack-test/${name.toLowerCase()}:${hash}`;
    if (hasImage(image)) return image;
    const base = ['--build-arg', `BASE=${debian}`, '--tag', image, '--file', containerfile, context];
    await podman('build', '--network', 'host', '--quiet', ...limits, ...base);
    return image;
  });
}

function putNode(context: string): string[] {
  const npm = npmFolder();
  cpSync(join(modules, 'node', 'bin', 'node'), join(context, 'node'), { dereference: true });
  cpSync(npm, join(context, 'npm'), { recursive: true, dereference: true });
  return [process.version, readFileSync(join(npm, 'package.json'), 'utf8')];
}

/** The folder of this machine's npm: its program is a link into it. */
function npmFolder(): string {
  const programs = (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, 'npm'));
  const folders = programs
    .filter((program) => existsSync(program))
    .map((program) => dirname(dirname(realpathSync(program))));
  const folder = folders.find((one) => existsSync(join(one, 'bin', 'npm-cli.js')));
  if (folder === undefined) throw new Error('There is no npm on the PATH of this test.');
  return folder;
}

/** Replaces Debian's PostgreSQL if this machine's has the same major version and the extension. */
async function databaseFiles(): Promise<(context: string) => readonly string[]> {
  const found = await findExtendedBinaries();
  const binaries = found?.major === debianMajor ? found : undefined;
  const folderOf = (what: string) =>
    spawnSync(join(binaries?.folder ?? '', 'pg_config'), [what], { encoding: 'utf8' }).stdout.trim();
  return (context) => {
    const entrypoint = 'database-entrypoint.sh';
    cpSync(join(folderOfImages, entrypoint), join(context, entrypoint));
    for (const [name, what] of [
      ['bin', '--bindir'],
      ['lib', '--pkglibdir'],
      ['share', '--sharedir'],
    ] as const) {
      mkdirSync(join(context, name));
      if (binaries !== undefined) cpSync(folderOf(what), join(context, name), { recursive: true, dereference: true });
    }
    return [readFileSync(join(context, entrypoint), 'utf8'), binaries?.version ?? '', binaries?.timescaleDb ?? ''];
  };
}
