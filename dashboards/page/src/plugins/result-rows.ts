import type { Meaning } from '../units.ts';
import { calculate, partsOf, type Answers } from './parts.ts';

interface Cell extends Meaning {
  value: number | null;
}

/** What a row is about. */
export interface Subject {
  kind: 'device' | 'site' | 'customer';
  /** Unique in a fleet too, where customers may have devices with the same id. */
  key: string;
  customerId: string | undefined;
}

interface ResultRow {
  key: string;
  name: string;
  /** Null for a tariff period, the total and the rest. */
  subject: Subject | null;
  /** The values of this row, for each query. A query has several if its cost is in several currencies. */
  cells: Cell[][];
}

/** The labels that identify a row: two sites may have devices with the same name. */
const idsIn = ['customerId', 'siteId', 'deviceId', 'period', 'line'] as const;

/** Puts answers side by side. Everything that occurs in one of them gets a row. */
export function resultRows(answers: Answers): ResultRow[] {
  const rows = new Map<string, ResultRow>();
  for (const [column, answer] of answers.entries()) {
    for (const [index, part] of partsOf(answer).entries()) {
      const { name = part.name, labels = {} } = answer.data.series[index] ?? {};
      const key = JSON.stringify([name, ...idsIn.map((id) => labels[id])]);
      const row = rows.get(key) ?? { key, name, subject: subjectOf(labels), cells: answers.map(() => []) };
      row.cells[column]?.push({ ...part, value: calculate('last-number', part) });
      rows.set(key, row);
    }
  }
  return [...rows.values()].filter(({ cells }) => cells.flat().some(({ value }) => value !== null));
}

function subjectOf({ deviceId, siteId, customerId, period }: Record<string, string>): Subject | null {
  const kind = deviceId !== undefined ? 'device' : siteId !== undefined ? 'site' : 'customer';
  const id = deviceId ?? siteId ?? customerId;
  if (id === undefined || period !== undefined) return null;
  return { kind, key: subjectKey(id, kind === 'customer' ? undefined : customerId), customerId };
}

export const subjectKey = (id: string, customerId: string | null | undefined): string => `${customerId ?? ''} ${id}`;
