import {
  SharedTexts,
  numberWidth,
  Styles,
  appProperties,
  chartParts,
  contentTypes,
  coreProperties,
  declaration,
  type ListedSheet,
  packageRelations,
  pageSetup,
  sheetPath,
  spreadsheet,
  workbook,
  workbookRelations,
} from './workbook-parts.ts';
import type {
  Cell,
  CellFormat,
  Chart,
  Column,
  Columns,
  FileProperties,
  FileWriter,
  FormattedCell,
  Part,
  Rows,
  Sheet,
  WriteBytes,
} from './sheet.ts';
import { columnName, displayWidth, looksLikeFormula, plainText, sheetName } from './workbook-text.ts';
import { ZipWriter } from './zip-writer.ts';

/** Excel's limit; further rows continue on another sheet. */
const maxRows = 1_048_576;
const rowsAtOnce = 500;
const exactTime: CellFormat = { kind: 'dateTime', isExact: true };
const narrowest = 8;
const widest = 60;
/** Extra width for the filter button. */
const headerRoom = 4;
const cellRoom = 2;
/** Bold digits are wider. */
const boldRoom = 1.15;

interface OpenSheet {
  sheet: Sheet;
  name: string;
  /** Rows still to be written on this sheet and those that continue it. */
  left: number;
  /** Number of the last row written; the header is row 1. */
  row: number;
  /** Number of the last row of the table, once there are rows below it. */
  lastOfTable?: number;
  isHeadWritten: boolean;
  /** By column: the XML of a cell before its row number, and after it up to the value. */
  starts?: { start: string; number: string; fraction: string | undefined; texts: string[] | undefined }[];
}

/**
 * Writes a workbook (ECMA-376, transitional) as a stream. Each sheet has a frozen bold header with a filter, and columns as wide
 * as their header and first rows; it is printed landscape, one page wide, its header on each page. Memory grows with the number of distinct texts, not with the number of rows.
 */
export class WorkbookWriter implements FileWriter {
  readonly #zip: ZipWriter;
  readonly #properties: FileProperties;
  readonly #maxRows: number;
  readonly #styles = new Styles();
  readonly #texts = new SharedTexts();
  readonly #names = new Set<string>();
  readonly #sheets: ListedSheet[] = [];
  /** By requested name: the name that the sheet got, and its headers. */
  readonly #written = new Map<string, { name: string; headers: string[] }>();
  #charts = 0;
  #open: OpenSheet | undefined;

  constructor(write: WriteBytes, properties: FileProperties, rowsPerSheet = maxRows) {
    this.#zip = new ZipWriter(write, properties.madeAtMs);
    this.#properties = properties;
    this.#maxRows = rowsPerSheet;
  }

  /** The parts that are known before any row; the first one identifies the file type. */
  async open(): Promise<void> {
    await this.#zip.add('_rels/.rels', packageRelations);
    await this.#zip.add('docProps/core.xml', coreProperties(this.#properties));
    await this.#zip.add('docProps/app.xml', appProperties);
  }

  async write(part: Part): Promise<void> {
    if (part.kind === 'sheet') await this.#beginSheet(part.sheet, part.rowCount);
    else if (part.kind === 'columns') await this.#addColumns(part.columns);
    else if (part.kind === 'rows') await this.#addRows(part.rows, part.below);
    else if (part.kind === 'chart') await this.#addChart(part.chart);
    else await this.#finish();
  }

