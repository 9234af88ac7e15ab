import type { TimeSeriesData } from '@perses-dev/core';
import type { PanelData } from '@perses-dev/plugin-system';
import type { Calculation } from '../../../../shared/dashboard-panels.ts';
import { nameNumber, toneOfCharge } from '../../../../shared/charts/drawing.ts';
import type { Meaning } from '../units.ts';

export type Answers = readonly PanelData<TimeSeriesData>[];

/** A series of an answer. */
export interface Part extends Meaning {
  /** Unique in an answer: two sites may have devices with the same name. */
  key: string;
  /** The name of the series, with a unit if the panel has several units. */
  name: string;
  points: readonly (readonly [atMs: number, value: number | null])[];
  /** The color, as in the portal's charts. */
  colorNumber?: number;
  tone?: 'others' | 'dimmed';
  /** The number of series that this one sums up, if the answer has no space for all of them. */
  others?: number;
  /** The value of the series over the whole time range. Undefined if the series has one point, which is this value. */
  total?: number | null;
}

/** The description of a series is in its labels, because Perses keeps nothing else. */
export const partsOf = ({ data }: Answers[number]): Part[] =>
  data.series.map(({ name, formattedName = name, labels, values }) => ({
    key: JSON.stringify([formattedName, labels]),
    name: formattedName,
    measure: labels?.['measure'] ?? '',
    unit: labels?.['unit'] ?? '1',
    points: values,
    ...(labels?.['others'] !== undefined && { others: Number(labels['others']) }),
    ...(labels?.['total'] !== undefined && { total: numberIn(labels['total']) }),
    ...colorOf(labels ?? {}),
  }));

function colorOf({ color, line, period = '', customerId }: Record<string, string>): Pick<Part, 'colorNumber' | 'tone'> {
  if (color !== undefined) return { colorNumber: Number(color) - 1 };
  const tone = line === undefined ? undefined : toneOfCharge[line];
  if (tone !== undefined) return { tone };
  if (line !== undefined) return { colorNumber: nameNumber(line === 'energy' ? period : line) };
  return customerId === undefined ? {} : { colorNumber: nameNumber(customerId) };
}

const numberIn = (json: string): number | null => (json === 'null' ? null : Number(json));

export const hasValue = ({ points }: Pick<Part, 'points'>): boolean => points.some(([, value]) => value !== null);

/** With more names a legend is useless, and with more colors they cannot be told apart. */
export const maxNamed = 8;

/** The largest series in their order. A chart only says how many others there are. */
export function namedParts(parts: readonly Part[]): { named: Part[]; rest: Part[]; restCount: number } {
  const sizes = new Map(
    parts.map((part) => [part, part.points.reduce((sum, [, value]) => sum + Math.abs(value ?? 0), 0)]),
  );
  const known = parts.filter(({ others }) => others === undefined);
  const bySize = known.toSorted((a, b) => (sizes.get(b) ?? 0) - (sizes.get(a) ?? 0));
  const large = new Set(bySize.slice(0, maxNamed));
  const rest = parts.filter((part) => !large.has(part));
  const restCount = rest.reduce((sum, { others = 1 }) => sum + others, 0);
  return { named: known.filter((part) => large.has(part)), rest, restCount };
}

/** One value of a series; null if unknown. */
export function calculate(calculation: Calculation, { points, total }: Part): number | null {
  if (calculation === 'total' && total !== undefined) return total;
  const values = points.flatMap(([, value]) => value ?? []);
  const last = values.at(-1);
  if (last === undefined) return null;
  if (calculation === 'total' || calculation === 'last-number') return last;
  if (calculation === 'min') return values.reduce((a, b) => Math.min(a, b));
  if (calculation === 'max') return values.reduce((a, b) => Math.max(a, b));
  const sum = values.reduce((a, b) => a + b);
  return calculation === 'sum' ? sum : sum / values.length;
}
