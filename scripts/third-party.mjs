// Packages of others: which are bundled, under which licence, and the text that says so.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { z } from 'zod';
import { Refusal, root } from './project.mjs';

export const noticesFile = 'third-party-notices.txt';

/** SPDX ids of licences that ask for nothing but their text. */
const permissive = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'PostgreSQL',
  'Unlicense',
]);
/** What else is taken: the licence, by the name of the package, and why. */
const exceptions = [
  // A font; its licence forbids selling it alone.
  { name: /^@fontsource(-variable)?\/inter$/, licence: 'OFL-1.1' },
  // Its files are unchanged, and it stays a file of its own that anybody can replace.
  { name: /^@resvg\/resvg-wasm$/, licence: 'MPL-2.0' },
  // A library of its own, unchanged, which anybody can replace.
  { name: /^@img\/sharp-(libvips-|wasm32$|win32-)/, licence: 'LGPL-3.0-or-later' },
];

const manifest = z.looseObject({
  name: z.string(),
  version: z.string(),
  license: z.union([z.string(), z.looseObject({ type: z.string() })]).optional(),
  author: z.union([z.string(), z.looseObject({ name: z.string().optional() })]).optional(),
  homepage: z.string().optional(),
});

/**
 * @typedef {{ name: string, version: string, licence: string, homepage: string | undefined, text: string }} Package
 */

/**
 * Why a package may not be shipped, or undefined if it may.
 * @param {string} name
 * @param {string} licence SPDX expression of ids, AND and OR
 * @returns {string | undefined}
 */
export function problemOfLicence(name, licence) {
  const isAllowed = (/** @type {string} */ id) =>
    permissive.has(id) || exceptions.some((one) => one.licence === id && one.name.test(name));
  const ways = licence.replaceAll(/[()]/g, '').split(' OR ');
  if (ways.some((way) => way.split(' AND ').every(isAllowed))) return undefined;
  const known = licence === '' ? 'names no licence' : `has the licence ${licence}`;
  return (
    `${name} ${known}, which scripts/third-party.mjs does not list. Take another package, or add the licence there with the ` +
    'reason why it may be shipped.'
  );
}

/**
 * The licence of a package in a folder: what its manifest says, else what the text of its licence is.
 * @param {string} folder
 * @returns {string}
 */
export function licenceIn(folder) {
  const { license } = readManifest(folder);
  if (license !== undefined) return typeof license === 'string' ? license : license.type;
  const text = licenceFiles(folder).join('\n');
  if (/Apache License\s+Version 2\.0/.test(text)) return 'Apache-2.0';
  return /Permission is hereby granted, free of charge/.test(text) ? 'MIT' : '';
}

/** @param {string} folder */
const readManifest = (folder) => manifest.parse(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')));

/**
 * The texts of the files that say under which licence a package is.
 * @param {string} folder
 */
function licenceFiles(folder) {
  const isText = (/** @type {string} */ name) =>
    /^(licen[cs]e|copying|notice|copyright)/i.test(name) && !/\.[cm]?[jt]s$/.test(name);
  const files = readdirSync(folder, { withFileTypes: true }).filter((file) => file.isFile() && isText(file.name));
  return files
    .map(({ name }) => name)
    .toSorted()
    .map((name) => readFileSync(join(folder, name), 'utf8').trim());
}

/**
 * What a package says of its licence, whole: its files, else the part of its README, else the licence that it names.
 * @param {string} folder
 */
function licenceText(folder) {
  const { name, author } = readManifest(folder);
  const files = licenceFiles(folder);
  if (files.length > 0) return files.join('\n\n');
  const readme = readdirSync(folder).find((file) => /^readme/i.test(file));
  const read = readme === undefined ? '' : readFileSync(join(folder, readme), 'utf8');
  const section = /^#+ *licen[cs](?:e|ing)\b[\s\S]*/im.exec(read)?.[0].trim() ?? '';
  if (/Permission is hereby granted/.test(section)) return section;
  const licence = licenceIn(folder);
  if (licence === 'MIT') {
    const who = typeof author === 'string' ? author : (author?.name ?? `the authors of ${name}`);
    return readFileSync(join(root, 'LICENSE'), 'utf8')
      .trim()
      .replace(/^Copyright .*$/m, `Copyright (c) ${who}`);
  }
  if (licence.startsWith('LGPL-3.0')) {
    const own = ['LGPL-3.0.txt', 'GPL-3.0.txt'].map((file) =>
      readFileSync(join(root, 'scripts/licence-texts', file), 'utf8'),
    );
    return [section, ...own].join('\n\n').trim();
  }
  if (licence === 'MPL-2.0') {
    const source = readManifest(folder).homepage ?? `https://www.npmjs.com/package/${name}`;
    const own = readFileSync(join(root, 'scripts/licence-texts', 'MPL-2.0.txt'), 'utf8').trim();
    return `The source is at ${source}\n\n${own}`;
  }
  throw new Refusal(`${relative(root, folder)} has no text of its licence (${licence}).`);
}

/**
 * A package of others in a folder, which must be one that may be shipped.
 * @param {string} folder
 * @returns {Package}
 */
export function readPackage(folder) {
  const { name, version, homepage } = readManifest(folder);
  const licence = licenceIn(folder);
  const problem = problemOfLicence(name, licence);
  if (problem !== undefined) throw new Refusal(problem);
  return { name, version, licence, homepage, text: licenceText(folder) };
}

/**
 * The folder of the package that a module belongs to; undefined if it is the project's own.
 * @param {string} id
 */
function folderOfModule(id) {
  const path = id.replace(/^\0/, '').replace(/[?#].*$/, '');
  const place = `${sep}node_modules${sep}`;
  const at = path.lastIndexOf(place);
  if (at < 0) return undefined;
  const [first = '', second = ''] = path.slice(at + place.length).split(sep);
  const folder = path.slice(0, at + place.length) + (first.startsWith('@') ? join(first, second) : first);
  return existsSync(join(folder, 'package.json')) ? folder : undefined;
}

/**
 * For rolldown: adds the folder of each package that has a module in the bundle.
 * @param {Set<string>} folders
 * @returns {import('rolldown').Plugin}
 */
export const notePackages = (folders) => ({
  name: 'note-packages',
  generateBundle() {
    for (const folder of foldersOf(this.getModuleIds())) folders.add(folder);
  },
});

/**
 * The folders of the packages that modules belong to.
 * @param {Iterable<string>} ids
 */
export const foldersOf = (ids) => new Set([...ids].map(folderOfModule).filter((folder) => folder !== undefined));

const line = '-'.repeat(100);

/**
 * The text that goes with what is shipped. Packages whose texts are the same share it.
 * @param {readonly Package[]} packages
 */
export function noticesOf(packages) {
  const titleOf = (/** @type {Package} */ { name, version, licence, homepage }) =>
    `${name} ${version} (${licence})${homepage === undefined ? '' : ` ${homepage}`}`;
  const sorted = packages.toSorted((a, b) => (titleOf(a) < titleOf(b) ? -1 : 1));
  const groups = Map.groupBy(sorted, ({ text }) => text.replaceAll(/\s+/g, ' '));
  const parts = [...groups.values()].map((own) => `${[...new Set(own.map(titleOf))].join('\n')}\n\n${own[0]?.text}\n`);
  return ['This contains the work of others, under these licences.\n', ...parts].join(`\n${line}\n`);
}
