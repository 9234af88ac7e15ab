/** If a field is longer than this, the text is not a table: a quote was not closed. */
const maxFieldLength = 10_000;
const maxFields = 500;

export type Delimiter = '\t' | ';' | ',' | '|';
const delimiters: readonly Delimiter[] = ['\t', ';', ',', '|'];

/** Thrown if the text is not a table. The page has the text of the error. */
export class NoTableError extends Error {
  override readonly name = 'NoTableError';
}

const guessedLines = 30;
const guessedLength = 100_000;

/** The most common number of fields in the lines, and how many lines have it. Lines with one field do not count. */
function countAlike(widths: readonly number[]): { lines: number; width: number } {
  const alike = widths.map((width) => (width === 1 ? 0 : widths.filter((other) => other === width).length));
  const lines = Math.max(0, ...alike);
  return { lines, width: widths[alike.indexOf(lines)] ?? 1 };
}

/**
 * The separator with which most of the first lines have the same number of fields, outside of quotes. Of equally good
 * separators, the most frequent one in the first line.
 */
export function guessDelimiter(text: string): Delimiter {
  const lines = text
    .slice(0, guessedLength)
    .split(/[\r\n]+/)
    .filter((line) => line.trim() !== '')
    .slice(0, guessedLines)
    .map((line) => line.replaceAll(/"[^"]*"/g, ''));
  const ranked = delimiters.map((delimiter) => {
    const widths = lines.map((line) => line.split(delimiter).length);
    return { delimiter, alike: countAlike(widths).lines, first: widths[0] ?? 1 };
  });
  return ranked.toSorted((a, b) => b.alike - a.alike || b.first - a.first)[0]?.delimiter ?? ',';
}

/**
 * The position of the headings among the first records. Files of grid operators have titles above them. A record counts as
 * headings if it has as many filled cells as any row below, and no time of day. If there is none, the first record counts.
 */
export function findHeadings(records: readonly DelimitedRecord[]): number {
  const first = records.slice(0, guessedLines).map(({ fields }) => fields);
  const { width } = countAlike(first.map((fields) => fields.length));
  const filled = (fields: readonly string[]) =>
    fields.length === width ? fields.filter((field) => field.trim() !== '').length : 0;
  const most = Math.max(...first.map(filled));
  const at = first.findIndex((fields) => filled(fields) === most && !fields.some((field) => /\d:\d\d/.test(field)));
  return Math.max(0, at);
}

/**
 * Reads CSV (RFC 4180) and similar formats piece by piece: a quoted field may contain the delimiter, line breaks and doubled
 * quotes. Lines without any text are left out.
 * @throws NoTableError
 */
export class DelimitedReader {
  readonly #delimiter: Delimiter;
  #fields: string[] = [];
  #field = '';
  #isQuoted = false;
  /** Whether the last character was a quote in a quoted field. It ends the field, or is the first of two quotes. */
  #isAfterQuote = false;
  #line = 1;
  #firstLine = 1;

  constructor(delimiter: Delimiter) {
    this.#delimiter = delimiter;
  }

  /** The records that are complete so far. */
  *read(text: string): Generator<DelimitedRecord> {
    for (const character of text) {
      if (this.#isAfterQuote) {
        this.#isAfterQuote = false;
        if (character === '"') {
          this.#add(character);
          continue;
        }
        this.#isQuoted = false;
      }
      if (character === '\n' && !this.#isQuoted) this.#line += 1;
      if (this.#isQuoted) {
        if (character === '"') this.#isAfterQuote = true;
        else this.#add(character);
      } else if (character === '"' && this.#field.trim() === '') {
        this.#field = '';
        this.#isQuoted = true;
      } else if (character === this.#delimiter) {
        this.#endField();
      } else if (character === '\n' || character === '\r') {
        yield* this.#endRecord();
      } else {
        this.#add(character);
      }
    }
  }

  /** The remaining record at the end. */
  *end(): Generator<DelimitedRecord> {
    if (this.#isQuoted && !this.#isAfterQuote) throw new NoTableError('a quote is never closed');
    yield* this.#endRecord();
  }

  #add(character: string): void {
    this.#field += character;
    if (this.#field.length > maxFieldLength) throw new NoTableError('a field is too long');
  }

  #endField(): void {
    this.#fields.push(this.#field);
    this.#field = '';
    if (this.#fields.length > maxFields) throw new NoTableError('a line has too many fields');
  }

  *#endRecord(): Generator<DelimitedRecord> {
    this.#endField();
    const [fields, line] = [this.#fields, this.#firstLine];
    this.#fields = [];
    this.#isQuoted = false;
    this.#isAfterQuote = false;
    this.#firstLine = this.#line;
    if (fields.some((field) => field.trim() !== '')) yield { line, fields };
  }
}

export interface DelimitedRecord {
  /** Counted from 1, as a spreadsheet counts its rows: empty rows count, line breaks inside a field do not. */
  line: number;
  fields: string[];
}

/** All records of a text. */
export function readDelimited(text: string, delimiter = guessDelimiter(text)): DelimitedRecord[] {
  const reader = new DelimitedReader(delimiter);
  return [...reader.read(text), ...reader.end()];
}

/** A line of the table; a field that would be split, or read as a formula, is escaped. */
export const delimitedLine = (fields: readonly string[], delimiter: Delimiter): string =>
  `${fields.map((field) => writeField(field, delimiter)).join(delimiter)}\r\n`;

function writeField(field: string, delimiter: Delimiter): string {
  const safe = /^[=+@\t\r-]/.test(field) && !/^[+-]?[\d.,]+$/.test(field) ? `'${field}` : field;
  return safe.includes(delimiter) || /["\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
