import type { TariffPeriodWrite } from '../../../../shared/rates.ts';
import { typedNumber, writeDecimal } from '../../lib/decimal.ts';
import {
  coverageOf,
  coverageOfCells,
  minutesPerWeek,
  newTime,
  overlapsItself,
  windowOf,
  windowsOf,
  writeTimeOfDay,
  type CellRange,
  type Coverage,
  type WeekTime,
  type WeekWindow,
} from '../../entities/week-windows.ts';

/** A rate to paint with: a name, a price, and the times at which it applies. The API has one period for each of these times. */
export interface Band {
  key: string;
  name: string;
  /** The price as typed, per kWh. */
  rate: string;
  times: readonly WeekTime[];
}

let made = 0;
const newKey = (): string => `${(made += 1)}`;

export const newBand = (): Band => ({ key: newKey(), name: '', rate: '', times: [] });

const windowsIn = ({ times }: Pick<Band, 'times'>): WeekWindow[] => times.flatMap((time) => windowOf(time) ?? []);

/** The minutes of the week that the band covers. */
export const bandCoverage = (band: Pick<Band, 'times'>): Coverage => coverageOf(windowsIn(band));

/** Each window keeps its key as long as its times are the same, so that its field stays while the user types. */
function timesOf(coverage: Coverage, before: readonly WeekTime[]): WeekTime[] {
  const written = windowsOf(coverage).map(({ daysOfWeek, startMinute, endMinute }) => ({
    daysOfWeek,
    start: writeTimeOfDay(startMinute),
    end: writeTimeOfDay(endMinute),
  }));
  const same = (a: Omit<WeekTime, 'key'>, b: WeekTime) =>
    a.daysOfWeek === b.daysOfWeek && a.start === b.start && a.end === b.end;
  const unread = before.filter((time) => windowOf(time) === undefined);
  return [...written.map((time) => before.find((known) => same(time, known)) ?? { ...newTime(), ...time }), ...unread];
}

/**
 * Paints cells with a band, or with the default rate (null). The cells are removed from all other bands. Bands without changes
 * keep their times as typed.
 */
export function paint(bands: readonly Band[], key: string | null, cells: CellRange): Band[] {
  const painted = coverageOfCells(cells);
  return bands.map((band) => {
    const isBrush = band.key === key;
    const before = bandCoverage(band);
    const after = before.map((minute, at) => (painted[at] === 1 ? (isBrush ? 1 : 0) : minute));
    return after.every((minute, at) => minute === before[at]) ? band : { ...band, times: timesOf(after, band.times) };
  });
}

/** Whether every minute of the cells belongs to this band and to no other. */
export function isPaintedWith(bands: readonly Band[], key: string | null, cells: CellRange): boolean {
  const painted = coverageOfCells(cells);
  return bands.every((band) => {
    const coverage = bandCoverage(band);
    return painted.every((minute, at) => minute === 0 || coverage[at] === (band.key === key ? 1 : 0));
  });
}

export interface BandOverlap {
  first: Band;
  second: Band;
  windows: WeekWindow[];
}

/** The minutes in two bands, for each pair of bands. Times of one band may overlap, because they cost the same. */
export function findOverlaps(bands: readonly Band[]): BandOverlap[] {
  const owners: (Band | undefined)[] = Array.from({ length: minutesPerWeek });
  const shared = new Map<string, { first: Band; second: Band; coverage: Coverage }>();
  for (const band of bands) {
    for (const [minute, isCovered] of bandCoverage(band).entries()) {
      if (isCovered === 0) continue;
      const owner = owners[minute];
      owners[minute] ??= band;
      if (owner === undefined) continue;
      const pair = `${owner.key} ${band.key}`;
      const overlap = shared.get(pair) ?? { first: owner, second: band, coverage: new Uint8Array(minutesPerWeek) };
      overlap.coverage[minute] = 1;
      shared.set(pair, overlap);
    }
  }
  return [...shared.values()].map(({ coverage, ...pair }) => ({ ...pair, windows: windowsOf(coverage) }));
}

/** Makes bands of the periods that have the same name and rate, in their order. `separator` comes before decimals. */
export function bandsOf(periods: readonly TariffPeriodWrite[], separator: string): Band[] {
  const bands = new Map<string, Band>();
  for (const { name, ratePerKwh, daysOfWeek, startTime, endTime } of periods) {
    const id = `${ratePerKwh} ${name}`;
    const band = bands.get(id) ?? { key: newKey(), name, rate: writeDecimal(ratePerKwh, separator), times: [] };
    const time = { key: newKey(), daysOfWeek, start: startTime, end: endTime };
    bands.set(id, { ...band, times: [...band.times, time] });
  }
  return [...bands.values()];
}

/** The periods of the bands as they are stored. A rate that is no number is NaN. */
export function periodsOf(bands: readonly Band[], separator: string): TariffPeriodWrite[] {
  return bands.flatMap((band) => {
    const windows = windowsIn(band);
    // The portal rejects times that overlap, even if they cost the same.
    const once = overlapsItself(windows) ? windowsOf(coverageOf(windows)) : windows;
    return once.map(({ daysOfWeek, startMinute, endMinute }) => ({
      name: band.name.trim(),
      daysOfWeek,
      startTime: writeTimeOfDay(startMinute),
      endTime: writeTimeOfDay(endMinute),
      ratePerKwh: typedNumber(band.rate, separator) ?? Number.NaN,
    }));
  });
}
