import type { CostGroup } from '../../shared/dashboard.ts';
import type { BreakdownPart, ChargedSite } from './cost-statement.rules.ts';
import { emptyPricedEnergy, paysFixedCharge, sumPriced } from './costs.rules.ts';
import { addsUp } from '../energy/device-tree.rules.ts';
import type { PeakDemand } from '../energy/power.rules.ts';
import { dayOf, daysPerWeek, weekOf } from '../energy/energy.rules.ts';
import {
  addPiece,
  type DeviceTotals,
  emptyTotals,
  greater,
  linesOf,
  openPieceSum,
  type Piece,
  type PieceHead,
  type PieceSum,
  type PricedGroup,
  type SitePiece,
} from './energy-pieces.rules.ts';
import {
  countTariffDays,
  localDays,
  noTariffDays,
  type PricedInterval,
  priceTimeline,
  type Tariff,
  type TariffDays,
  tariffDaysOf,
} from './tariffs.rules.ts';
import { type MicrosRange, unionOf, dayMicros } from '../base/instants.ts';
import type { SiteRanges } from '../base/ranges.ts';

/** Everything that determines the price of a site's energy. */
export interface PricedSite {
  siteId: string;
  /** Sites of one municipality share its prices. */
  municipalityId: string;
  timeZone: string;
  /** The requested range, in its time zone. */
  range: MicrosRange;
  tariffs: readonly Tariff[];
  /** The days of the whole range. */
  days: TariffDays;
  /** The parts into which its energy is split in addition to its total, ascending. Empty if it is not split. */
  groups: readonly DayGroup[];
}

export interface TotalledDevice {
  number: number;
  siteId: string;
  isActive: boolean;
  /** Null if the device adds up. Otherwise the device whose energy includes that of this one. */
  countedIn: string | null;
}

/** How the energy of a site is grouped in addition to its total: by local date, by month, or not at all. */
export type TotalsGroup = 'day' | 'month' | null;
type DayGroup = Omit<PricedGroup, 'priced'>;

export interface SiteTotals extends ChargedSite {
  /** The parts of a site by local date or month. Empty if energy is not grouped. */
  parts: Omit<BreakdownPart, 'siteId'>[];
}

export interface EnergyTotals {
  /** The pieces that contain the days from `fromDay` up to `toDay`, in the order in which `add` needs their sums. */
  listPieces: (days: { fromDay: number; toDay: number }) => Generator<Piece, void>;
  /** The first days of a piece, up to `toDay`. */
  headOf: (piece: Piece, toDay: number) => Piece;
  openSum: (piece: Piece, options?: { after?: PieceHead | undefined; isHead?: boolean }) => PieceSum;
  add: (piece: Piece, sums: Float64Array) => void;
  devices: ReadonlyMap<number, DeviceTotals>;
  /** The peak of the sum of all devices that add up. */
  findPeak: () => PeakDemand | null;
  totalSites: () => SiteTotals[];
}

const numbersOf = (devices: readonly TotalledDevice[]) => ({
  devices: devices.map(({ number }) => number),
  apart: devices.filter((device) => !addsUp(device)).map(({ number }) => number),
});

/** The parts of a breakdown. The totals must have been grouped in the same way. `period` means the range as a whole. */
export const partsOf = (sites: readonly SiteTotals[], group: CostGroup): BreakdownPart[] =>
  sites.flatMap(({ siteId, priced, days, parts }) =>
    group === 'period' ? [{ siteId, group: null, priced, days }] : parts.map((part) => ({ siteId, ...part })),
  );

