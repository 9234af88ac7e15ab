import type { Meaning } from '../units.ts';
import { calculate, partsOf, type Answers } from './parts.ts';

interface Cell extends Meaning {
  value: number | null;
}

interface ResultRow {
  key: string;
  name: string;
  /** For each query the values of this row: several if it has cost in several currencies. */
  cells: Cell[][];
}

/** The labels that identify a row: two sites may have devices with the same name. */
const idsIn = ['customerId', 'siteId', 'deviceId', 'period', 'line'] as const;

/** Answers side by side: a row for everything that one of them contains. */
export function resultRows(answers: Answers): ResultRow[] {
  const rows = new Map<string, ResultRow>();
  for (const [column, answer] of answers.entries()) {
    for (const [index, part] of partsOf(answer).entries()) {
      const { name = part.name, labels = {} } = answer.data.series[index] ?? {};
      const key = JSON.stringify([name, ...idsIn.map((id) => labels[id])]);
      const row = rows.get(key) ?? { key, name, cells: answers.map(() => []) };
      row.cells[column]?.push({ ...part, value: calculate('last-number', part) });
      rows.set(key, row);
    }
  }
  return [...rows.values()].filter(({ cells }) => cells.flat().some(({ value }) => value !== null));
}
