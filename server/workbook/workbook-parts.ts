import type { Chart, FileProperties, CellFormat } from './sheet.ts';
import { columnName, plainText, quotedSheet, cellText } from './workbook-text.ts';

const schemas = 'http://schemas.openxmlformats.org';
export const spreadsheet = `${schemas}/spreadsheetml/2006/main`;
const relationships = `${schemas}/officeDocument/2006/relationships`;
const packageRelationships = `${schemas}/package/2006/relationships`;
const drawing = `${schemas}/drawingml/2006`;
const contentType = 'application/vnd.openxmlformats-officedocument';
export const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

/** Landscape A4; `fitToHeight` 0 allows any number of pages. */
export const pageSetup = '<pageSetup paperSize="9" fitToWidth="1" fitToHeight="0" orientation="landscape"/>';

/** A finished sheet, as the workbook lists it. */
export interface ListedSheet {
  name: string;
  kind: 'worksheet' | 'chartsheet';
  /** The filtered cells, such as `$A$1:$L$42`. */
  filter?: string;
}

export const packageRelations = relations([
  [`${relationships}/officeDocument`, 'xl/workbook.xml'],
  [`${packageRelationships}/metadata/core-properties`, 'docProps/core.xml'],
  [`${relationships}/extended-properties`, 'docProps/app.xml'],
]);

/** The path of a sheet; sheets are counted from 1. */
export const sheetPath = (kind: ListedSheet['kind'], number: number) => `${kind}s/sheet${number}.xml`;

export function workbookRelations(sheets: readonly ListedSheet[]): string {
  return relations([
    ...sheets.map(({ kind }, at): [string, string] => [`${relationships}/${kind}`, sheetPath(kind, at + 1)]),
    [`${relationships}/styles`, 'styles.xml'],
    [`${relationships}/sharedStrings`, 'sharedStrings.xml'],
  ]);
}

export function workbook(sheets: readonly ListedSheet[]): string {
  const listed = sheets.map(
    ({ name }, at) => `<sheet name="${plainText(name)}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`,
  );
  const filters = sheets.flatMap(({ name, filter }, at) =>
    filter === undefined
      ? []
      : [
          `<definedName name="_xlnm._FilterDatabase" localSheetId="${at}" hidden="1">${plainText(quotedSheet(name))}!${filter}</definedName>`,
          // The header, on each printed page.
          `<definedName name="_xlnm.Print_Titles" localSheetId="${at}">${plainText(quotedSheet(name))}!$1:$1</definedName>`,
        ],
  );
  return [
    declaration,
    `<workbook xmlns="${spreadsheet}" xmlns:r="${relationships}"><bookViews><workbookView activeTab="0"/></bookViews>`,
    `<sheets>${listed.join('')}</sheets>`,
    filters.length === 0 ? '' : `<definedNames>${filters.join('')}</definedNames>`,
    // Programs recompute the formulas on opening.
    '<calcPr fullCalcOnLoad="1"/></workbook>',
  ].join('');
}

export function contentTypes(sheets: readonly ListedSheet[]): string {
  const charts = sheets.filter(({ kind }) => kind === 'chartsheet').length;
  const parts: [string, string][] = [
    ['/xl/workbook.xml', `${contentType}.spreadsheetml.sheet.main+xml`],
    ['/xl/styles.xml', `${contentType}.spreadsheetml.styles+xml`],
    ['/xl/sharedStrings.xml', `${contentType}.spreadsheetml.sharedStrings+xml`],
    ['/docProps/core.xml', 'application/vnd.openxmlformats-package.core-properties+xml'],
    ['/docProps/app.xml', `${contentType}.extended-properties+xml`],
    ...sheets.map(({ kind }, at): [string, string] => [
      `/xl/${sheetPath(kind, at + 1)}`,
      `${contentType}.spreadsheetml.${kind}+xml`,
    ]),
    ...Array.from({ length: charts }, (_, at): [string, string][] => [
      [`/xl/drawings/drawing${at + 1}.xml`, `${contentType}.drawing+xml`],
      [`/xl/charts/chart${at + 1}.xml`, `${contentType}.drawingml.chart+xml`],
    ]).flat(),
  ];
  return [
    declaration,
    `<Types xmlns="${schemas}/package/2006/content-types">`,
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>',
    '<Default Extension="xml" ContentType="application/xml"/>',
    ...parts.map(([name, type]) => `<Override PartName="${name}" ContentType="${type}"/>`),
    '</Types>',
  ].join('');
}

