import { posix } from 'node:path';
import { childrenOf, readTree, type XmlNode } from './xml.ts';

export interface Relationship {
  id: string;
  /** The last word of its type: `worksheet`, `styles`. */
  kind: string;
  /** Name of the part, or the address when it is external. */
  target: string;
  isExternal: boolean;
}

/** The parts of an Open Packaging Conventions package (ISO/IEC 29500-2) and how they refer to each other. */
export interface OpcPackage {
  parts: ReadonlyMap<string, Buffer>;
  /** Of a part, or of the package itself when the name is empty. */
  relationshipsOf(source: string): readonly Relationship[];
}

const contentTypesName = '[Content_Types].xml';
const contentTypesNamespace = 'http://schemas.openxmlformats.org/package/2006/content-types';
const relationshipsNamespace = 'http://schemas.openxmlformats.org/package/2006/relationships';
const relationshipsType = 'application/vnd.openxmlformats-package.relationships+xml';
const officePrefix = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/';
const packagePrefix = 'http://schemas.openxmlformats.org/package/2006/relationships/metadata/';
const office = 'application/vnd.openxmlformats-officedocument';

/** What a relationship of a kind may point to. A kind that is not here is one that our files have no use for. */
const contentTypes: ReadonlyMap<string, readonly string[]> = new Map([
  ['officeDocument', [`${office}.spreadsheetml.sheet.main+xml`]],
  ['worksheet', [`${office}.spreadsheetml.worksheet+xml`]],
  ['chartsheet', [`${office}.spreadsheetml.chartsheet+xml`]],
  ['styles', [`${office}.spreadsheetml.styles+xml`]],
  ['sharedStrings', [`${office}.spreadsheetml.sharedStrings+xml`]],
  ['theme', [`${office}.theme+xml`]],
  ['drawing', [`${office}.drawing+xml`]],
  ['chart', [`${office}.drawingml.chart+xml`]],
  ['image', ['image/png', 'image/jpeg']],
  ['core-properties', ['application/vnd.openxmlformats-package.core-properties+xml']],
  ['extended-properties', [`${office}.extended-properties+xml`]],
  ['custom-properties', [`${office}.custom-properties+xml`]],
]);
/** Those that hold by being there; every other one has to be named in the part that has it. */
const unnamedKinds = new Set([
  'officeDocument',
  'styles',
  'sharedStrings',
  'theme',
  'core-properties',
  'extended-properties',
  'custom-properties',
]);

/** Throws unless each part has its type, each relationship a target of the right type, and each part one that leads to it. */
export function openPackage(parts: ReadonlyMap<string, Buffer>): OpcPackage {
  const typeOf = readContentTypes(parts);
  const bySource = new Map<string, Relationship[]>();
  for (const [name, bytes] of parts) {
    if (!name.endsWith('.rels')) continue;
    const source = sourceOf(name);
    if (source !== '' && !parts.has(source)) throw new Error(`${name} belongs to ${source}, which is not there.`);
    if (typeOf(name) !== relationshipsType) throw new Error(`${name} is of the type ${typeOf(name)}.`);
    bySource.set(source, readRelationships(name, source, bytes));
  }
  for (const [source, relationships] of bySource) {
    for (const { kind, target, isExternal } of relationships) {
      if (isExternal) continue;
      const label = `The ${kind} of ${source || 'the package'}`;
      if (!parts.has(target)) throw new Error(`${label} is to be ${target}, which is not there.`);
      const type = typeOf(target);
      if (!contentTypes.get(kind)?.includes(type)) throw new Error(`${label}, ${target}, is of the type ${type}.`);
    }
  }
  checkReach(parts, bySource);
  return { parts, relationshipsOf: (source) => bySource.get(source) ?? [] };
}

/** Throws unless the relationships that a part has are those that it names. */
export function checkRelationshipUse({ relationshipsOf }: OpcPackage, source: string, used: ReadonlySet<string>): void {
  const relationships = relationshipsOf(source);
  for (const id of used)
    if (!relationships.some((relationship) => relationship.id === id))
      throw new Error(`${source} names the relationship ${id}, which it does not have.`);
  for (const { id, kind } of relationships)
    if (!unnamedKinds.has(kind) && !used.has(id))
      throw new Error(`${source} has the relationship ${id} (${kind}) and does not name it.`);
}

