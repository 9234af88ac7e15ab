import { type SeriesAnswer, type Split, toolLimits } from '../../shared/dashboard-tool.ts';
import type { BreakdownLine } from '../rates/cost-statement.rules.ts';
import { refuse } from '../base/errors.ts';
import { minorDigits } from '../../shared/primitives.ts';
import { type CalendarDates, type SiteRanges, startOfDay } from '../base/ranges.ts';
import { type BucketSize, siteEdges } from '../base/buckets.ts';
import { dateAt, type MicrosRange } from '../base/instants.ts';

/** A part of the devices with a series or total of its own. */
export interface Part {
  key: string;
  name: string;
  labels: Record<string, string>;
}

/** The owner of devices: a Client (both null), or a customer of the fleet. */
interface Owner {
  labels: { customerId: string | null; customerName: string | null };
}

interface OwnedDevice {
  number?: number;
  siteNumber?: number;
  id: string;
  name: string;
  siteId: string;
  siteName: string;
}

/** Finds the part that a device belongs to. */
export type PartOf = (source: Owner, device: OwnedDevice) => Part;

const ofAll: Part = { key: 'all', name: 'Total', labels: {} };

interface OwnedDevices extends Owner {
  devices: readonly OwnedDevice[];
}

/** How the devices of some sources are split. With `period` all are one part, which is split by its amounts later. */
export function splitDevices(sources: readonly OwnedDevices[], split: Split): PartOf {
  const named = new Set<string>();
  const ambiguous = new Set<string>();
  for (const { name } of sources.flatMap(({ devices }) => devices)) (named.has(name) ? ambiguous : named).add(name);
  const join = (...names: (string | null)[]) => names.filter((name) => name !== null).join(' · ');
  return ({ labels: { customerId, customerName } }, device) => {
    if (split === 'none' || split === 'period') return ofAll;
    const ofCustomer = customerId === null ? {} : { customerId, customer: customerName ?? '' };
    if (split === 'customer') return { key: customerId ?? '', name: customerName ?? '', labels: ofCustomer };
    const shown = sources.length > 1 ? customerName : null;
    const ofSite = { ...ofCustomer, siteId: device.siteId, site: device.siteName };
    const colored = (number?: number) => (number === undefined ? {} : { color: String(number) });
    if (split === 'site') {
      const labels = { ...ofSite, ...colored(device.siteNumber) };
      return { key: join(customerId, device.siteId), name: join(shown, device.siteName), labels };
    }
    const siteName = ambiguous.has(device.name) ? device.siteName : null;
    return {
      key: join(customerId, device.id),
      name: join(shown, siteName, device.name),
      labels: { ...ofSite, deviceId: device.id, device: device.name, ...colored(device.number) },
    };
  };
}

/** The parts of all devices, in their order. Throws `invalid` if there are too many for one answer. */
export function listParts(
  sources: readonly OwnedDevices[],
  partOf: PartOf,
  { split, limit }: { split: Split; limit: number },
): Part[] {
  const parts = new Map<string, Part>();
  for (const source of sources) {
    for (const device of source.devices) {
      const part = partOf(source, device);
      parts.set(part.key, part);
    }
  }
  refuseTooMany(parts.size, { split, limit });
  return othersLast([...parts.values()]);
}

export function refuseTooMany(count: number, { split, limit }: { split: Split; limit: number }): void {
  if (count <= limit) return;
  throw refuse('manyParts', { split, count, max: limit }, { field: 'split' });
}

/** The part of those that are too many to be named. */
export function unnamedPart(count: number): Part {
  const name = `Others (${count})`;
  return { key: others, name, labels: { customer: name, [others]: String(count) } };
}
const others = 'others';

export const othersLast = <Item extends Pick<Part, 'labels'>>(items: readonly Item[]): Item[] =>
  items.toSorted((a, b) => Number(others in a.labels) - Number(others in b.labels));

/** The part in one currency. */
export const inCurrency = (part: Part, currency: string): Part => ({
  key: JSON.stringify([part.key, currency]),
  name: part.name,
  labels: { ...part.labels, currency },
});

/** A part of a line of the cost: a period of a tariff, or a charge on top, even if a period has the same name. */
export const inPeriod = (part: Part, line: BreakdownLine['kind'], period: string): Part => ({
  key: JSON.stringify([part.key, line, period]),
  name: period,
  labels: { ...part.labels, period, line },
});

/** The sum of two rounded amounts, without floating-point noise. */
export function addMoney(a: number, b: number, currency: string): number {
  const perUnit = 10 ** minorDigits(currency);
  return Math.round((a + b) * perUnit) / perUnit;
}

export type Step = SeriesAnswer['bucket'];

