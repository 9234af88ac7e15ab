import type { TimeSeriesData } from '@perses-dev/core';
import type { PanelData } from '@perses-dev/plugin-system';
import type { Calculation } from '../../../../shared/dashboard-panels.ts';
import { nameNumber } from '../../../../web/src/charts/drawing.ts';
import type { Meaning } from '../units.ts';

export type Answers = readonly PanelData<TimeSeriesData>[];

/** A series of an answer. */
export interface Part extends Meaning {
  /** No other of an answer has it: two sites may have devices of one name. */
  key: string;
  /** What it is of: with a unit where a panel has several. */
  name: string;
  points: readonly (readonly [atMs: number, value: number | null])[];
  /** As in the charts of the portal. */
  colorNumber?: number;
}

/** What our queries say of a series, in its labels, which are all that Perses keeps of it. */
export const partsOf = ({ data }: Answers[number]): Part[] =>
  data.series.map(({ name, formattedName = name, labels, values }) => ({
    key: JSON.stringify([formattedName, labels]),
    name: formattedName,
    measure: labels?.['measure'] ?? '',
    unit: labels?.['unit'] ?? '1',
    points: values,
    ...colorOf(labels ?? {}),
  }));

function colorOf({ color, line, period = '' }: Record<string, string>): Pick<Part, 'colorNumber'> {
  if (color !== undefined) return { colorNumber: Number(color) - 1 };
  return line === undefined ? {} : { colorNumber: nameNumber(line === 'energy' ? period : line) };
}

/** One value of a series; null where nothing is known. */
export function calculate(calculation: Calculation, { points }: Part): number | null {
  const values = points.flatMap(([, value]) => value ?? []);
  const last = values.at(-1);
  if (last === undefined) return null;
  if (calculation === 'last-number') return last;
  if (calculation === 'min') return values.reduce((a, b) => Math.min(a, b));
  if (calculation === 'max') return values.reduce((a, b) => Math.max(a, b));
  const sum = values.reduce((a, b) => a + b);
  return calculation === 'sum' ? sum : sum / values.length;
}
