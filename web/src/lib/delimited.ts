/** Longer fields are no table: a quote that nobody closed. */
const maxFieldLength = 10_000;
const maxFields = 500;

export type Delimiter = '\t' | ';' | ',' | '|';
const delimiters: readonly Delimiter[] = ['\t', ';', ',', '|'];

/** What is thrown where the text is no table; the page says so in its words. */
export class NoTableError extends Error {
  override readonly name = 'NoTableError';
}

/** What stands most often between the fields of the first line, outside of quotes. */
export function guessDelimiter(text: string): Delimiter {
  const [line = ''] = text.trimStart().split(/[\r\n]/, 1);
  const plain = line.replaceAll(/"[^"]*"/g, '');
  const count = (delimiter: Delimiter) => plain.split(delimiter).length;
  return delimiters.toSorted((a, b) => count(b) - count(a))[0] ?? ',';
}

/**
 * Reads CSV (RFC 4180) and its relatives piece by piece: a field in quotes may hold the delimiter, line breaks and doubled quotes. Lines
 * without any text are left out.
 * @throws NoTableError
 */
export class DelimitedReader {
  readonly #delimiter: Delimiter;
  #fields: string[] = [];
  #field = '';
  #isQuoted = false;
  /** The last character was a quote in a quoted field: it ends the field, or is the first of two. */
  #isAfterQuote = false;
  #line = 1;
  #firstLine = 1;

  constructor(delimiter: Delimiter) {
    this.#delimiter = delimiter;
  }

  /** The records that are whole by now. */
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

  /** What is left at the end. */
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
  /** From 1, as a spreadsheet counts its rows: empty ones too, and line breaks inside a field not. */
  line: number;
  fields: string[];
}

/** All records of a text. */
export function readDelimited(text: string, delimiter = guessDelimiter(text)): DelimitedRecord[] {
  const reader = new DelimitedReader(delimiter);
  return [...reader.read(text), ...reader.end()];
}

/** A line of the table; a field that would be taken apart, or for a formula, is written so that it is not. */
export const delimitedLine = (fields: readonly string[], delimiter: Delimiter): string =>
  `${fields.map((field) => writeField(field, delimiter)).join(delimiter)}\r\n`;

function writeField(field: string, delimiter: Delimiter): string {
  const safe = /^[=+@\t\r-]/.test(field) && !/^[+-]?[\d.,]+$/.test(field) ? `'${field}` : field;
  return safe.includes(delimiter) || /["\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
