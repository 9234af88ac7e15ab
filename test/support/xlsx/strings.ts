import { checkAttributes, mainNamespace, wholeNumber } from './schema.ts';
import { childrenOf, readXml, TreeBuilder, type XmlNode, xmlSpace } from './xml.ts';

/** UTF-16 units of a text in a cell that Excel can have. */
const longestText = 32_767;

/**
 * The text of an `si` or `is`, plain or in runs, with `_xHHHH_` resolved. Throws when it is longer than a cell may hold, has
 * half a character, or spaces at an end that readers would drop.
 */
export function textOf(where: string, node: XmlNode): string {
  const runs = childrenOf(node, 'r');
  if (runs.length > 0 && childrenOf(node, 't').length > 0) throw new Error(`${where} has both a text and runs.`);
  const texts = (runs.length === 0 ? [node] : runs).map((holder) => childrenOf(holder, 't'));
  if (texts.some((list) => list.length !== 1)) throw new Error(`${where} has no text, or two of them.`);
  const text = texts.flat().map(({ text: written, attributes }) => {
    if (/^[ \t\r\n]|[ \t\r\n]$/u.test(written) && attributes.get(xmlSpace) !== 'preserve')
      throw new Error(`${where} has white space at an end of ${JSON.stringify(written)} and no xml:space="preserve".`);
    return written;
  });
  return checkText(where, text.join(''));
}

/** The decoded text. Throws as textOf does. */
export function checkText(where: string, written: string): string {
  const text = written.replaceAll(/_x([0-9A-Fa-f]{4})_/gu, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
  if (text.length > longestText)
    throw new Error(`${where} has ${text.length} UTF-16 units, Excel holds ${longestText}.`);
  if (!text.isWellFormed()) throw new Error(`${where} has half of a surrogate pair.`);
  return text;
}

export interface SharedStrings {
  texts: readonly string[];
  /** What the part says of the cells that refer to it. */
  announcedReferences: number | null;
}

/** The shared strings of cells. Throws unless it has as many as it declares. */
export function readSharedStrings(part: string, bytes: Buffer): SharedStrings {
  const texts: string[] = [];
  const builder = new TreeBuilder();
  let counts: { count: number | null; uniqueCount: number | null } | undefined;
  readXml(
    { name: part, bytes, root: { namespace: mainNamespace, name: 'sst' } },
    {
      open: (element) => {
        checkAttributes(part, element);
        if (counts !== undefined) return builder.open(element);
        counts = {
          count: wholeNumber(part, element, 'count'),
          uniqueCount: wholeNumber(part, element, 'uniqueCount'),
        };
      },
      text: (text) => builder.text(text),
      close: () => {
        const item = builder.close();
        if (item === undefined || item.name === 'extLst') return;
        if (item.name !== 'si') throw new Error(`${part} has a ${item.name} between its texts.`);
        texts.push(textOf(`${part}, text ${texts.length},`, item));
      },
    },
  );
  const { count = null, uniqueCount = null } = counts ?? {};
  if (uniqueCount !== null && uniqueCount !== texts.length)
    throw new Error(`${part} has ${texts.length} texts and announces ${uniqueCount}.`);
  return { texts, announcedReferences: count };
}
