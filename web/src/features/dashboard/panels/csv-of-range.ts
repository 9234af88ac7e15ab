import type { CsvTable } from '../../../lib/csv.ts';
import { toOffsetText } from '../../../../../shared/time.ts';

interface Answered {
  from: string;
  to: string;
}

/**
 * The table of energy in a range, as a file. Its name and each row contain the range, because users combine the files of
 * several months.
 */
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