export function coreProperties({ title, creator, madeAtMs }: FileProperties): string {
  const made = `<dcterms:created xsi:type="dcterms:W3CDTF">${new Date(madeAtMs).toISOString()}</dcterms:created>`;
  return [
    declaration,
    `<cp:coreProperties xmlns:cp="${packageRelationships.replace('/relationships', '/metadata/core-properties')}"`,
    ' xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/"',
    ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">',
    `<dc:title>${plainText(title)}</dc:title><dc:creator>${plainText(creator)}</dc:creator>${made}</cp:coreProperties>`,
  ].join('');
}

export const appProperties = `${declaration}<Properties xmlns="${schemas}/officeDocument/2006/extended-properties"><Application>Power monitoring portal</Application></Properties>`;

/** The parts of a chart sheet, by their paths under `xl/`; `number` counts charts from 1. */
export function chartParts(
  chart: Chart,
  columns: readonly string[],
  number: number,
  sheetNumber: number,
): [string, string][] {
  const sheet = sheetPath('chartsheet', sheetNumber);
  return [
    [
      sheet,
      `${declaration}<chartsheet xmlns="${spreadsheet}" xmlns:r="${relationships}"><sheetViews><sheetView workbookViewId="0" zoomToFit="1"/></sheetViews><pageSetup paperSize="9" orientation="landscape"/><drawing r:id="rId1"/></chartsheet>`,
    ],
    [relationsPath(sheet), relations([[`${relationships}/drawing`, `../drawings/drawing${number}.xml`]])],
    [`drawings/drawing${number}.xml`, chartFrame(chart.title)],
    [
      relationsPath(`drawings/drawing${number}.xml`),
      relations([[`${relationships}/chart`, `../charts/chart${number}.xml`]]),
    ],
    [`charts/chart${number}.xml`, columnChart(chart, columns)],
  ];
}

const relationsPath = (path: string) => path.replace(/[^/]+$/, '_rels/$&.rels');

function relations(targets: readonly (readonly [type: string, target: string])[]): string {
  const listed = targets.map(
    ([type, target], at) => `<Relationship Id="rId${at + 1}" Type="${type}" Target="${target}"/>`,
  );
  return `${declaration}<Relationships xmlns="${packageRelationships}">${listed.join('')}</Relationships>`;
}

function chartFrame(title: string): string {
  return [
    declaration,
    `<xdr:wsDr xmlns:xdr="${drawing}/spreadsheetDrawing" xmlns:a="${drawing}/main">`,
    '<xdr:absoluteAnchor><xdr:pos x="0" y="0"/><xdr:ext cx="9300000" cy="6070000"/><xdr:graphicFrame macro="">',
    `<xdr:nvGraphicFramePr><xdr:cNvPr id="2" name="Chart 1" descr="${plainText(title)}"/><xdr:cNvGraphicFramePr/></xdr:nvGraphicFramePr>`,
    '<xdr:xfrm><a:off x="0" y="0"/><a:ext cx="0" cy="0"/></xdr:xfrm>',
    `<a:graphic><a:graphicData uri="${drawing}/chart"><c:chart xmlns:c="${drawing}/chart" xmlns:r="${relationships}" r:id="rId1"/></a:graphicData></a:graphic>`,
    '</xdr:graphicFrame><xdr:clientData/></xdr:absoluteAnchor></xdr:wsDr>',
  ].join('');
}

/** Distinguishable without color too, by their lightness. */
const colors = ['1C7ED6', '94D82D'];
const dateAxis = 1;
const valueAxis = 2;

