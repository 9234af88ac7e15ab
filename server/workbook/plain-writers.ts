import { formatInstant, formatOffset } from '../base/instants.ts';
import { type Column, type FileWriter, unpackZoned, type WriteBytes } from './sheet.ts';
import { looksLikeFormula } from './workbook-text.ts';

const rowsAtOnce = 1000;

/** How a plain format writes its header and rows. */
interface RowRules {
  head: (columns: readonly Column[]) => string;
  text: (text: string) => string;
  empty: string;
  /** One row, from its cells. */
  row: (cells: readonly string[], columns: readonly Column[]) => string;
}

/** One sheet as plain text, a line per row; instants in UTC, decimal points. */
function plainWriter(write: WriteBytes, rules: RowRules): FileWriter {
  let columns: readonly Column[] = [];
  let textsOf: (string[] | undefined)[] = [];

  const render = ({ format }: Column, index: number, value = Number.NaN): string => {
    if (!Number.isFinite(value)) return rules.empty;
    const texts = textsOf[index];
    if (texts !== undefined) return texts[value] ?? rules.empty;
    if (format.kind === 'zoned') return rules.text(zonedInstant(value));
    return format.kind === 'instant' ? rules.text(shortInstant(value)) : String(value);
  };

  return {
    async open() {},
    async write(part) {
      if (part.kind === 'sheet') {
        columns = part.sheet.columns;
        textsOf = columns.map(({ texts }) => texts?.map(rules.text));
        const head = rules.head(columns);
        if (head !== '') await write(Buffer.from(head));
      } else if (part.kind === 'columns') {
        const rowCount = part.columns[0]?.length ?? 0;
        for (let from = 0; from < rowCount; from += rowsAtOnce) {
          let lines = '';
          for (let at = from; at < Math.min(rowCount, from + rowsAtOnce); at += 1) {
            const cells = columns.map((column, index) => render(column, index, part.columns[index]?.[at]));
            lines += rules.row(cells, columns);
          }
          await write(Buffer.from(lines));
        }
      } else if (part.kind !== 'end') {
        throw new Error(`A plain format cannot hold a ${part.kind}.`);
      }
    },
  };
}

/**
 * Comma-separated values (RFC 4180) in UTF-8, field names first. A text that a spreadsheet would read as a formula gets an
 * apostrophe in front, also after semicolons and tabs, at which some programs split.
 */
export const csvWriter = (write: WriteBytes): FileWriter =>
  plainWriter(write, {
    head: (columns) => `${columns.map(({ field }) => field).join(',')}\r\n`,
    text: (text) => quoted(withoutFormulas(text)),
    empty: '',
    row: (cells) => `${cells.join(',')}\r\n`,
  });

/** One JSON object per line with every field; unknown values are null. */
export const ndjsonWriter = (write: WriteBytes): FileWriter =>
  plainWriter(write, {
    head: () => '',
    // Some line readers also split at these characters.
    text: (text) =>
      JSON.stringify(text).replace(
        /[\u0085\u2028\u2029]/g,
        (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
      ),
    empty: 'null',
    row: (cells, columns) => `{${columns.map(({ field }, at) => `"${field}":${cells[at]}`).join(',')}}\n`,
  });

/** As in the API: no trailing zeros. */
const shortInstant = (micros: number) => {
  const text = formatInstant(micros);
  return text.includes('.') ? text.replace(/0+Z$/, 'Z') : text;
};

/** `2026-10-25T02:15:00+01:00` */
function zonedInstant(packed: number): string {
  const { micros, offsetMicros } = unpackZoned(packed);
  return formatInstant(micros + offsetMicros).slice(0, 'YYYY-MM-DDTHH:mm:ss'.length) + formatOffset(offsetMicros);
}

function withoutFormulas(text: string): string {
  const parts = text.split(/(?<=[;\t\r\n])/);
  return parts.map((part) => (looksLikeFormula(part) ? `'${part}` : part)).join('');
}

const quoted = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
