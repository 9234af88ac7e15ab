import type { OpcPackage } from './opc.ts';
import { readTree } from './xml.ts';

const coreNamespace = 'http://schemas.openxmlformats.org/package/2006/metadata/core-properties';
const coreElements = [
  'category',
  'contentStatus',
  'contentType',
  'keywords',
  'lastModifiedBy',
  'lastPrinted',
  'revision',
  'version',
];
const dublinCore = 'http://purl.org/dc/elements/1.1/';
const dublinElements = ['creator', 'description', 'identifier', 'language', 'subject', 'title'];
const dublinTerms = 'http://purl.org/dc/terms/';
const termElements = ['created', 'modified'];
const typeAttribute = '{http://www.w3.org/2001/XMLSchema-instance}type';

const known: ReadonlyMap<string, string> = new Map([
  ...coreElements.map((name): [string, string] => [name, name]),
  ...dublinElements.map((name): [string, string] => [`{${dublinCore}}${name}`, name]),
  ...termElements.map((name): [string, string] => [`{${dublinTerms}}${name}`, name]),
]);

/** Title, author and times of a package (ISO/IEC 29500-2, 8.3). Throws when one is unknown, twice there or no time. */
export function readProperties({ parts, relationshipsOf }: OpcPackage): Map<string, string> {
  const properties = new Map<string, string>();
  const part = relationshipsOf('').find(({ kind }) => kind === 'core-properties')?.target;
  if (part === undefined) return properties;
  const bytes = parts.get(part) ?? Buffer.alloc(0);
  const { root } = readTree({ name: part, bytes, root: { namespace: coreNamespace, name: 'coreProperties' } });
  for (const { name, attributes, children, text } of root.children) {
    const key = known.get(name);
    if (key === undefined || properties.has(key) || children.length > 0)
      throw new Error(`${part} has ${name}, which is unknown, or twice there.`);
    if (termElements.includes(key)) {
      if (attributes.get(typeAttribute) !== 'dcterms:W3CDTF') throw new Error(`${part} has ${key} without its type.`);
      if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/u.test(text) || Number.isNaN(Date.parse(text)))
        throw new Error(`${part} has ${key} = ${text}, which is no time.`);
    }
    properties.set(key, text);
  }
  return properties;
}
