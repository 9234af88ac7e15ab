import { hasValues, middle, nearestIndex, type ChartData } from '../../../shared/charts/chart-data.ts';
import { linesWithBands, type ChartColors, type DrawnLine } from '../../../shared/charts/drawing.ts';

/** A comparison in a chart: one line over its own buckets, perhaps with a band. */
export interface ChartReference {
  id: string;
  name: string;
  isShown: boolean;
  /** Whether there is nothing to show, so that the legend leaves it out. */
  isAbsent?: boolean;
  /** The data of one series. Null while it loads, or if it is not requested. */
  data: ChartData | null;
}

/** The references that are drawn. */
export const shownReferences = (references: readonly ChartReference[]) =>
  references.flatMap(({ isShown, data, ...one }) =>
    isShown && data !== null && hasValues(data) ? [{ ...one, data }] : [],
  );
export type ShownReference = ReturnType<typeof shownReferences>[number];

const dashes = [{}, { dash: 'dashed' }, { dash: 'dotted' }] as const;

/** Thin lines on top of everything else. Each has its own dashes and no color of a series. */
export function referenceLines(
  references: readonly ShownReference[],
  order: readonly string[],
  colors: ChartColors,
): DrawnLine[] {
  return references.flatMap(({ id, data }) => {
    // A series of the chart may have the same id.
    const ownId = `reference ${id}`;
    const own = { ...data, series: data.series.map((one) => ({ ...one, id: ownId })) };
    const style = { width: 1.25, ...dashes[order.indexOf(id) % dashes.length] };
    return linesWithBands(own, new Map([[ownId, colors.text]])).map((line) => ({
      ...line,
      ...(line.fill === undefined ? style : { fill: 0.13 }),
    }));
  });
}

export interface ReferenceValue {
  value: number | null;
  low: number | null;
  high: number | null;
}

/** The values of a reference at an instant; all null outside its buckets. */
export function referenceAt({ data }: ShownReference, atMs: number): ReferenceValue {
  const index = nearestIndex(data, atMs);
  const isInside = atMs >= (data.startsMs[index] ?? Infinity) && atMs < (data.endsMs[index] ?? -Infinity);
  const [series] = isInside ? data.series : [];
  return {
    value: series?.values[index] ?? null,
    low: series?.lows?.[index] ?? null,
    high: series?.highs?.[index] ?? null,
  };
}

/** The same values, in the middle of a bucket of the chart. */
export const referenceIn = (reference: ShownReference, data: ChartData, index: number): ReferenceValue =>
  referenceAt(reference, middle(data, index));