  async #beginSheet(sheet: Sheet, rowCount: number): Promise<void> {
    await this.#endSheet();
    await this.#openSheet(sheet, rowCount);
  }

  async #openSheet(sheet: Sheet, left: number): Promise<void> {
    const name = sheetName(sheet.name, this.#names);
    if (!this.#written.has(sheet.name)) {
      this.#written.set(sheet.name, { name, headers: sheet.columns.map(({ header }) => header) });
    }
    this.#open = { sheet, name, left, row: 1, isHeadWritten: false };
    await this.#zip.begin(`xl/${sheetPath('worksheet', this.#sheets.length + 1)}`);
  }

  async #addColumns(columns: Columns): Promise<void> {
    const rowCount = columns[0]?.length ?? 0;
    for (let from = 0; from < rowCount;) {
      const open = await this.#roomForRows(({ columns: described }) =>
        described.map(({ format, texts }, at) => columnWidth(columns[at] ?? new Float64Array(), format, texts)),
      );
      const to = Math.min(rowCount, from + rowsAtOnce, from + this.#maxRows - open.row);
      await this.#zip.write(this.#renderColumns(open, columns, from, to));
      open.row += to - from;
      open.left -= to - from;
      from = to;
    }
  }

  #renderColumns(open: OpenSheet, columns: Columns, from: number, to: number): string {
    open.starts ??= open.sheet.columns.map(({ format, texts }, at) => ({
      start: `<c r="${columnName(at)}`,
      number: this.#numberStart({ format }),
      fraction: format.kind === 'dateTime' ? this.#numberStart({ format: exactTime }) : undefined,
      texts: texts?.map((text) => `${this.#textStart(text, false)}${this.#texts.numberOf(text)}`),
    }));
    const described = open.starts.map((starts, at) => ({ ...starts, values: columns[at] ?? new Float64Array() }));
    let xml = '';
    let used = 0;
    for (let at = from, row = open.row + 1; at < to; at += 1, row += 1) {
      xml += `<row r="${row}">`;
      for (const { start, number, fraction, texts, values } of described) {
        const value = values[at] ?? Number.NaN;
        if (!Number.isFinite(value)) continue;
        if (texts === undefined) {
          xml += `${start}${row}${fraction !== undefined && hasFraction(value) ? fraction : number}${value}</v></c>`;
          continue;
        }
        const text = texts[value];
        if (text === undefined) continue;
        xml += `${start}${row}${text}</v></c>`;
        used += 1;
      }
      xml += '</row>';
    }
    this.#texts.count(used);
    return xml;
  }

  #numberStart(style: { format: CellFormat; isBold?: boolean }): string {
    return `" s="${this.#styles.find(style)}"><v>`;
  }

  #textStart(text: string, isBold: boolean): string {
    const style = this.#styles.find({ format: { kind: 'text' }, isBold, isQuoted: looksLikeFormula(text) });
    return `"${style === 0 ? '' : ` s="${style}"`} t="s"><v>`;
  }

  async #addRows(table: Rows, below: Rows = []): Promise<void> {
    const rows = [...table, ...below];
    for (const [index, row] of rows.entries()) {
      const open = await this.#roomForRows(({ columns }) =>
        columns.map(({ format }, at) => rowsWidth(rows, at, format)),
      );
      if (index >= table.length) open.lastOfTable ??= open.row;
      open.row += 1;
      open.left -= 1;
      const { columns } = open.sheet;
      if (row.length > columns.length) {
        throw new Error(`A row of the sheet ${open.name} has ${row.length} cells for ${columns.length} columns.`);
      }
      const cells = row.map((cell, at) => this.#renderCell(cell, at, open.row, columns[at]));
      await this.#zip.write(`<row r="${open.row}">${cells.join('')}</row>`);
    }
  }

  #renderCell(cell: Cell, at: number, row: number, column: Column | undefined): string {
    const { value, format = column?.format ?? { kind: 'text' }, formula, isBold = false } = formattedCell(cell);
    if (value === null) return '';
    const start = `<c r="${columnName(at)}${row}`;
    if (typeof value === 'string') return `${start}${this.#textStart(value, isBold)}${this.#texts.find(value)}</v></c>`;
    const style = this.#numberStart({ format, isBold });
    if (formula === undefined) return `${start}${style}${value}</v></c>`;
    return `${start}${style.replace('<v>', `<f>${plainText(formula)}</f><v>`)}${value}</v></c>`;
  }

  /** The sheet for the next row: the open one, or a new one that continues it. */
  async #roomForRows(measure: (sheet: Sheet) => number[]): Promise<OpenSheet> {
    let open = this.#opened();
    if (open.row >= this.#maxRows) {
      await this.#closeSheet(open);
      await this.#openSheet(open.sheet, open.left);
      open = this.#opened();
    }
    if (!open.isHeadWritten) await this.#writeHead(open, measure(open.sheet));
    return open;
  }

  async #writeHead(open: OpenSheet, widths: readonly number[]): Promise<void> {
    const { columns } = open.sheet;
    const style = this.#styles.find({ format: { kind: 'text' }, isHeader: true });
    const fitted = columns.map(({ header }, at) => {
      const width = Math.max(displayWidth(header) + headerRoom, (widths[at] ?? 0) + cellRoom, narrowest);
      return `<col min="${at + 1}" max="${at + 1}" width="${Math.min(widest, width)}" customWidth="1"/>`;
    });
    const headers = columns.map(
      ({ header }, at) => `<c r="${columnName(at)}1" s="${style}" t="s"><v>${this.#texts.find(header)}</v></c>`,
    );
    await this.#zip.write(
      [
        `${declaration}<worksheet xmlns="${spreadsheet}"><sheetPr><pageSetUpPr fitToPage="1"/></sheetPr>`,
        // Before the rows, so their number has to be known.
        `<dimension ref="A1:${columnName(columns.length - 1)}${Math.min(this.#maxRows, open.left + 1)}"/><sheetViews>`,
        `<sheetView${this.#sheets.length === 0 ? ' tabSelected="1"' : ''} workbookViewId="0">`,
        '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>',
        '<selection pane="bottomLeft" activeCell="A2" sqref="A2"/></sheetView></sheetViews>',
        `<sheetFormatPr defaultRowHeight="15"/><cols>${fitted.join('')}</cols>`,
        `<sheetData><row r="1">${headers.join('')}</row>`,
      ].join(''),
    );
    open.isHeadWritten = true;
  }

  async #endSheet(): Promise<void> {
    const open = this.#open;
    if (open === undefined) return;
    if (open.left !== 0) {
      throw new Error(
        `The sheet ${open.name} has ${Math.abs(open.left)} rows ${open.left > 0 ? 'fewer' : 'more'} than announced.`,
      );
    }
    await this.#closeSheet(open);
  }

  async #closeSheet(open: OpenSheet): Promise<void> {
    if (!open.isHeadWritten) await this.#writeHead(open, []);
    const last = columnName(open.sheet.columns.length - 1);
    const { lastOfTable = open.row } = open;
    await this.#zip.write(`</sheetData><autoFilter ref="A1:${last}${lastOfTable}"/>${pageSetup}</worksheet>`);
    await this.#zip.end();
    this.#sheets.push({ name: open.name, kind: 'worksheet', filter: `$A$1:$${last}$${lastOfTable}` });
    this.#open = undefined;
  }

  async #addChart(chart: Chart): Promise<void> {
    await this.#endSheet();
    const source = this.#written.get(chart.sheet);
    if (source === undefined) throw new Error(`No sheet ${chart.sheet} was written for the chart.`);
    this.#charts += 1;
    const drawn = { ...chart, sheet: source.name };
    for (const [path, xml] of chartParts(drawn, source.headers, this.#charts, this.#sheets.length + 1)) {
      await this.#zip.add(`xl/${path}`, xml);
    }
    this.#sheets.push({ name: sheetName(chart.name, this.#names), kind: 'chartsheet' });
  }

  async #finish(): Promise<void> {
    await this.#endSheet();
    await this.#zip.begin('xl/sharedStrings.xml');
    await this.#zip.write(declaration);
    for (const xml of this.#texts.toXml()) await this.#zip.write(xml);
    await this.#zip.end();
    await this.#zip.add('xl/styles.xml', declaration + this.#styles.toXml());
    await this.#zip.add('xl/workbook.xml', workbook(this.#sheets));
    await this.#zip.add('xl/_rels/workbook.xml.rels', workbookRelations(this.#sheets));
    await this.#zip.add('[Content_Types].xml', contentTypes(this.#sheets));
    await this.#zip.finish();
  }

  #opened(): OpenSheet {
    if (this.#open === undefined) throw new Error('No sheet of the workbook is open.');
    return this.#open;
  }
}

