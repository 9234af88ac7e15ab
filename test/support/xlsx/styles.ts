import { checkCount, checkTree, isTrue, mainNamespace, wholeNumber } from './schema.ts';
import { childOf, childrenOf, readTree, type XmlNode } from './xml.ts';

/** How a cell is shown, as far as the tests look at it. */
export interface CellStyle {
  /** The format code, `General` included. */
  numberFormat: string;
  isBold: boolean;
}

export interface Styles {
  /** By the index that cells have in `s`. */
  cells: readonly CellStyle[];
  /** How many formats there are for conditions. */
  differentialCount: number;
}

/** Formats that have a number and no code in the file (ECMA-376 part 1, 18.8.30). */
const builtinFormats: ReadonlyMap<number, string> = new Map([
  [0, 'General'],
  [1, '0'],
  [2, '0.00'],
  [3, '#,##0'],
  [4, '#,##0.00'],
  [9, '0%'],
  [10, '0.00%'],
  [11, '0.00E+00'],
  [12, '# ?/?'],
  [13, '# ??/??'],
  [14, 'mm-dd-yy'],
  [15, 'd-mmm-yy'],
  [16, 'd-mmm'],
  [17, 'mmm-yy'],
  [18, 'h:mm AM/PM'],
  [19, 'h:mm:ss AM/PM'],
  [20, 'h:mm'],
  [21, 'h:mm:ss'],
  [22, 'm/d/yy h:mm'],
  [37, '#,##0 ;(#,##0)'],
  [38, '#,##0 ;[Red](#,##0)'],
  [39, '#,##0.00;(#,##0.00)'],
  [40, '#,##0.00;[Red](#,##0.00)'],
  [45, 'mm:ss'],
  [46, '[h]:mm:ss'],
  [47, 'mmss.0'],
  [48, '##0.0E+0'],
  [49, '@'],
]);
const firstOwnFormat = 164;
const longestFormat = 255;

/** Throws unless every format, font, fill and border that a cell style names is there. */
export function readStyles(part: string, bytes: Buffer): Styles {
  const { root } = readTree({ name: part, bytes, root: { namespace: mainNamespace, name: 'styleSheet' } });
  checkTree(part, root);
  for (const child of root.children) if (child.name !== 'extLst' && child.name !== 'colors') checkCount(part, child);
  const formats = readFormats(part, childrenOf(childOf(root, 'numFmts'), 'numFmt'));
  const fonts = atLeast(part, root, 'fonts', 1);
  const lists: readonly (readonly [string, readonly XmlNode[]])[] = [
    ['fontId', fonts],
    // Excel takes the first two for itself, whatever they say: none, and gray.
    ['fillId', atLeast(part, root, 'fills', 2)],
    ['borderId', atLeast(part, root, 'borders', 1)],
    ['xfId', atLeast(part, root, 'cellStyleXfs', 1)],
  ];
  const cells = atLeast(part, root, 'cellXfs', 1).map((xf, index) => {
    for (const [key, list] of lists) {
      const id = wholeNumber(part, xf, key) ?? 0;
      if (list[id] === undefined) throw new Error(`${part}: cell style ${index} has ${key} ${id}, which is not there.`);
    }
    const formatId = wholeNumber(part, xf, 'numFmtId') ?? 0;
    const numberFormat = formats.get(formatId) ?? builtinFormats.get(formatId);
    if (numberFormat === undefined)
      throw new Error(`${part}: cell style ${index} has numFmtId ${formatId}, which is neither defined nor built in.`);
    const bold = childOf(fonts[wholeNumber(part, xf, 'fontId') ?? 0], 'b');
    return { numberFormat, isBold: bold !== undefined && isTrue(part, bold, 'val', true) };
  });
  return { cells, differentialCount: childOf(root, 'dxfs')?.children.length ?? 0 };
}

function atLeast(part: string, root: XmlNode, name: string, least: number): readonly XmlNode[] {
  const children = childOf(root, name)?.children ?? [];
  if (children.length < least) throw new Error(`${part} has ${children.length} in ${name}, and needs ${least}.`);
  return children;
}

function readFormats(part: string, nodes: readonly XmlNode[]): Map<number, string> {
  const formats = new Map<number, string>();
  for (const node of nodes) {
    const id = wholeNumber(part, node, 'numFmtId');
    const code = node.attributes.get('formatCode') ?? '';
    if (id === null || id < firstOwnFormat || formats.has(id))
      throw new Error(`${part} has a number format ${id} that is below ${firstOwnFormat}, or is there twice.`);
    checkFormat(part, code);
    formats.set(id, code);
  }
  return formats;
}

/** A code is at most four sections, with its quotes and brackets closed. */
function checkFormat(part: string, code: string): void {
  const bare = code.replaceAll(/\\.|_.|\*./gu, '').replaceAll(/"[^"]*"/gu, '');
  const plain = bare.replaceAll(/\[[^[\]]+\]/gu, '');
  if (code === '' || code.length > longestFormat || /["[\]]/u.test(plain) || plain.split(';').length > 4)
    throw new Error(`${part} has a number format ${JSON.stringify(code)} that is no format.`);
}
