import { contains, overlap, parseCell, parseRange, type Range } from './references.ts';
import { checkAttributes, checkCount, checkPosition, checkTree, isTrue, mainNamespace, wholeNumber } from './schema.ts';
import { type Row, SheetData } from './sheet-data.ts';
import type { Styles } from './styles.ts';
import { childOf, childrenOf, readXml, TreeBuilder, type XmlNode } from './xml.ts';

/** The content of the part of a worksheet. */
export interface SheetContent {
  /** Characters of each column up to the widest row, null if none is set. */
  columnWidths: readonly (number | null)[];
  /** Rows above the frozen line, 0 when there is none. */
  frozenRows: number;
  frozenColumns: number;
  /** The range, header included, or null. */
  autoFilter: string | null;
  /** The range of its cells as the file says it, or null. */
  dimension: string | null;
  /** Whether it is printed landscape, and whether one page wide and as high as it takes. */
  isLandscape: boolean;
  isOnePageWide: boolean;
  /** By row and column from 0; null if the file has no cell. */
  rows: readonly Row[];
  /** Of the tabs that are chosen at once. */
  isSelected: boolean;
}

interface Context {
  styles: Styles;
  texts: readonly string[];
  /** How many windows the workbook has. */
  viewCount: number;
}

interface Reading {
  content: SheetContent;
  relationships: Set<string>;
  sharedReferences: number;
}

/** Reads a worksheet in one pass. Throws when it is not as the schema and Excel want it. */
export function readWorksheet(part: string, bytes: Buffer, { styles, texts, viewCount }: Context): Reading {
  const data = new SheetData(part, styles.cells, texts);
  const sections: XmlNode[] = [];
  const builder = new TreeBuilder();
  let depth = 0;
  let position = -1;
  let inData = false;
  const relationships = readXml(
    { name: part, bytes, root: { namespace: mainNamespace, name: 'worksheet' } },
    {
      open: (element) => {
        depth += 1;
        if (inData) return data.open(element);
        if (depth === 1) return checkAttributes(part, element);
        if (depth === 2) {
          position = checkPosition(part, 'worksheet', position, element.name);
          inData = element.name === 'sheetData';
        }
        builder.open(element);
      },
      text: (text) => {
        if (inData) data.text(text);
        else if (depth > 1) builder.text(text);
        else if (text.trim() !== '') throw new Error(`${part} has text outside of its elements.`);
      },
      close: () => {
        if (inData && depth > 2) data.close();
        else {
          inData = false;
          const section = builder.close();
          if (section !== undefined) sections.push(section);
        }
        depth -= 1;
      },
    },
  );
  for (const section of sections) checkTree(part, section);
  const named = (name: string) => sections.find((section) => section.name === name);
  if (named('sheetData') === undefined) throw new Error(`${part} has no sheetData.`);
  const used = { top: 1, left: 1, bottom: Math.max(data.rows.length, 1), right: Math.max(data.columnCount, 1) };
  checkRanges(part, sections, used);
  checkConditions(part, sections, styles.differentialCount);
  checkMargins(part, named('pageMargins'));
  const views = childrenOf(named('sheetViews'), 'sheetView');
  for (const view of views) checkView(part, view, viewCount);
  const pane = childOf(views[0], 'pane');
  const setup = named('pageSetup');
  const fitting = childOf(named('sheetPr'), 'pageSetUpPr');
  const content = {
    columnWidths: readWidths(part, named('cols'), styles.cells.length, data.columnCount),
    frozenRows: pane === undefined ? 0 : (wholeNumber(part, pane, 'ySplit') ?? 0),
    frozenColumns: pane === undefined ? 0 : (wholeNumber(part, pane, 'xSplit') ?? 0),
    autoFilter: named('autoFilter')?.attributes.get('ref') ?? null,
    dimension: named('dimension')?.attributes.get('ref') ?? null,
    isLandscape: setup?.attributes.get('orientation') === 'landscape',
    isOnePageWide:
      fitting !== undefined &&
      isTrue(part, fitting, 'fitToPage') &&
      setup?.attributes.get('fitToWidth') === '1' &&
      setup.attributes.get('fitToHeight') === '0',
    rows: data.rows,
    isSelected: views[0] !== undefined && isTrue(part, views[0], 'tabSelected'),
  };
  return { content, relationships, sharedReferences: data.sharedReferences };
}

