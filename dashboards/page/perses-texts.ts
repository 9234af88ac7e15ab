import { join, sep } from 'node:path';
import type { Plugin } from 'vite';
import { de } from './src/languages/de.ts';

const perses = join(import.meta.dirname, 'node_modules', '@perses-dev') + sep;
const source = JSON.stringify(join(import.meta.dirname, 'src', 'texts.ts'));

/** What is shown of the objects and elements of Perses. */
const shown = new Set(
  (
    'children label title aria-label description placeholder helperText text message submitText cancelText tooltip ' +
    'pluginKindLabel renderValue'
  ).split(' '),
);
/** Files of nothing but texts. */
const ofTexts = /\/(?:user-interface-text|utils\/action|model\/transforms)\.js$/;

type Node = Record<string, unknown> & { type: string; start: number; end: number };
const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
const nodesIn = (value: unknown): Node[] => [value].flat().filter(isNode);
const literalOf = ({ type, value }: Node): string | null =>
  type === 'Literal' && typeof value === 'string' ? value : null;

const cookedOf = (value: unknown): string =>
  typeof value === 'object' && value !== null && 'cooked' in value ? String(value.cooked) : '';

interface Text {
  start: number;
  end: number;
  /** With `{0}` for what Perses puts in. */
  key: string;
  parts: Node[];
}

/** A literal, a template, or children that are texts and values side by side. */
function textOf(node: Node): Text | null {
  const { type, start, end } = node;
  const joined = (pieces: readonly (string | Node)[]): Text => {
    const parts = pieces.filter((piece) => typeof piece !== 'string');
    const key = pieces.map((piece) => (typeof piece === 'string' ? piece : `{${parts.indexOf(piece)}}`)).join('');
    return { start, end, key: key.trim(), parts };
  };
  if (type === 'ArrayExpression') return joined(nodesIn(node['elements']).map((one) => literalOf(one) ?? one));
  if (type !== 'TemplateLiteral') return joined([literalOf(node) ?? '']);
  const values = nodesIn(node['expressions']);
  return joined(nodesIn(node['quasis']).flatMap(({ value }, at) => [cookedOf(value), ...values.slice(at, at + 1)]));
}

/** Where a file says what the dictionary has; never what it compares, imports or takes for a key. */
function findTexts(node: Node, isShown: boolean, areAllShown: boolean): Text[] {
  if (['ImportDeclaration', 'MemberExpression'].includes(node.type)) return [];
  if (node.type === 'BinaryExpression' && node['operator'] !== '+') return [];
  const [key] = nodesIn(node.type === 'Property' ? node['key'] : undefined);
  if (key !== undefined) {
    const isShownThere = areAllShown || shown.has(String(key['name'] ?? key['value']));
    return nodesIn(node['value']).flatMap((value) => findTexts(value, isShownThere, areAllShown));
  }
  const text = isShown ? textOf(node) : null;
  if (text !== null && Object.hasOwn(de.perses, text.key)) return [text];
  return Object.values(node).flatMap((value) => nodesIn(value).flatMap((one) => findTexts(one, isShown, areAllShown)));
}

/** Puts the texts that Perses has in its code through the page's dictionary, and fails where Perses no longer says one. */
export function translatePerses(): Plugin {
  const left = new Set(Object.keys(de.perses));
  return {
    name: 'translate-perses',
    transform(code, id) {
      if (!id.startsWith(perses) || !id.endsWith('.js')) return null;
      const areAllShown = ofTexts.test(id);
      const texts = nodesIn(this.parse(code).body).flatMap((node) => findTexts(node, areAllShown, areAllShown));
      if (texts.length === 0) return null;
      let changed = code;
      for (const { start, end, key, parts } of texts.toReversed()) {
        left.delete(key);
        const said = [JSON.stringify(key), ...parts.map((part) => code.slice(part.start, part.end))].join(', ');
        changed = `${changed.slice(0, start)}say(${said})${changed.slice(end)}`;
      }
      return { code: `import { say } from ${source};\n${changed}`, map: null };
    },
    buildEnd(error) {
      if (error === undefined && left.size > 0) throw new Error(`Perses no longer says: ${[...left].join('; ')}`);
    },
  };
}
