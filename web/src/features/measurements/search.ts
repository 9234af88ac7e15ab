import type { Bucket } from '../../../../shared/measurements.ts';
import { readTimeRangeSearch, type TimeRangeSearch } from '../../lib/time-range.ts';

/** What a chart of Measurements can show, in the order of the wire. */
export const chartedQuantities = [
  'activePowerKw',
  'reactivePowerKvar',
  'apparentPowerKva',
  'powerFactor',
  'voltageV',
  'frequencyHz',
] as const;
export type ChartedQuantity = (typeof chartedQuantities)[number];
export const defaultQuantity: ChartedQuantity = 'activePowerKw';

export const buckets = ['minute', '5min', '15min', 'hour', 'day'] as const satisfies readonly Bucket[];

/** The search parameters of Measurements: a link reproduces the view. */
export interface MeasurementsSearch extends TimeRangeSearch {
  /** Id of the customer whose readings are shown, in the Admin mode. */
  customer?: string;
  /** Ids of devices with commas between them, or `all`; absent is the first active device. */
  devices?: string;
  /** Absent is {@link defaultQuantity}. */
  quantity?: ChartedQuantity;
  /** Absent is chosen by the length of the range. */
  bucket?: Bucket;
}

/** The form of an id, so that a mistyped link shows the first device rather than an error. */
const id = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function readMeasurementsSearch(search: Record<string, unknown>): MeasurementsSearch {
  const customer = typeof search.customer === 'string' && id.test(search.customer) ? search.customer : undefined;
  const devices = readDevices(search.devices);
  const quantity = chartedQuantities.find((one) => one === search.quantity);
  const bucket = buckets.find((one) => one === search.bucket);
  return {
    ...readTimeRangeSearch(search),
    ...(customer === undefined ? {} : { customer }),
    ...(devices === undefined ? {} : { devices }),
    ...(quantity === undefined || quantity === defaultQuantity ? {} : { quantity }),
    ...(bucket === undefined ? {} : { bucket }),
  };
}

function readDevices(text: unknown): string | undefined {
  if (typeof text !== 'string') return undefined;
  if (text === 'all') return 'all';
  const ids = text.split(',').filter((item) => id.test(item));
  return ids.length === 0 ? undefined : [...new Set(ids)].join(',');
}