function checkRanges(part: string, sections: readonly XmlNode[], used: Range): void {
  const rangeOf = (node: XmlNode | undefined) =>
    node === undefined ? undefined : parseRange(node.attributes.get('ref') ?? '');
  const named = (name: string) => sections.find((section) => section.name === name);
  const dimension = rangeOf(named('dimension'));
  if (dimension !== undefined && (dimension.bottom < used.bottom || dimension.right < used.right))
    throw new Error(`${part} has the dimension ${named('dimension')?.attributes.get('ref')}, and cells beyond it.`);
  const filter = rangeOf(named('autoFilter'));
  if (filter !== undefined && !contains(used, filter))
    throw new Error(`${part} has an autofilter on ${named('autoFilter')?.attributes.get('ref')}, beyond its data.`);
  const merged = childrenOf(named('mergeCells'), 'mergeCell').map((node) =>
    parseRange(node.attributes.get('ref') ?? ''),
  );
  checkCount(part, named('mergeCells'));
  if (merged.some((range, index) => merged.slice(index + 1).some((other) => overlap(range, other))))
    throw new Error(`${part} has merged cells that overlap.`);
  for (const link of childrenOf(named('hyperlinks'), 'hyperlink')) rangeOf(link);
  for (const name of ['conditionalFormatting', 'ignoredErrors']) {
    const holders = sections.filter((section) => section.name === name);
    for (const node of holders.flatMap((holder) => [holder, ...childrenOf(holder, 'ignoredError')]))
      for (const range of node.attributes.get('sqref')?.split(' ') ?? []) parseRange(range);
  }
}

function checkConditions(part: string, sections: readonly XmlNode[], formats: number): void {
  for (const section of sections)
    for (const rule of childrenOf(section, 'cfRule')) {
      const format = wholeNumber(part, rule, 'dxfId');
      if (format !== null && format >= formats)
        throw new Error(`${part} has a condition with the format ${format}, there are ${formats}.`);
    }
}

function checkMargins(part: string, margins: XmlNode | undefined): void {
  for (const side of margins === undefined ? [] : ['left', 'right', 'top', 'bottom', 'header', 'footer']) {
    const text = margins?.attributes.get(side) ?? '';
    if (!/^\d+(\.\d+)?$/u.test(text)) throw new Error(`${part} has a margin ${side} of ${JSON.stringify(text)}.`);
  }
}

function checkView(part: string, view: XmlNode, viewCount: number): void {
  const window = wholeNumber(part, view, 'workbookViewId');
  if (window === null || window >= viewCount)
    throw new Error(`${part} has a view of the window ${window}, the workbook has ${viewCount}.`);
  const pane = childOf(view, 'pane');
  const panes = pane === undefined ? ['topLeft'] : checkPane(part, pane);
  const selections = childrenOf(view, 'selection');
  for (const selection of selections) {
    const { attributes } = selection;
    const name = attributes.get('pane') ?? 'topLeft';
    if (!panes.includes(name)) throw new Error(`${part} has a selection in the pane ${name}, which it does not have.`);
    parseCell(attributes.get('activeCell') ?? 'A1');
    for (const range of attributes.get('sqref')?.split(' ') ?? []) parseRange(range);
  }
}

/** The names of the panes. Throws unless the pane is frozen at its first cell that scrolls, and that one is active. */
function checkPane(part: string, pane: XmlNode): string[] {
  const rows = wholeNumber(part, pane, 'ySplit') ?? 0;
  const columns = wholeNumber(part, pane, 'xSplit') ?? 0;
  const state = pane.attributes.get('state') ?? 'split';
  if (state !== 'frozen' || rows + columns === 0)
    throw new Error(`${part} has a pane that is ${state} at row ${rows} and column ${columns}; it is to be frozen.`);
  const corner = parseCell(pane.attributes.get('topLeftCell') ?? '');
  if (corner.row <= rows || corner.column <= columns)
    throw new Error(`${part} scrolls from ${pane.attributes.get('topLeftCell')}, which is in the frozen part.`);
  const active = rows === 0 ? 'topRight' : columns === 0 ? 'bottomLeft' : 'bottomRight';
  if (pane.attributes.get('activePane') !== active)
    throw new Error(`${part} has the active pane ${pane.attributes.get('activePane')}, not ${active}.`);
  return rows > 0 && columns > 0 ? ['topLeft', 'topRight', 'bottomLeft', active] : ['topLeft', active];
}

function readWidths(
  part: string,
  cols: XmlNode | undefined,
  styleCount: number,
  columnCount: number,
): (number | null)[] {
  const widths = Array.from<number | null>({ length: columnCount }).fill(null);
  let last = 0;
  if (cols?.children.length === 0) throw new Error(`${part} has cols without a col.`);
  for (const col of cols?.children ?? []) {
    const [min, max] = [wholeNumber(part, col, 'min') ?? 0, wholeNumber(part, col, 'max') ?? 0];
    if (min <= last || max < min || max > 16_384)
      throw new Error(`${part} has columns ${min} to ${max} after column ${last}.`);
    last = max;
    if ((wholeNumber(part, col, 'style') ?? 0) >= styleCount)
      throw new Error(`${part} has columns ${min} to ${max} of a style that is not there.`);
    const text = col.attributes.get('width');
    if (text === undefined) continue;
    const width = Number(text);
    if (!/^\d+(\.\d+)?$/u.test(text) || width > 255) throw new Error(`${part} has a width ${text}; 255 is the most.`);
    widths.fill(width, min - 1, max);
  }
  return widths;
}
