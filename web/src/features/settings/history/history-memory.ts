import { z } from 'zod';
import { intervalLengths, intervalStamps } from './history-intervals.ts';
import {
  guessColumns,
  guessDateOrder,
  guessDecimalSeparator,
  guessIntervals,
  guessPowerPerKw,
} from './history-guesses.ts';
import { historyFields, type HistoryMapping } from './history-rows.ts';
import type { HistoryHead } from './history-upload.ts';

const key = 'history-mapping';
const field = z.enum(historyFields);

/** This browser remembers the columns of the last file, by their headings. */
const remembered = z.object({
  headings: z.partialRecord(field, z.string()),
  timeZone: z.string(),
  dateOrder: z.enum(['dmy', 'mdy']),
  decimalSeparator: z.enum(['.', ',']),
  powerPerKw: z.union([z.literal(1), z.literal(1000)]),
  intervalMinutes: z.literal(intervalLengths).default(15),
  intervalStamp: z.enum(intervalStamps).default('start'),
});

function recall(): z.infer<typeof remembered> | null {
  try {
    return remembered.parse(JSON.parse(localStorage.getItem(key) ?? ''));
  } catch {
    return null;
  }
}

export function remember(headings: readonly string[], mapping: HistoryMapping): void {
  const { columns, externalId: _, ...rest } = mapping;
  const named = Object.entries(columns).map(([field, at]) => [field, headings[at]]);
  try {
    localStorage.setItem(key, JSON.stringify({ ...rest, headings: Object.fromEntries(named) }));
  } catch {
    // If the browser has no storage, the page asks again next time.
  }
}

/**
 * The columns that the user chose for the last file with these headings. For any other file the columns are guessed, with the
 * time zone of the sites.
 */
export function firstMapping({ headings, records, delimiter }: HistoryHead): HistoryMapping {
  const last = recall();
  const columns = guessColumns(headings);
  if (last !== null && Object.values(last.headings).every((heading) => headings.includes(heading))) {
    const { headings: named, ...rest } = last;
    const known = historyFields.flatMap((field) => {
      const heading = named[field];
      return heading === undefined ? [] : [[field, headings.indexOf(heading)] as const];
    });
    return { ...rest, columns: Object.fromEntries(known), externalId: '' };
  }
  const guessed = guessIntervals(records, {
    columns,
    externalId: '',
    timeZone: '',
    dateOrder: guessDateOrder(records, columns.time),
    decimalSeparator: guessDecimalSeparator(records, delimiter),
    powerPerKw: 1,
    intervalMinutes: 15,
    intervalStamp: 'start',
  });
  const scaled = guessed.columns.activePowerKw ?? guessed.columns.importedPerInterval;
  return { ...guessed, powerPerKw: guessPowerPerKw(headings[scaled ?? -1]) };
}