function columnChart({ title, sheet, rowCount, categories, series }: Chart, columns: readonly string[]): string {
  const cells = (column: number, from: number, to: number) =>
    plainText(`${quotedSheet(sheet)}!$${columnName(column)}$${from}:$${columnName(column)}$${to}`);
  const drawn = series.map((column, at) =>
    [
      `<c:ser><c:idx val="${at}"/><c:order val="${at}"/>`,
      `<c:tx><c:strRef><c:f>${cells(column, 1, 1)}</c:f><c:strCache><c:ptCount val="1"/><c:pt idx="0"><c:v>${plainText(columns[column] ?? '')}</c:v></c:pt></c:strCache></c:strRef></c:tx>`,
      `<c:spPr><a:solidFill><a:srgbClr val="${colors[at % colors.length]}"/></a:solidFill></c:spPr><c:invertIfNegative val="0"/>`,
      `<c:cat><c:numRef><c:f>${cells(categories, 2, rowCount + 1)}</c:f></c:numRef></c:cat>`,
      `<c:val><c:numRef><c:f>${cells(column, 2, rowCount + 1)}</c:f></c:numRef></c:val></c:ser>`,
    ].join(''),
  );
  return [
    declaration,
    `<c:chartSpace xmlns:c="${drawing}/chart" xmlns:a="${drawing}/main" xmlns:r="${relationships}"><c:chart>`,
    `<c:title><c:tx><c:rich><a:bodyPr/><a:p><a:r><a:t>${plainText(title)}</a:t></a:r></a:p></c:rich></c:tx><c:overlay val="0"/></c:title>`,
    '<c:autoTitleDeleted val="0"/><c:plotArea><c:layout/>',
    `<c:barChart><c:barDir val="col"/><c:grouping val="clustered"/><c:varyColors val="0"/>${drawn.join('')}`,
    `<c:gapWidth val="40"/><c:axId val="${dateAxis}"/><c:axId val="${valueAxis}"/></c:barChart>`,
    `<c:dateAx><c:axId val="${dateAxis}"/><c:scaling><c:orientation val="minMax"/></c:scaling><c:delete val="0"/><c:axPos val="b"/><c:numFmt formatCode="yyyy-mm-dd" sourceLinked="0"/><c:majorTickMark val="out"/><c:minorTickMark val="none"/><c:tickLblPos val="low"/><c:crossAx val="${valueAxis}"/><c:crosses val="autoZero"/><c:auto val="1"/><c:baseTimeUnit val="days"/></c:dateAx>`,
    `<c:valAx><c:axId val="${valueAxis}"/><c:scaling><c:orientation val="minMax"/></c:scaling><c:delete val="0"/><c:axPos val="l"/><c:majorGridlines><c:spPr><a:ln w="6350"><a:solidFill><a:srgbClr val="DEE2E6"/></a:solidFill></a:ln></c:spPr></c:majorGridlines><c:numFmt formatCode="#,##0" sourceLinked="0"/><c:majorTickMark val="out"/><c:minorTickMark val="none"/><c:tickLblPos val="nextTo"/><c:crossAx val="${dateAxis}"/><c:crosses val="autoZero"/></c:valAx>`,
    '</c:plotArea><c:legend><c:legendPos val="b"/><c:overlay val="0"/></c:legend><c:plotVisOnly val="1"/></c:chart></c:chartSpace>',
  ].join('');
}

export interface Style {
  format: CellFormat;
  isBold?: boolean;
  isHeader?: boolean;
  /** Keeps the cell a text when a user edits it. */
  isQuoted?: boolean;
}

const general = 'General';
const firstOwnFormat = 164;

/** The number format code (ECMA-376 part 1, 18.8.30). */
export function formatCode(format: CellFormat): string {
  switch (format.kind) {
    case 'number':
      return `#,##0${decimalsOf(format)}${format.unit === undefined ? '' : ` "${format.unit}"`}`;
    case 'money':
      return `#,##0${decimalsOf(format)} [$${format.currency}]`;
    case 'share':
      return `0.0${'#'.repeat(format.moreDecimals)}%`;
    case 'date':
      return 'yyyy-mm-dd';
    case 'month':
      return 'yyyy-mm';
    case 'dateTime':
      return format.isExact === true ? 'yyyy-mm-dd hh:mm:ss.000' : 'yyyy-mm-dd hh:mm:ss';
    case 'text':
    case 'instant':
    case 'zoned':
      return general;
  }
}

