import type { XmlElement, XmlNode } from './xml.ts';

export const mainNamespace = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';

const words = (text: string) => text.trim().split(/\s+/u);

/**
 * Elements whose children have an order that spreadsheet programs insist on: the sequences of the schema of ECMA-376 part 1
 * (transitional). An element that is not here may have its children in any order.
 */
const sequences: ReadonlyMap<string, readonly string[]> = new Map([
  [
    'workbook',
    words(`fileVersion fileSharing workbookPr workbookProtection bookViews sheets functionGroups externalReferences
      definedNames calcPr oleSize customWorkbookViews pivotCaches smartTagPr smartTagTypes webPublishing fileRecoveryPr
      webPublishObjects extLst`),
  ],
  [
    'worksheet',
    words(`sheetPr dimension sheetViews sheetFormatPr cols sheetData sheetCalcPr sheetProtection protectedRanges scenarios
      autoFilter sortState dataConsolidate customSheetViews mergeCells phoneticPr conditionalFormatting dataValidations
      hyperlinks printOptions pageMargins pageSetup headerFooter rowBreaks colBreaks customProperties cellWatches
      ignoredErrors smartTags drawing legacyDrawing legacyDrawingHF drawingHF picture oleObjects controls webPublishItems
      tableParts extLst`),
  ],
  [
    'chartsheet',
    words(`sheetPr sheetViews sheetProtection customSheetViews pageMargins pageSetup headerFooter drawing legacyDrawing
      legacyDrawingHF drawingHF picture webPublishItems extLst`),
  ],
  ['sheetView', words('pane selection pivotSelection extLst')],
  ['styleSheet', words('numFmts fonts fills borders cellStyleXfs cellXfs cellStyles dxfs tableStyles colors extLst')],
  ['border', words('start end left right top bottom diagonal vertical horizontal')],
  ['xf', words('alignment protection extLst')],
  ['dxf', words('font numFmt fill alignment border protection extLst')],
  ['c', words('f v is extLst')],
]);
/** Children that may be there more than once. */
const repeated = new Set(['conditionalFormatting', 'selection', 'pivotSelection', 'fileRecoveryPr']);

/** Attributes of the elements that an export writes most. Spreadsheet programs call a file damaged that has others. */
const attributes: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    sheet: 'name sheetId state',
    workbookView: `visibility minimized showHorizontalScroll showVerticalScroll showSheetTabs xWindow yWindow windowWidth
      windowHeight tabRatio firstSheet activeTab autoFilterDateGrouping`,
    definedName: `name comment customMenu description help statusBar localSheetId hidden function vbProcedure xlm
      functionGroupId shortcutKey publishToServer workbookParameter`,
    worksheet: '',
    dimension: 'ref',
    sheetView: `windowProtection showFormulas showGridLines showRowColHeaders showZeros rightToLeft tabSelected showRuler
      showOutlineSymbols defaultGridColor showWhiteSpace view topLeftCell colorId zoomScale zoomScaleNormal
      zoomScaleSheetLayoutView zoomScalePageLayoutView workbookViewId zoomToFit`,
    pane: 'xSplit ySplit topLeftCell activePane state',
    selection: 'pane activeCell activeCellId sqref',
    sheetFormatPr: `baseColWidth defaultColWidth defaultRowHeight customHeight zeroHeight thickTop thickBottom
      outlineLevelRow outlineLevelCol`,
    col: 'min max width style hidden bestFit customWidth phonetic outlineLevel collapsed',
    sheetData: '',
    row: `r spans s customFormat ht hidden customHeight outlineLevel collapsed thickTop thickBot ph`,
    c: 'r s t cm vm ph',
    f: 't aca ref dt2D dtr del1 del2 r1 r2 ca si bx',
    v: '',
    is: '',
    si: '',
    t: '',
    autoFilter: 'ref',
    mergeCells: 'count',
    mergeCell: 'ref',
    pageMargins: 'left right top bottom header footer',
    pageSetup: `paperSize paperHeight paperWidth scale firstPageNumber fitToWidth fitToHeight pageOrder orientation
      usePrinterDefaults blackAndWhite draft cellComments useFirstPageNumber errors horizontalDpi verticalDpi copies`,
    hyperlink: 'ref location tooltip display',
    drawing: '',
    sst: 'count uniqueCount',
    numFmt: 'numFmtId formatCode',
    xf: `numFmtId fontId fillId borderId xfId quotePrefix pivotButton applyNumberFormat applyFont applyFill applyBorder
      applyAlignment applyProtection`,
    alignment: `horizontal vertical textRotation wrapText indent relativeIndent justifyLastLine shrinkToFit readingOrder
      mergeCell`,
  }).map(([element, names]) => [element, new Set(words(names))]),
);

/** Throws when an element has an attribute that the schema does not know; those of another namespace may be there. */
export function checkAttributes(part: string, element: XmlElement): void {
  const known = attributes.get(element.name);
  if (known === undefined) return;
  for (const name of element.attributes.keys())
    if (!known.has(name) && !name.startsWith('{')) throw new Error(`${part} has a ${element.name} with ${name}.`);
}

/**
 * The position of a child in the sequence of its parent, given that of the previous child. Throws if the order is
 * invalid.
 */
export function checkPosition(part: string, parent: string, before: number, child: string): number {
  const sequence = sequences.get(parent);
  if (sequence === undefined) return before;
  const position = sequence.indexOf(child);
  if (position < 0) throw new Error(`${part} has a ${child} in its ${parent}, which may not have one.`);
  if (position === before && !repeated.has(child)) throw new Error(`${part} has two ${child} in its ${parent}.`);
  if (position < before)
    throw new Error(`${part} has ${child} after ${sequence[before]} in its ${parent}; the schema wants it before.`);
  return position;
}

/** Throws unless a tree keeps to order and attributes; text between elements is only for those that may have it. */
export function checkTree(part: string, node: XmlNode): void {
  // An extension is of another vocabulary, under rules of its own.
  if (node.name === 'extLst') return;
  checkAttributes(part, node);
  let position = -1;
  for (const child of node.children) {
    position = checkPosition(part, node.name, position, child.name);
    checkTree(part, child);
  }
  if (node.children.length > 0 && node.text.trim() !== '')
    throw new Error(`${part} has the text ${JSON.stringify(node.text.trim())} between the elements of a ${node.name}.`);
}

/** A boolean as the schema writes it. Throws at anything else. */
export function isTrue(part: string, { name, attributes: has }: XmlElement, key: string, otherwise = false): boolean {
  const text = has.get(key);
  if (text === undefined) return otherwise;
  if (!['0', '1', 'false', 'true'].includes(text)) throw new Error(`${part} has a ${name} with ${key}="${text}".`);
  return text === '1' || text === 'true';
}

/** A whole number that is 0 or more, null when the attribute is not there. Throws at anything else. */
export function wholeNumber(part: string, { name, attributes: has }: XmlElement, key: string): number | null {
  const text = has.get(key);
  if (text === undefined) return null;
  if (!/^\d{1,10}$/u.test(text)) throw new Error(`${part} has a ${name} with ${key}="${text}", no whole number.`);
  return Number(text);
}

/** Throws unless the number that `count` announces, if it does, is the number of children. */
export function checkCount(part: string, node: XmlNode | undefined): void {
  if (node === undefined) return;
  const count = wholeNumber(part, node, 'count');
  if (count !== null && count !== node.children.length)
    throw new Error(`${part} has ${node.children.length} in ${node.name}, which announces ${count}.`);
}