function readContentTypes(parts: ReadonlyMap<string, Buffer>): (part: string) => string {
  const bytes = parts.get(contentTypesName);
  if (bytes === undefined) throw new Error(`There is no ${contentTypesName}.`);
  const { root } = readTree({
    name: contentTypesName,
    bytes,
    root: { namespace: contentTypesNamespace, name: 'Types' },
  });
  const defaults = new Map<string, string>();
  const overrides = new Map<string, string>();
  const add = (to: Map<string, string>, key: string, node: XmlNode) => {
    const type = attribute(contentTypesName, node, 'ContentType');
    if (to.has(key)) throw new Error(`${contentTypesName} has ${key} twice.`);
    to.set(key, type);
  };
  for (const node of root.children) {
    if (node.name === 'Default') add(defaults, attribute(contentTypesName, node, 'Extension').toLowerCase(), node);
    else if (node.name === 'Override') {
      const name = attribute(contentTypesName, node, 'PartName');
      if (!name.startsWith('/') || !parts.has(name.slice(1)))
        throw new Error(`${contentTypesName} has a type for ${name}, which is not there.`);
      add(overrides, name.slice(1), node);
    } else throw new Error(`${contentTypesName} has an element ${node.name}.`);
  }
  const typeOf = (part: string) => overrides.get(part) ?? defaults.get(part.split('.').at(-1)?.toLowerCase() ?? '');
  for (const part of parts.keys())
    if (part !== contentTypesName && typeOf(part) === undefined)
      throw new Error(`${contentTypesName} has no type for ${part}.`);
  return (part) => typeOf(part) ?? '';
}

/** `xl/_rels/workbook.xml.rels` has those of `xl/workbook.xml`, `_rels/.rels` those of the package. */
function sourceOf(name: string): string {
  const [, folder, file] = /^(.*\/)?_rels\/([^/]*)\.rels$/u.exec(name) ?? [];
  if (file === undefined) throw new Error(`${name} is not in a folder _rels.`);
  return `${folder ?? ''}${file}`;
}

function readRelationships(name: string, source: string, bytes: Buffer): Relationship[] {
  const { root } = readTree({ name, bytes, root: { namespace: relationshipsNamespace, name: 'Relationships' } });
  const nodes = childrenOf(root, 'Relationship');
  if (nodes.length !== root.children.length) throw new Error(`${name} has something else than relationships.`);
  const ids = new Set<string>();
  return nodes.map((node) => {
    const id = attribute(name, node, 'Id');
    if (!/^[\p{L}_][\p{L}\p{N}._-]*$/u.test(id) || ids.has(id))
      throw new Error(`${name} has an Id ${id} that is no name, or is there twice.`);
    ids.add(id);
    const type = attribute(name, node, 'Type');
    const kind = type.slice(Math.max(type.lastIndexOf('/') + 1, 0));
    if (type !== `${kind === 'core-properties' ? packagePrefix : officePrefix}${kind}`)
      throw new Error(`${name} has a relationship of the unknown type ${type}.`);
    const target = attribute(name, node, 'Target');
    const mode = node.attributes.get('TargetMode') ?? 'Internal';
    if (mode !== 'Internal' && (mode !== 'External' || kind !== 'hyperlink'))
      throw new Error(`${name} has the mode ${mode} for its ${kind}; only a hyperlink may be External.`);
    if (mode === 'External') return { id, kind, target, isExternal: true };
    if (/[%#?\\]/u.test(target)) throw new Error(`${name} has the target ${target}, which is no plain path.`);
    // An absolute target begins at the root of the package, any other in the folder of its source.
    const path = posix.resolve('/', posix.dirname(source), target);
    return { id, kind, target: path.slice(1), isExternal: false };
  });
}

function checkReach(parts: ReadonlyMap<string, Buffer>, bySource: ReadonlyMap<string, readonly Relationship[]>): void {
  const reached = new Set<string>();
  const waiting = [''];
  for (let source = waiting.pop(); source !== undefined; source = waiting.pop()) {
    for (const { target, isExternal } of bySource.get(source) ?? []) {
      if (isExternal || reached.has(target)) continue;
      reached.add(target);
      waiting.push(target);
    }
  }
  for (const name of parts.keys())
    if (name !== contentTypesName && !name.endsWith('.rels') && !reached.has(name))
      throw new Error(`No relationship leads to ${name}.`);
}

function attribute(part: string, { name, attributes }: XmlNode, key: string): string {
  const value = attributes.get(key);
  if (value === undefined || value === '') throw new Error(`${part} has a ${name} without ${key}.`);
  return value;
}
