import type { CsvTable } from '../../lib/csv.ts';
import { toOffsetText } from '../../lib/time.ts';

interface Answered {
  from: string;
  to: string;
}

/** The table of what a range took, which says in its name and in each row of which one: files of several months are laid together. */
export function csvOfRange(
  { name, header, rows }: CsvTable,
  { from, to }: Answered,
  timeZone: string,
  names: { from: string; to: string },
): CsvTable {
  const [fromMs, toMs] = [Date.parse(from), Date.parse(to)];
  const [start, end] = [toOffsetText(fromMs, timeZone), toOffsetText(toMs, timeZone)];
  const dateOf = (atMs: number) => toOffsetText(atMs, timeZone).slice(0, 'YYYY-MM-DD'.length);
  const days = [...new Set([dateOf(fromMs), dateOf(toMs - 1)])];
  return {
    name: [name, ...days].join(' '),
    header: [...header, names.from, names.to],
    rows: rows.map((row) => [...row, start, end]),
  };
}