/** Width of a number in a format, in characters. */
export function numberWidth(value: number, format: CellFormat): number {
  if (format.kind === 'date' || format.kind === 'month') return 10;
  // A column of times may contain some with milliseconds.
  if (format.kind === 'dateTime') return 23;
  if (format.kind === 'share') return 6 + format.moreDecimals;
  const whole = Math.floor(Math.log10(Math.max(1, Math.abs(value)))) + 1;
  const grouped = whole + Math.floor((whole - 1) / 3) + (value < 0 ? 1 : 0);
  if (format.kind !== 'number' && format.kind !== 'money') return grouped;
  const decimals = format.decimals + (format.moreDecimals ?? 0);
  const unit = format.kind === 'money' ? format.currency : (format.unit ?? '');
  return grouped + (decimals > 0 ? decimals + 1 : 0) + (unit === '' ? 0 : unit.length + 1);
}

function decimalsOf({ decimals, moreDecimals = 0 }: { decimals: number; moreDecimals?: number }): string {
  return decimals + moreDecimals === 0 ? '' : `.${'0'.repeat(decimals)}${'#'.repeat(moreDecimals)}`;
}

/** The styles of a workbook, each stored once; cells refer to them by index. */
export class Styles {
  readonly #codes: string[] = [];
  readonly #styles = new Map<string, number>();
  readonly #entries: string[] = [];

  constructor() {
    // The first one applies to cells without a style.
    this.find({ format: { kind: 'text' } });
  }

  find({ format, isBold = false, isHeader = false, isQuoted = false }: Style): number {
    const code = formatCode(format);
    const key = `${code} ${isBold} ${isHeader} ${isQuoted}`;
    const known = this.#styles.get(key);
    if (known !== undefined) return known;
    const font = isBold || isHeader ? 1 : 0;
    const [fill, border] = isHeader ? [2, 1] : [0, 0];
    const applied = [
      code === general ? '' : ' applyNumberFormat="1"',
      font === 0 ? '' : ' applyFont="1"',
      isHeader ? ' applyFill="1" applyBorder="1"' : '',
      isQuoted ? ' quotePrefix="1"' : '',
    ].join('');
    this.#entries.push(
      `<xf numFmtId="${this.#findCode(code)}" fontId="${font}" fillId="${fill}" borderId="${border}" xfId="0"${applied}/>`,
    );
    this.#styles.set(key, this.#entries.length - 1);
    return this.#entries.length - 1;
  }

  toXml(): string {
    const formats = this.#codes.map(
      (code, at) => `<numFmt numFmtId="${firstOwnFormat + at}" formatCode="${plainText(code)}"/>`,
    );
    const font = '<sz val="11"/><name val="Calibri"/><family val="2"/>';
    return [
      `<styleSheet xmlns="${spreadsheet}">`,
      formats.length === 0 ? '' : `<numFmts count="${formats.length}">${formats.join('')}</numFmts>`,
      `<fonts count="2"><font>${font}</font><font><b/>${font}</font></fonts>`,
      '<fills count="3"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill>',
      '<fill><patternFill patternType="solid"><fgColor rgb="FFE9ECEF"/><bgColor indexed="64"/></patternFill></fill></fills>',
      '<borders count="2"><border><left/><right/><top/><bottom/><diagonal/></border>',
      '<border><left/><right/><top/><bottom style="thin"><color rgb="FFADB5BD"/></bottom><diagonal/></border></borders>',
      '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>',
      `<cellXfs count="${this.#entries.length}">${this.#entries.join('')}</cellXfs>`,
      '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>',
      '</styleSheet>',
    ].join('');
  }

  #findCode(code: string): number {
    if (code === general) return 0;
    const known = this.#codes.indexOf(code);
    return firstOwnFormat + (known >= 0 ? known : this.#codes.push(code) - 1);
  }
}

/** The texts of a workbook, each stored once; cells refer to them by index. */
export class SharedTexts {
  readonly #numbers = new Map<string, number>();
  #uses = 0;

  /** Counts one more cell with the text and returns its index. */
  find(text: string): number {
    const number = this.numberOf(text);
    this.count(1);
    return number;
  }

  numberOf(text: string): number {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    this.#numbers.set(text, this.#numbers.size);
    return this.#numbers.size - 1;
  }

  count(uses: number): void {
    this.#uses += uses;
  }

  *toXml(): Generator<string> {
    yield `<sst xmlns="${spreadsheet}" count="${this.#uses}" uniqueCount="${this.#numbers.size}">`;
    // Keeps leading and trailing spaces and line breaks.
    for (const text of this.#numbers.keys()) yield `<si><t xml:space="preserve">${cellText(text)}</t></si>`;
    yield '</sst>';
  }
}
