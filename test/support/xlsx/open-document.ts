import { toMillisecond } from './serial-time.ts';
import { readXml, type XmlElement } from './xml.ts';

export interface LibreOfficeCell {
  /** `string`, `float`, `currency`, `percentage`, `date`, `time` or `boolean`. */
  type: string;
  /** The value itself; a date as `2024-03-31T02:30:00`, to a hundredth of a second. */
  value: string | number | boolean;
  /** What the cell shows. */
  text: string;
  /** As OpenDocument writes it, `of:=SUM([.A1:.A3])`; null when there is none. */
  formula: string | null;
}

export interface LibreOfficeSheet {
  name: string;
  /** By row and column from 0; null if nothing is. Empty ends of rows and of the sheet are left out. */
  rows: readonly (readonly (LibreOfficeCell | null)[])[];
}

const namespace = (word: string, local: string) => `{urn:oasis:names:tc:opendocument:xmlns:${word}:1.0}${local}`;
const table = (local: string) => namespace('table', local);
const office = (local: string) => namespace('office', local);
const text = (local: string) => namespace('text', local);
/** A sheet's pictures, charts with a table of their own, comments and settings. */
const skipped = new Set([table('shapes'), office('annotation'), namespace('drawing', 'frame'), office('forms')]);
const cellNames = new Set([table('table-cell'), table('covered-table-cell')]);

/** The sheets of a spreadsheet in the flat OpenDocument format. Throws when it is not well-formed. */
export function readFlatSheets(bytes: Buffer): LibreOfficeSheet[] {
  const reader = new FlatReader();
  readXml(
    { name: 'The flat OpenDocument file', bytes },
    { open: (element) => reader.open(element), text: (part) => reader.text(part), close: () => reader.close() },
  );
  return reader.sheets;
}

class FlatReader {
  readonly sheets: LibreOfficeSheet[] = [];
  private readonly path: string[] = [];
  private skippedFrom: number | undefined;
  private rows: (readonly (LibreOfficeCell | null)[])[] | undefined;
  private row: (LibreOfficeCell | null)[] = [];
  private cell: XmlElement | undefined;
  private paragraphs: string[] = [];
  private isInParagraph = false;
  private rowRepeats = 1;
  /** Empty cells and rows count only when something follows: a sheet ends with a million of them. */
  private emptyCells = 0;
  private emptyRows = 0;

  open(element: XmlElement): void {
    const { name, attributes } = element;
    this.path.push(name);
    if (this.skippedFrom !== undefined) return;
    if (skipped.has(name)) this.skippedFrom = this.path.length;
    else if (name === table('table')) {
      this.rows = [];
      this.emptyRows = 0;
      this.sheets.push({ name: attributes.get(table('name')) ?? '', rows: this.rows });
    } else if (this.rows === undefined) return;
    else if (name === table('table-row')) {
      this.row = [];
      this.rowRepeats = repeats(element, 'number-rows-repeated');
    } else if (cellNames.has(name)) {
      this.cell = element;
      this.paragraphs = [];
    } else if (name === text('p')) {
      this.paragraphs.push('');
      this.isInParagraph = true;
    } else if (name === text('s')) this.text(' '.repeat(Number(attributes.get(text('c')) ?? 1)));
    else if (name === text('tab')) this.text('\t');
    else if (name === text('line-break')) this.text('\n');
  }

  text(part: string): void {
    if (!this.isInParagraph || this.skippedFrom !== undefined) return;
    this.paragraphs.push(`${this.paragraphs.pop() ?? ''}${part}`);
  }

  close(): void {
    const depth = this.path.length;
    const name = this.path.pop() ?? '';
    if (this.skippedFrom !== undefined) {
      if (depth === this.skippedFrom) this.skippedFrom = undefined;
    } else if (name === text('p')) this.isInParagraph = false;
    else if (cellNames.has(name) && this.cell !== undefined) this.closeCell(this.cell);
    else if (name === table('table-row')) this.closeRow();
    else if (name === table('table')) this.rows = undefined;
  }

  private closeCell(element: XmlElement): void {
    const count = repeats(element, 'number-columns-repeated');
    const cell = toCell(element, this.paragraphs.join('\n'));
    if (cell === null) this.emptyCells += count;
    else {
      for (; this.emptyCells > 0; this.emptyCells -= 1) this.row.push(null);
      for (let copy = 0; copy < count; copy += 1) this.row.push(cell);
    }
    this.cell = undefined;
  }

  private closeRow(): void {
    this.emptyCells = 0;
    if (this.row.length === 0) this.emptyRows += this.rowRepeats;
    else {
      for (; this.emptyRows > 0; this.emptyRows -= 1) this.rows?.push([]);
      for (let copy = 0; copy < this.rowRepeats; copy += 1) this.rows?.push(this.row);
    }
  }
}

const repeats = ({ attributes }: XmlElement, name: string) => Number(attributes.get(table(name)) ?? 1);

function toCell({ attributes }: XmlElement, shown: string): LibreOfficeCell | null {
  const type = attributes.get(office('value-type'));
  if (type === undefined) return null;
  const formula = attributes.get(table('formula')) ?? null;
  return { type, value: valueOf(type, attributes, shown), text: shown, formula };
}

function valueOf(type: string, attributes: XmlElement['attributes'], shown: string): string | number | boolean {
  if (type === 'string') return attributes.get(office('string-value')) ?? shown;
  if (type === 'date') return toMillisecond(attributes.get(office('date-value')) ?? '');
  if (type === 'time') return attributes.get(office('time-value')) ?? '';
  if (type === 'boolean') return attributes.get(office('boolean-value')) === 'true';
  return Number(attributes.get(office('value')));
}
