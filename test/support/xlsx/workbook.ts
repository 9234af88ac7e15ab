import { readProperties } from './core-properties.ts';
import { type Chart, readCharts } from './charts.ts';
import { checkRelationshipUse, openPackage, type OpcPackage } from './opc.ts';
import { parseSheetRange } from './references.ts';
import { checkTree, isTrue, mainNamespace, wholeNumber } from './schema.ts';
import { readSharedStrings } from './strings.ts';
import { readStyles } from './styles.ts';
import { readWorksheet, type SheetContent } from './worksheet.ts';
import { childOf, childrenOf, readTree, relationshipOf, type XmlNode } from './xml.ts';
import { checkZip } from './zip.ts';

export interface Sheet extends SheetContent {
  name: string;
  isHidden: boolean;
  charts: readonly Chart[];
}

export interface DefinedName {
  name: string;
  /** The sheet that it belongs to, null when it is of the whole workbook. */
  sheet: string | null;
  refersTo: string;
}

export interface Workbook {
  sheets: readonly Sheet[];
  definedNames: readonly DefinedName[];
  /** `title`, `creator`, `created` … of the core properties. */
  properties: ReadonlyMap<string, string>;
}

interface SheetEntry {
  name: string;
  isHidden: boolean;
  part: string;
}

const longestSheetName = 31;
const filterName = '_xlnm._FilterDatabase';
const noContent: SheetContent = {
  columnWidths: [],
  frozenRows: 0,
  frozenColumns: 0,
  autoFilter: null,
  dimension: null,
  isLandscape: false,
  isOnePageWide: false,
  rows: [],
  isSelected: false,
};

/**
 * Opens an .xlsx file and reads it, stricter than Excel, LibreOffice and the schema are each by themselves: the archive, the
 * package, every reference between parts, styles, texts and cells. Throws with the first thing that is wrong and where.
 */
export function openWorkbook(bytes: Uint8Array): Workbook {
  const opened = openPackage(checkZip(bytes));
  const bookPart = only(opened, '', 'officeDocument');
  const { root, used } = readTree({
    name: bookPart,
    bytes: contentOf(opened, bookPart),
    root: { namespace: mainNamespace, name: 'workbook' },
  });
  checkTree(bookPart, root);
  checkRelationshipUse(opened, bookPart, used);
  const settings = childOf(root, 'workbookPr');
  if (settings !== undefined && isTrue(bookPart, settings, 'date1904'))
    throw new Error(`${bookPart} counts days since 1904, not since 1900.`);

  const entries = readSheetEntries(opened, bookPart, root);
  const stylesPart = only(opened, bookPart, 'styles');
  const styles = readStyles(stylesPart, contentOf(opened, stylesPart));
  const stringsPart = find(opened, bookPart, 'sharedStrings');
  const strings =
    stringsPart === undefined
      ? { texts: [], announcedReferences: null }
      : readSharedStrings(stringsPart, contentOf(opened, stringsPart));
  const views = childrenOf(childOf(root, 'bookViews'), 'workbookView');
  const context = { styles, texts: strings.texts, viewCount: views.length };

  let sharedReferences = 0;
  const sheets = entries.map(({ name, isHidden, part }): Sheet => {
    const charts = readCharts(opened, part);
    if (find(opened, bookPart, 'chartsheet', part) !== undefined) {
      readChartSheet(opened, part);
      return { ...noContent, name, isHidden, charts };
    }
    const reading = readWorksheet(part, contentOf(opened, part), context);
    checkRelationshipUse(opened, part, reading.relationships);
    sharedReferences += reading.sharedReferences;
    return { ...reading.content, name, isHidden, charts };
  });
  if (strings.announcedReferences !== null && strings.announcedReferences !== sharedReferences)
    throw new Error(
      `${stringsPart} announces ${strings.announcedReferences} references, cells have ${sharedReferences}.`,
    );
  const names = readNames(bookPart, root, sheets);
  checkFilters(bookPart, sheets, names);
  checkViews(bookPart, views, sheets);
  checkChartRanges(sheets);
  const read = new Set([bookPart, stylesPart, stringsPart, ...entries.map(({ part }) => part)]);
  checkOthers(opened, read);
  return { sheets, definedNames: names, properties: readProperties(opened) };
}

const contentOf = ({ parts }: OpcPackage, part: string): Buffer => parts.get(part) ?? Buffer.alloc(0);

function find({ relationshipsOf }: OpcPackage, source: string, kind: string, target?: string): string | undefined {
  const found = relationshipsOf(source).filter(
    (relationship) => relationship.kind === kind && (target === undefined || relationship.target === target),
  );
  if (found.length > 1) throw new Error(`${source || 'The package'} has ${found.length} relationships to ${kind}.`);
  return found[0]?.target;
}

function only(opened: OpcPackage, source: string, kind: string): string {
  const part = find(opened, source, kind);
  if (part === undefined) throw new Error(`${source || 'The package'} has no relationship to ${kind}.`);
  return part;
}

