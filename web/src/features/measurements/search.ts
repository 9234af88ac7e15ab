import type { Bucket } from '../../../../shared/primitives.ts';
import { byName, quantitiesWith } from '../../../../shared/quantities.ts';
import type { ChartBucket } from '../../../../shared/charts/buckets.ts';
import { readIds } from '../../lib/device-choice.ts';
import { readSpan, readTimeRangeSearch, spanText, type TimeRangeSearch } from '../../lib/time-range.ts';

/** Quantities charted as averages. */
const averagedQuantities = quantitiesWith('power', 'mean', 'factor');
export type AveragedQuantity = (typeof averagedQuantities)[number]['name'];
/** Quantities charted as bars: energy by interval. */
const energyQuantities = ['energyImported', 'energyExported'] as const;
export type EnergyQuantity = (typeof energyQuantities)[number];

/** Everything that a chart of Measurements can show. */
export const chartedQuantities = [...averagedQuantities.map(({ name }) => name), ...energyQuantities] as const;
export type ChartedQuantity = (typeof chartedQuantities)[number];
export const isEnergy = (quantity: ChartedQuantity): quantity is EnergyQuantity =>
  energyQuantities.some((one) => one === quantity);
/** The unit of a chart, and whether its axis includes zero. */
export const quantityKinds = {
  ...byName(averagedQuantities, ({ unit = '', hasZero }) => ({ unit, hasZero })),
  energyImported: { unit: 'kWh', hasZero: true },
  energyExported: { unit: 'kWh', hasZero: true },
};
export const defaultQuantity: ChartedQuantity = 'activePowerKw';

export const buckets = ['minute', '5min', '15min', 'hour', 'day'] as const satisfies readonly Bucket[];

/** The search parameters of Measurements: a link reproduces the view. */
export interface MeasurementsSearch extends TimeRangeSearch {
  /** Id of the customer whose readings are shown, in the Admin mode. */
  customer?: string;
  /** Ids of devices, separated by commas, or `all`. If absent: the devices that were shown last, otherwise all. */
  devices?: string;
  /** If absent, {@link defaultQuantity}. */
  quantity?: ChartedQuantity;
  /** If absent, the length of the range decides. */
  bucket?: ChartBucket;
  /** The part of the range that the chart shows, as two instants. */
  zoom?: string;
}

export function readMeasurementsSearch(search: Record<string, unknown>): MeasurementsSearch {
  const [customer] = readIds(search.customer)?.split(',') ?? [];
  const devices = search.devices === 'all' ? 'all' : readIds(search.devices);
  const quantity = chartedQuantities.find((one) => one === search.quantity);
  const bucket = search.bucket === 'month' ? 'month' : buckets.find((one) => one === search.bucket);
  const zoom = readSpan(search.zoom);
  return {
    ...readMeasuredRange(search),
    ...(customer === undefined ? {} : { customer }),
    ...(devices === undefined ? {} : { devices }),
    ...(quantity === undefined || quantity === defaultQuantity ? {} : { quantity }),
    ...(bucket === undefined ? {} : { bucket }),
    ...(zoom === null ? {} : { zoom: spanText(zoom) }),
  };
}

/** Measurements open over 24 hours: today is empty at midnight. */
export const measuredPreset = 'last24h';

function readMeasuredRange(search: Record<string, unknown>): TimeRangeSearch {
  const range = readTimeRangeSearch(search);
  if (range.range !== undefined || range.from !== undefined) return range;
  return { ...range, range: search['range'] === 'today' ? 'today' : measuredPreset };
}
