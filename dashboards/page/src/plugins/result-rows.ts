import type { Meaning } from '../units.ts';
import { calculate, partsOf, type Answers } from './parts.ts';

interface Cell extends Meaning {
  value: number | null;
}

interface ResultRow {
  key: string;
  name: string;
  /** For each answer the values of this row: several where it costs in several currencies. */
  cells: Cell[][];
}

/** What is the same in all answers: two sites may have devices of one name. */
const idsIn = ['customerId', 'siteId', 'deviceId', 'period', 'line'] as const;

/** Answers side by side: a row for each part of which one of them knows something. */
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
