import { SaxesParser, type SaxesTagNS } from 'saxes';

/** An element with names as its vocabulary has them: `row` in the part's own namespace, `{namespace}row` in another. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
}

export interface XmlNode extends XmlElement {
  readonly children: readonly XmlNode[];
  /** The characters directly in it. */
  readonly text: string;
}

export interface XmlEvents {
  open(element: XmlElement): void;
  text(text: string): void;
  close(): void;
}

export interface XmlPart {
  /** For messages. */
  name: string;
  bytes: Buffer;
  /** What the root has to be; when left out, anything, and every name comes with its namespace. */
  root?: { namespace: string; name: string };
}

const declarations = 'http://www.w3.org/2000/xmlns/';
const relationshipAttributes = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
/** How the parser names an attribute `space` of the prefix `xml`. */
export const xmlSpace = '{http://www.w3.org/XML/1998/namespace}space';
const chunkSize = 1 << 16;

/**
 * Reads a part from begin to end and gives the relationships that it names (`r:id`, `r:embed` …). Throws when it is not
 * well-formed XML 1.0 in UTF-8, has a document type (which packages forbid) or another root.
 */
export function readXml(part: XmlPart, events: XmlEvents): Set<string> {
  const used = new Set<string>();
  const home = part.root?.namespace;
  let isRoot = true;
  const parser = new SaxesParser({ xmlns: true });
  const refuse = (why: string): never => {
    throw new Error(`${part.name} ${why}`);
  };
  parser.on('error', (error) => refuse(`is not well-formed XML, line and column ${error.message}`));
  parser.on('doctype', () => refuse('has a document type, which no part may have.'));
  parser.on('xmldecl', ({ version, encoding }) => {
    if (version !== '1.0') refuse(`is XML ${version}, not 1.0.`);
    if (encoding !== undefined && encoding.toLowerCase() !== 'utf-8') refuse(`is in ${encoding}, not in UTF-8.`);
  });
  parser.on('opentag', (tag) => {
    const element = { name: qualify(tag.uri, tag.local, home), attributes: readAttributes(tag, used) };
    if (isRoot && part.root !== undefined && element.name !== part.root.name)
      refuse(`has the root ${element.name}, not ${part.root.name} of ${part.root.namespace}.`);
    isRoot = false;
    events.open(element);
  });
  parser.on('closetag', () => events.close());
  parser.on('text', (text) => events.text(text));
  parser.on('cdata', (text) => events.text(text));
  for (const text of decode(part)) parser.write(text);
  parser.close();
  return used;
}

function* decode({ name, bytes }: XmlPart): Generator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for (let at = 0; at < bytes.length; at += chunkSize)
      yield decoder.decode(bytes.subarray(at, at + chunkSize), { stream: true });
    yield decoder.decode();
  } catch (error) {
    throw error instanceof TypeError ? new Error(`${name} is not UTF-8.`, { cause: error }) : error;
  }
}

const qualify = (namespace: string, local: string, home: string | undefined) =>
  namespace === home ? local : `{${namespace}}${local}`;

function readAttributes(tag: SaxesTagNS, used: Set<string>): Map<string, string> {
  const attributes = new Map<string, string>();
  for (const { uri, local, value } of Object.values(tag.attributes)) {
    if (uri === declarations) continue;
    if (uri === relationshipAttributes) used.add(value);
    attributes.set(uri === '' ? local : `{${uri}}${local}`, value);
  }
  return attributes;
}

/** Which relationship an element names by `r:id`. */
export const relationshipOf = ({ attributes }: XmlElement) => attributes.get(`{${relationshipAttributes}}id`);

/** Collects events to a tree; `close` gives the root when it is whole. */
export class TreeBuilder {
  private readonly stack: {
    name: string;
    attributes: ReadonlyMap<string, string>;
    children: XmlNode[];
    text: string;
  }[] = [];

  get isEmpty(): boolean {
    return this.stack.length === 0;
  }

  open({ name, attributes }: XmlElement): void {
    this.stack.push({ name, attributes, children: [], text: '' });
  }

  text(text: string): void {
    const node = this.stack.at(-1);
    if (node !== undefined) node.text += text;
  }

  close(): XmlNode | undefined {
    const node = this.stack.pop();
    const parent = this.stack.at(-1);
    if (node === undefined || parent === undefined) return node;
    parent.children.push(node);
    return undefined;
  }
}

/** A whole part as a tree, for those that are small. Throws like readXml. */
export function readTree(part: XmlPart): { root: XmlNode; used: Set<string> } {
  const builder = new TreeBuilder();
  let root: XmlNode | undefined;
  const used = readXml(part, {
    open: (element) => builder.open(element),
    text: (text) => builder.text(text),
    close: () => {
      root = builder.close() ?? root;
    },
  });
  if (root === undefined) throw new Error(`${part.name} has no root.`);
  return { root, used };
}

export const childrenOf = (node: XmlNode | undefined, name: string): XmlNode[] =>
  node?.children.filter((child) => child.name === name) ?? [];

export const childOf = (node: XmlNode | undefined, name: string): XmlNode | undefined => childrenOf(node, name)[0];

/** The node and all that is below it. */
export function* descendantsOf(node: XmlNode): Generator<XmlNode> {
  yield node;
  for (const child of node.children) yield* descendantsOf(child);
}