/** Adds up energy, cost, demand and power of devices over a range (energy-and-cost.md 3 to 7), piece by piece. */
export function createEnergyTotals(sites: readonly PricedSite[], devices: readonly TotalledDevice[]): EnergyTotals {
  const totals = new Map(devices.map((device): [number, DeviceTotals] => [device.number, emptyTotals()]));
  const devicesOf = Map.groupBy(devices, (device) => device.siteId);
  const groupsOf = new Map(
    sites.map(({ siteId, groups }) => [siteId, groups.map((group) => ({ ...group, priced: emptyPricedEnergy() }))]),
  );
  // Each device counts only within the range of its own site. So a quarter-hour at the ends may contain only some of the
  // devices.
  const whole = unionOf(sites.map((site) => site.range));
  let peak: PeakDemand | null = null;

  const pieceOf = (days: { fromDay: number; toDay: number }): Piece => {
    const timelines = new Map<string, PricedInterval[]>();
    const [startMicros, endMicros] = [days.fromDay * dayMicros, days.toDay * dayMicros];
    const sitePieces = sites.map(({ siteId, municipalityId, range, timeZone, tariffs }): SitePiece => {
      const fromMicros = Math.max(range.fromMicros, startMicros);
      const toMicros = Math.min(range.toMicros, endMicros);
      const timeline = timelines.get(municipalityId) ?? priceTimeline({ fromMicros, toMicros }, timeZone, tariffs);
      timelines.set(municipalityId, timeline);
      const own = devicesOf.get(siteId) ?? [];
      const groups = groupsOf.get(siteId) ?? [];
      const touched = groups.slice(
        countWhile(groups, ({ days }) => (days.at(-1)?.toMicros ?? 0) <= fromMicros),
        countWhile(groups, ({ days }) => (days[0]?.fromMicros ?? 0) < toMicros),
      );
      return { range, ...numbersOf(own), timeline, ...linesOf(timeline), groups: touched };
    });
    return { ...days, sites: sitePieces };
  };

  return {
    *listPieces({ fromDay, toDay }) {
      const [first, end] = [dayOf(whole.fromMicros), dayOf(whole.toMicros - 1) + 1];
      for (let week = weekOf(fromDay); week < toDay; week += daysPerWeek) {
        yield pieceOf({ fromDay: Math.max(first, week), toDay: Math.min(end, week + daysPerWeek) });
      }
    },
    headOf: ({ fromDay }, toDay) => pieceOf({ fromDay, toDay }),
    openSum: (piece, options) => openPieceSum(piece, whole, options),
    add(piece, sums) {
      peak = greater(peak, addPiece(sums, piece, totals));
    },
    devices: totals,
    findPeak: () => peak,
    totalSites: () =>
      sites.map(({ siteId, days }) => {
        const own = devicesOf.get(siteId) ?? [];
        const priced = sumPriced(own.filter(addsUp).flatMap(({ number }) => totals.get(number)?.priced ?? []));
        const isCharged = paysFixedCharge(own);
        return {
          siteId,
          priced,
          days: isCharged ? days : noTariffDays,
          devices: own.flatMap((device) => {
            const found = totals.get(device.number);
            return found === undefined ? [] : [{ number: device.number, priced: found.priced, addsUp: addsUp(device) }];
          }),
          parts: (groupsOf.get(siteId) ?? []).map((part) => ({
            group: part.key,
            priced: part.priced,
            days: isCharged ? countTariffDays(part.days) : noTariffDays,
          })),
        };
      }),
  };
}

/** Binary search: the length of the prefix that satisfies the condition. */
function countWhile<Item>(items: readonly Item[], holds: (item: Item) => boolean): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const item = items[middle];
    if (item !== undefined && holds(item)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** How a site in a municipality is priced by its tariffs. */
export function priceSite(
  { municipalityId, timeZone }: Pick<PricedSite, 'municipalityId' | 'timeZone'>,
  tariffs: readonly Tariff[],
  ranges: SiteRanges,
  group: TotalsGroup,
): Omit<PricedSite, 'siteId'> {
  const range = ranges.of(timeZone);
  const days = tariffDaysOf(range, timeZone, tariffs);
  return { municipalityId, timeZone, range, tariffs, days, groups: groupDays(range, timeZone, tariffs, group) };
}

/** The groups of a range in a time zone. */
function groupDays(range: MicrosRange, timeZone: string, tariffs: readonly Tariff[], group: TotalsGroup): DayGroup[] {
  const groups: DayGroup[] = [];
  if (group === null) return groups;
  for (const day of localDays(range, timeZone, tariffs)) {
    // A date of the year 10000 is one character longer.
    const key = group === 'day' ? day.date : day.date.slice(0, -'-01'.length);
    const last = groups.at(-1);
    if (last?.key === key) last.days.push(day);
    else groups.push({ key, days: [day] });
  }
  return groups;
}
