import { customerCode, type CustomerCreate, customerCreate } from '../../../../shared/fleet.ts';
import { guessDelimiter, readDelimited } from '../../lib/delimited.ts';

const maxCode = 39;
/** The maximum number of rows. For more, a script is better (`register-customer`). */
export const maxPastedRows = 200;

/** Proposes a code for a customer with this name that is not taken yet. Empty if the name has no letter or digit for a code. */
export function proposeCode(name: string, taken: ReadonlySet<string>): string {
  const plain = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '');
  for (let number = 1; number <= taken.size + maxPastedRows; number += 1) {
    const suffix = number === 1 ? '' : `-${number}`;
    const code = `${plain.slice(0, maxCode - suffix.length).replace(/-$/, '')}${suffix}`;
    if (plain.length > 1 && !taken.has(code) && customerCode.safeParse(code).success) return code;
  }
  return '';
}

export interface CustomerRow {
  /** The number of the row, as the spreadsheet counts. */
  line: number;
  values: Required<CustomerCreate>;
  problem: 'name' | 'code' | 'taken' | 'group' | 'notes' | null;
}

/**
 * The customers of a pasted table: name, code, group, notes. A first row with these words is left out. For missing codes, codes
 * are proposed. Throws NoTableError.
 */
export function readCustomerRows(text: string, headings: readonly string[], taken: ReadonlySet<string>): CustomerRow[] {
  const records = readDelimited(text, text.includes('\t') ? '\t' : guessDelimiter(text));
  const isHeading = (field: string) => headings.includes(field.trim().toLowerCase());
  const rows = records.slice(records[0]?.fields.some(isHeading) === true ? 1 : 0);
  const given = rows.map(({ fields }) => (fields[1] ?? '').trim());
  const used = new Set([...taken, ...given]);
  const before = new Set(taken);
  return rows.map(({ line, fields }, at) => {
    const [name = '', , group = '', notes = ''] = fields.map((field) => field.trim());
    const code = given[at] === '' ? proposeCode(name, used) : (given[at] ?? '');
    used.add(code);
    const values = { code, name, group: group || null, notes: notes || null };
    const isTaken = before.has(code);
    before.add(code);
    const wrong = customerCreate.safeParse(values).error?.issues[0]?.path[0];
    const field = (['name', 'code', 'group', 'notes'] as const).find((one) => one === wrong) ?? null;
    return { line, values, problem: field ?? (isTaken ? 'taken' : null) };
  });
}