const seconds = { minute: 60, '5min': 300, '15min': 900, hour: 3600, day: 86_400, month: 2_592_000 } as const;
const steps = ['minute', '5min', '15min', 'hour', 'day', 'month'] as const satisfies Step[];
/** About one point for each pixel of a chart. */
const usualPoints = 1_000;

/**
 * The requested step, or the next larger one within the limit of points. `fits` tells whether the measure allows a step
 * with that many points.
 */
export function chooseStep(
  asked: number | 'auto',
  { fromMicros, toMicros }: MicrosRange,
  fits: (step: Step, points: number) => boolean,
): Step {
  const length = (toMicros - fromMicros) / 1_000_000;
  const least = asked === 'auto' ? length / usualPoints : asked;
  const isRight = (step: Step) => {
    const points = Math.ceil(length / seconds[step]) + 1;
    return points <= toolLimits.points && fits(step, points);
  };
  const found = steps.find((step) => seconds[step] >= least && isRight(step)) ?? steps.findLast(isRight);
  if (found !== undefined) return found;
  throw refuse('manyPoints', { max: toolLimits.points }, { field: 'to' });
}

/** The portal's `siteEdges`, with months: the days and months of local dates are each site's own. */
export function edgesOf(ranges: SiteRanges, step: Step, sharedZone: string): (timeZone: string) => readonly number[] {
  if (step !== 'month') return siteEdges(ranges, step, sharedZone);
  const months = monthsOf(ranges.dates ?? datesIn(ranges.all, sharedZone));
  const known = new Map<string, number[]>();
  const edgesIn = (timeZone: string) => months.map((month) => startOfDay(month, timeZone));
  return (timeZone) => known.getOrInsertComputed(ranges.dates === null ? sharedZone : timeZone, edgesIn);
}

/** The first days of the months that some dates touch, and that of the month after. */
function monthsOf({ fromDate, toDate }: CalendarDates): string[] {
  const months: string[] = [];
  for (let month = Temporal.PlainDate.from(fromDate).with({ day: 1 }); ; month = month.add({ months: 1 })) {
    months.push(month.toString());
    if (Temporal.PlainDate.compare(month, toDate) >= 0) return months;
  }
}

/** The local dates that a range touches. */
const datesIn = ({ fromMicros, toMicros }: MicrosRange, timeZone: string): CalendarDates => ({
  fromDate: dateAt(fromMicros, timeZone).toString(),
  toDate: dateAt(toMicros - 1, timeZone)
    .add({ days: 1 })
    .toString(),
});

/** The bucket size by which the portal reads a step: months are read from the same quarter-hours as days. */
export const sizeOf = (step: Step): BucketSize => (step === 'month' ? 'day' : step);

/** The maximum number of device reads that are kept for waiting queries; they take about ten megabytes. */
const maxWeight = 20_000;

interface Shared<T> {
  begunAt: number;
  weight: number;
  result: Promise<T>;
}

/**
 * Lets queries share a read that began after they arrived, so that few reads answer all panels of a dashboard, and no answer is
 * older than its query.
 */
export class Sharing<T> {
  #time = 0;
  #weight = 0;
  readonly #asking = new Set<number>();
  readonly #shared = new Map<string, Shared<T>>();

  /** How many reads are kept. */
  get size(): number {
    return this.#shared.size;
  }

  /** Does the work of a query; reads kept only for it are dropped afterwards. */
  async during<Answer>(work: (cameAt: number) => Promise<Answer>): Promise<Answer> {
    const cameAt = (this.#time += 1);
    this.#asking.add(cameAt);
    try {
      return await work(cameAt);
    } finally {
      this.#asking.delete(cameAt);
      for (const [key, { begunAt }] of this.#shared) {
        if (![...this.#asking].some((other) => other < begunAt)) this.#forget(key);
      }
    }
  }

  /** `key` must contain everything that the read depends on, including the user. If a read fails, each of the others tries again. */
  async read(key: string, { cameAt, weight }: { cameAt: number; weight: number }, read: () => Promise<T>): Promise<T> {
    const known = this.#shared.get(key);
    if (known !== undefined && known.begunAt > cameAt) {
      const settled = await Promise.allSettled([known.result]);
      if (settled[0].status === 'fulfilled') return settled[0].value;
    }
    this.#forget(key);
    const begunAt = (this.#time += 1);
    const result = read();
    if (this.#weight + weight > maxWeight) return result;
    this.#shared.set(key, { begunAt, weight, result });
    this.#weight += weight;
    return result;
  }

  #forget(key: string): void {
    this.#weight -= this.#shared.get(key)?.weight ?? 0;
    this.#shared.delete(key);
  }
}
