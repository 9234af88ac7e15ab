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
  if (node.type === 'Property') {
    const isShownThere = areAllShown || shown.has(nameOfKey(node['key']));
    return nodesIn(node['value']).flatMap((value) => findTexts(value, isShownThere, areAllShown));
  }
  const text = isShown ? textOf(node) : null;
  if (text !== null && Object.hasOwn(de.perses, text.key)) return [text];
  return Object.values(node).flatMap((value) => nodesIn(value).flatMap((one) => findTexts(one, isShown, areAllShown)));
}

/** What a button with nothing but this icon does. */
const icons: Readonly<Record<string, keyof typeof de.perses>> = {
  ArrowUp: 'Move Up',
  ArrowDown: 'Move Down',
  PencilIcon: 'Edit',
  TrashIcon: 'Delete',
  DeleteIcon: 'Delete',
  MinusIcon: 'Delete',
  PlusIcon: 'Add',
  ChevronRight: 'Show',
  ChevronDown: 'Show',
  ContentDuplicate: 'Override',
  InformationOutlineIcon: 'Description',
};

/** Buttons that show an icon and have no name: where their properties begin, and the name. */
function findNameless(node: Node): { at: number; name: string }[] {
  const nested = Object.values(node).flatMap((value) => nodesIn(value).flatMap(findNameless));
  const [component, props] = nodesIn(node['arguments']);
  if (node.type !== 'CallExpression' || component?.['name'] !== 'IconButton' || props === undefined) return nested;
  const given = new Map(nodesIn(props['properties']).map(({ key, value }) => [nameOfKey(key), nodesIn(value)[0]]));
  const children = given.get('children');
  const [icon] = nodesIn((nodesIn(children?.['consequent'])[0] ?? children)?.['arguments']);
  const name = icons[String(icon?.['name'])];
  return given.has('aria-label') || name === undefined ? nested : [{ at: props.start + 1, name }, ...nested];
}

const nameOfKey = (key: unknown): string =>
  nodesIn(key)
    .map((one) => String(one['name'] ?? one['value']))
    .join('');

/**
 * Puts the texts that Perses has in its code through the page's dictionary, and fails where Perses no longer says one; gives its
 * buttons of nothing but an icon a name.
 */
export function translatePerses(): Plugin {
  const left = new Set(Object.keys(de.perses));
  return {
    name: 'translate-perses',
    transform(code, id) {
      if (!id.startsWith(perses) || !id.endsWith('.js')) return null;
      const areAllShown = ofTexts.test(id);
      const body = nodesIn(this.parse(code).body);
      const texts = body.flatMap((node) => findTexts(node, areAllShown, areAllShown));
      for (const { key } of texts) left.delete(key);
      const calls = [
        ...texts.map(({ start, end, key, parts }) => {
          const said = [JSON.stringify(key), ...parts.map((part) => code.slice(part.start, part.end))].join(', ');
          return { start, end, text: `say(${said})` };
        }),
        ...body.flatMap(findNameless).map(({ at, name }) => {
          return { start: at, end: at, text: `"aria-label": say(${JSON.stringify(name)}), ` };
        }),
      ];
      if (calls.length === 0) return null;
      let changed = code;
      for (const { start, end, text } of calls.toSorted((a, b) => b.start - a.start)) {
        changed = changed.slice(0, start) + text + changed.slice(end);
      }
      return { code: `import { say } from ${source};\n${changed}`, map: null };
    },
    buildEnd(error) {
      if (error === undefined && left.size > 0) throw new Error(`Perses no longer says: ${[...left].join('; ')}`);
    },
  };
}