function formattedCell(cell: Cell): FormattedCell {
  const formatted = typeof cell === 'object' && cell !== null ? cell : { value: cell };
  // NaN and infinity cannot be stored.
  return typeof formatted.value === 'number' && !Number.isFinite(formatted.value) ? { value: null } : formatted;
}

const millisPerDay = 86_400_000;
/** Whether a time has a fraction of a second, to the millisecond. */
const hasFraction = (serial: number) => Math.round((serial % 1) * millisPerDay) % 1000 !== 0;

function columnWidth(values: Float64Array, format: CellFormat, texts: readonly string[] | undefined): number {
  if (texts !== undefined) return texts.reduce((width, text) => Math.max(width, displayWidth(text)), 0);
  let [least, most] = [0, 0];
  for (const value of values) {
    if (!Number.isFinite(value)) continue;
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  // Later values may have one more digit.
  return Math.max(numberWidth(least, format), numberWidth(most, format)) + 1;
}

function rowsWidth(rows: Rows, at: number, columnFormat: CellFormat): number {
  return rows.reduce((width, row) => {
    const { value, format = columnFormat, isBold = false } = formattedCell(row[at] ?? null);
    if (value === null) return width;
    const own = typeof value === 'string' ? displayWidth(value) : numberWidth(value, format);
    return Math.max(width, isBold ? Math.ceil(own * boldRoom) : own);
  }, 0);
}