function readSheetEntries({ relationshipsOf }: OpcPackage, part: string, root: XmlNode): SheetEntry[] {
  const relationships = relationshipsOf(part).filter(({ kind }) => kind === 'worksheet' || kind === 'chartsheet');
  const seen = { names: new Set<string>(), numbers: new Set<number>(), parts: new Set<string>() };
  const entries = childrenOf(childOf(root, 'sheets'), 'sheet').map((node) => {
    const name = node.attributes.get('name') ?? '';
    const number = wholeNumber(part, node, 'sheetId') ?? 0;
    const target = relationships.find(({ id }) => id === relationshipOf(node))?.target;
    const state = node.attributes.get('state') ?? 'visible';
    checkSheetName(name);
    if (target === undefined || seen.parts.has(target))
      throw new Error(`${part}: the sheet ${name} has no part, or that of another sheet.`);
    if (seen.names.has(name.toLowerCase())) throw new Error(`${part}: two sheets are called ${name}.`);
    if (number < 1 || number > 65_534 || seen.numbers.has(number))
      throw new Error(`${part}: the sheet ${name} has the sheetId ${number}, which is no number or taken.`);
    if (!['visible', 'hidden', 'veryHidden'].includes(state))
      throw new Error(`${part}: the sheet ${name} is ${state}.`);
    seen.names.add(name.toLowerCase());
    seen.numbers.add(number);
    seen.parts.add(target);
    return { name, isHidden: state !== 'visible', part: target };
  });
  if (entries.every(({ isHidden }) => isHidden)) throw new Error(`${part} has no sheet that can be seen.`);
  return entries;
}

/** The rules that Excel has for names. */
function checkSheetName(name: string): void {
  if (name.length < 1 || name.length > longestSheetName)
    throw new Error(
      `The sheet name ${JSON.stringify(name)} has ${name.length} UTF-16 units, not 1 to ${longestSheetName}.`,
    );
  if (/[[\]:*?/\\\p{Cc}]/u.test(name) || name.startsWith("'") || name.endsWith("'") || !name.isWellFormed())
    throw new Error(`The sheet name ${JSON.stringify(name)} has a character that Excel does not take there.`);
  if (name.toLowerCase() === 'history') throw new Error('A sheet is called History, which Excel keeps for itself.');
}

function readNames(part: string, root: XmlNode, sheets: readonly Sheet[]): DefinedName[] {
  const seen = new Set<string>();
  return childrenOf(childOf(root, 'definedNames'), 'definedName').map((node) => {
    const name = node.attributes.get('name') ?? '';
    const index = wholeNumber(part, node, 'localSheetId');
    const sheet = index === null ? null : sheets[index];
    if (sheet === undefined)
      throw new Error(`${part}: the name ${name} is of sheet ${index}, there are ${sheets.length}.`);
    if (!/^[\p{L}_\\][\p{L}\p{N}_.\\?]*$/u.test(name)) throw new Error(`${part}: ${JSON.stringify(name)} is no name.`);
    const key = `${index} ${name.toLowerCase()}`;
    if (seen.has(key)) throw new Error(`${part} has the name ${name} twice.`);
    seen.add(key);
    return { name, sheet: sheet?.name ?? null, refersTo: node.text };
  });
}

/** A filter and the hidden name that Excel keeps beside it say the same. */
function checkFilters(part: string, sheets: readonly Sheet[], names: readonly DefinedName[]): void {
  for (const { name, autoFilter } of sheets) {
    const refersTo = names.find((defined) => defined.name === filterName && defined.sheet === name)?.refersTo;
    const found = refersTo === undefined ? undefined : parseSheetRange(refersTo);
    const isSame =
      found === undefined
        ? autoFilter === null
        : autoFilter !== null &&
          found.sheet === name &&
          refersTo?.split('!').at(-1)?.replaceAll('$', '') === autoFilter;
    if (!isSame) throw new Error(`${part} has ${filterName} = ${refersTo}, the sheet ${name} filters ${autoFilter}.`);
  }
}

/** At most one tab is chosen, the one that the window opens with: two would be edited at once. */
function checkViews(part: string, views: readonly XmlNode[], sheets: readonly Sheet[]): void {
  const [view] = views;
  const active = view === undefined ? 0 : (wholeNumber(part, view, 'activeTab') ?? 0);
  const first = view === undefined ? 0 : (wholeNumber(part, view, 'firstSheet') ?? 0);
  if (sheets[active] === undefined || sheets[active].isHidden || sheets[first] === undefined)
    throw new Error(`${part} opens with the tab ${active} beside ${first}, there are ${sheets.length}.`);
  for (const [index, { name, isSelected }] of sheets.entries())
    if (isSelected && index !== active) throw new Error(`${part} opens with tab ${active}, but ${name} is selected.`);
}

function checkChartRanges(sheets: readonly Sheet[]): void {
  for (const { part, ranges } of sheets.flatMap(({ charts }) => charts))
    for (const formula of ranges) {
      const { sheet, range } = parseSheetRange(formula);
      const rows = sheets.find(({ name }) => name === sheet)?.rows ?? [];
      const width = Math.max(...rows.slice(range.top - 1, range.bottom).map((row) => row.length), 0);
      if (range.bottom > rows.length || range.right > width)
        throw new Error(`${part} draws ${formula}, beyond the data.`);
    }
}

function readChartSheet(opened: OpcPackage, part: string): void {
  const name = { namespace: mainNamespace, name: 'chartsheet' };
  const { root, used } = readTree({ name: part, bytes: contentOf(opened, part), root: name });
  checkTree(part, root);
  checkRelationshipUse(opened, part, used);
}

/** Those parts that nobody has read yet are well-formed too, and name their relationships. */
function checkOthers(opened: OpcPackage, read: ReadonlySet<string | undefined>): void {
  for (const [part, bytes] of opened.parts) {
    if (read.has(part) || !(part.endsWith('.xml') || part.endsWith('.vml'))) continue;
    const { used } = readTree({ name: part, bytes });
    checkRelationshipUse(opened, part, used);
  }
}
