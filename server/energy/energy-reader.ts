import type { SiteRanges } from '../base/ranges.ts';
import { addReadings, emptyStatistics } from './statistics.rules.ts';
import {
  countExactSamples,
  countSamples,
  type DaysFilter,
  listEnergyDays,
  nameEnergyDays,
  openDay,
  storedDay,
} from './energy-days.sql.ts';
import { findSums, type KeptSum, keyOfSums, listWeekVersions } from './energy-sums.sql.ts';
import {
  isFlagIn,
  listFlags,
  type StoredFlag,
  type EnergyFailure,
  listFailures,
  listGaps,
} from './energy-flags.sql.ts';
import { listHoles } from './intervals.sql.ts';
import { type ChosenDevice, findKeptFrom } from './measurements.sql.ts';
import type { Transaction } from '../database/pool.ts';
import { yieldOrAbort } from '../database/turns.ts';
import {
  spanOfReadings,
  wholeSpan,
  dayOf,
  type StoredDay,
  weekOf,
  gapsOfIntervals,
  slotMicros,
  applyPatch,
  clearOutside,
  type CutSlot,
  cutSlots,
  type EnergyPatch,
  estimateCut,
} from './energy.rules.ts';
import { daysOfGap, type EnergyGap } from './energy-window.rules.ts';
import { dayMicros, type MicrosRange } from '../base/instants.ts';
import type { EnergyOverlay } from './materialize-energy.ts';
import { type MeasuredDevice, measureCuts, type MeasuredGrid } from './measure-grids.ts';

/** A device with the spans of its registers in a snapshot. */
export type SnapshotDevice = ChosenDevice & MeasuredDevice;

/** Days since 1970-01-01 (UTC), half-open. */
interface Days {
  fromDay: number;
  toDay: number;
}

/** The kept sums of a piece of days. */
export interface SummedDays {
  /** Null if the days must be summed again. */
  sums: Float64Array | null;
  /** Stores the sums when the read is over. Null if no later read could find them. */
  keep: ((sums: Float64Array) => void) | null;
}

/** The days of a week that has not ended yet. */
export interface RunningDays {
  /** Days before this one change seldom: they are stored, and later days have readings. */
  closedUntil: number;
  /**
   * A name for everything that the sums of the stored days before `toDay` depend on. Null if some of these days were computed
   * for this read.
   */
  nameBefore: (toDay: number, description: string) => string | null;
  /** The days from a given day on, as {@link EnergyReader.listDays} returns them. */
  listFrom: (fromDay: number) => StoredDay[];
}

interface Snapshot {
  tx: Transaction;
  /** The requested range; epoch microseconds. */
  range: MicrosRange;
  overlay: EnergyOverlay;
  /** The days from the first to the last reading of all devices in the snapshot. */
  known: Days;
  gaps: readonly EnergyGap[];
  signal: AbortSignal | undefined;
  sums: KeptSum[];
}

/**
 * The energy of some devices in one snapshot, including every committed reading: the stored days, overlaid with those computed
 * for this read because they are not materialized yet. Answers are for days and ranges within the range that it was opened for,
 * and come in no order. All calls throw once the client has gone away.
 */
export class EnergyReader {
  readonly devices: readonly SnapshotDevice[];
  readonly #numbers: readonly number[];
  readonly #snapshot: Snapshot;
  readonly #keepsSums: boolean;

  private constructor(snapshot: Snapshot, devices: readonly SnapshotDevice[], keepsSums: boolean) {
    this.#snapshot = snapshot;
    this.devices = devices;
    this.#numbers = devices.map(({ number }) => number);
    this.#keepsSums = keepsSums;
  }

  /** Opens a reader of the devices in the transaction `tx`. `sums` receives the sums that are stored after it. */
  static async open(
    snapshot: Omit<Snapshot, 'known' | 'gaps'>,
    devices: readonly SnapshotDevice[],
  ): Promise<EnergyReader> {
    const spans = devices.flatMap((device) => wholeSpan(device.spans) ?? []);
    const known = {
      fromDay: dayOf(spans.reduce((first, { firstMicros }) => Math.min(first, firstMicros), Infinity)),
      toDay: dayOf(spans.reduce((last, { lastMicros }) => Math.max(last, lastMicros), -Infinity)) + 1,
    };
    const reader = new EnergyReader({ ...snapshot, known, gaps: [] }, devices, true);
    const days = reader.clipDays(snapshot.range);
    if (days.fromDay >= days.toDay) return reader;
    const gaps = await listGaps(snapshot.tx, { deviceNumbers: reader.#numbers, ...days });
    return gaps.length === 0 ? reader : new EnergyReader({ ...snapshot, known, gaps }, devices, true);
  }

  get tx(): Transaction {
    return this.#snapshot.tx;
  }

  /**
   * A reader of some of the devices, in the given order. A preview may place them at another site. Sums are stored only with
   * `keepsSums`.
   */
  only(devices: readonly SnapshotDevice[], { keepsSums = this.#keepsSums } = {}): EnergyReader {
    return new EnergyReader(this.#snapshot, devices, keepsSums);
  }

  /** The days, without those that have neither readings nor energy. */
  async listDays(filter: Omit<DaysFilter, 'deviceNumbers'>): Promise<StoredDay[]> {
    const asked = { ...filter, deviceNumbers: this.#numbers };
    return this.#complete(await listEnergyDays(this.tx, asked), asked);
  }

  /** Reads the days of a week that has not ended yet. */
  async openDays(filter: Omit<DaysFilter, 'deviceNumbers'>): Promise<RunningDays> {
    const asked = { ...filter, deviceNumbers: this.#numbers };
    const { days, nameBefore } = await nameEnergyDays(this.tx, asked);
    const gaps = this.#gapsIn(asked);
    const computed = this.#snapshot.overlay.spans.filter((own) => own.toDay > asked.fromDay);
    const firstComputed = computed.reduce((first, { fromDay }) => Math.min(first, fromDay), Infinity);
    return {
      closedUntil: Math.min(firstComputed, dayOf(this.#latest())),
      nameBefore: (toDay, description) =>
        firstComputed < toDay
          ? null
          : nameBefore(toDay)
              .update(JSON.stringify([description, gaps]))
              .digest('base64'),
      listFrom: (fromDay) =>
        this.#complete(
          days.filter(({ day }) => day >= fromDay),
          { ...asked, fromDay },
        ),
    };
  }

  /** Stored days with those of gaps, and those computed for this read. */
  #complete(stored: StoredDay[], asked: DaysFilter): StoredDay[] {
    for (const gap of this.#gapsIn(asked)) stored.push(...daysOfGap(gap, asked));
    return this.#snapshot.overlay.layOver(stored, asked);
  }

  #gapsIn({ fromDay, toDay }: Days): EnergyGap[] {
    const { gaps } = this.#snapshot;
    if (gaps.length === 0) return [];
    const own = new Set(this.#numbers);
    return gaps.filter((gap) => own.has(gap.deviceNumber) && gap.fromDay < toDay && gap.toDay > fromDay);
  }

  /** The last instant for which any of the devices has data. */
  #latest(): number {
    return this.devices.reduce(
      (last, { spans }) => Math.max(last, wholeSpan(spans)?.lastMicros ?? -Infinity),
      -Infinity,
    );
  }

  /** The count of readings of all devices together by day; days without any are left out. */
  async countSamples({ fromDay, toDay }: Days): Promise<Map<number, number>> {
    const { tx, overlay } = this.#snapshot;
    const counts = new Map<number, number>();
    const add = (day: number, samples: number) => counts.set(day, (counts.get(day) ?? 0) + samples);
    const asked = { deviceNumbers: this.#numbers, fromDay, toDay };
    for (const { day, samples } of await countSamples(tx, asked)) add(day, samples);
    const own = new Set(this.#numbers);
    const computed = overlay.days.filter(
      ({ deviceNumber, day }) => own.has(deviceNumber) && day >= fromDay && day < toDay,
    );
    if (computed.length === 0) return counts;
    for (const { day, samples } of await countExactSamples(tx, computed)) add(day, -samples);
    for (const { day, samples } of computed) add(day, samples);
    return counts;
  }

  /** The first and last day of a range with data. If there is none, `fromDay` is not before `toDay`. */
  clipDays({ fromMicros, toMicros }: MicrosRange): Days {
    const { known } = this.#snapshot;
    return {
      fromDay: Math.max(dayOf(fromMicros), known.fromDay),
      toDay: Math.min(dayOf(toMicros - 1) + 1, known.toDay),
    };
  }

  /** The flags in a range, or whose gap reaches into it. */
  async listFlags(range: MicrosRange): Promise<StoredFlag[]> {
    const { tx, overlay } = this.#snapshot;
    const flags = overlay.layOverFlags(await listFlags(tx, this.#numbers, range), range);
    const own = new Set(this.#numbers);
    const ofReadings = flags.filter(({ deviceNumber }) => own.has(deviceNumber));
    const withIntervals = this.devices.filter(({ spans }) => spans.intervals !== null);
    if (withIntervals.length === 0) return ofReadings;
    const holes = Map.groupBy(
      await listHoles(
        tx,
        withIntervals.map(({ number }) => number),
        range,
      ),
      (hole) => hole.deviceNumber,
    );
    const ofIntervals = withIntervals.flatMap(({ number, rules, spans }): StoredFlag[] => {
      const known = { intervals: spans.intervals, readings: spanOfReadings(rules, spans) };
      return gapsOfIntervals(holes.get(number) ?? [], known).map(({ fromMicros, toMicros }) => ({
        deviceNumber: number,
        timeMicros: fromMicros,
        kind: 'gap',
        direction: 'both',
        untilMicros: toMicros,
        kwh: null,
      }));
    });
    return [...ofReadings, ...ofIntervals.filter((flag) => isFlagIn(flag, range))];
  }

  /** The devices whose slots cannot be computed. For these devices only stored slots are returned. */
  listFailures(): Promise<EnergyFailure[]> {
    return listFailures(this.tx, this.#numbers);
  }

  /** The instant from which on readings are kept, epoch microseconds; -Infinity if nothing was removed. */
  findKeptFrom(): Promise<number> {
    return findKeptFrom(this.tx);
  }

  /**
   * The kept sums of each piece, which is a week at most (docs/adr/0037). Their key contains everything that they depend on: the
   * result of `describe`, which is null for a piece that depends on more than its stored days, and the versions of these days.
   */
  async findSums<Piece extends Days>(
    pieces: readonly Piece[],
    describe: (piece: Piece) => string | null,
  ): Promise<SummedDays[]> {
    const { tx, gaps, sums } = this.#snapshot;
    const latest = this.#latest();
    // The sums of days that still change by the minute are not kept.
    const isClosed = (piece: Piece) => piece.toDay * dayMicros <= latest && this.#isStored(piece);
    const described = pieces.map((piece) => (isClosed(piece) ? describe(piece) : null));
    const closed = pieces.filter((_, at) => described[at] !== null);
    const [first, last] = [closed[0], closed.at(-1)];
    if (first === undefined || last === undefined) return pieces.map(() => ({ sums: null, keep: null }));
    const weeks = { deviceNumbers: this.#numbers, fromDay: weekOf(first.fromDay), toDay: last.toDay };
    const versions = await listWeekVersions(tx, weeks);
    const keys = pieces.map(({ fromDay, toDay }, at) => {
      const description = described[at] ?? null;
      const own = gaps.filter((gap) => gap.fromDay < toDay && gap.toDay > fromDay);
      return description === null ? null : keyOfSums(description, versions.get(weekOf(fromDay)), own);
    });
    const kept = await findSums(
      tx,
      keys.filter((key) => key !== null),
    );
    return keys.map((key) => {
      if (key === null) return { sums: null, keep: null };
      const keep = (own: Float64Array) => {
        if (this.#keepsSums) sums.push({ key, sums: own });
      };
      return { sums: kept.get(key) ?? null, keep };
    });
  }

  /** Whether all these days are as stored, without computed slots in them. */
  #isStored({ fromDay, toDay }: Days): boolean {
    const { overlay } = this.#snapshot;
    return !overlay.spans.some((computed) => computed.fromDay < toDay && computed.toDay > fromDay);
  }

  /** Called between pieces of long work: yields to others, and throws once the client has gone away. */
  yieldOrAbort(): Promise<void> {
    return yieldOrAbort(this.#snapshot.signal);
  }
}

/** Clips a day to the range, with those of its statistics that were read. */
export type ClipDay = (stored: StoredDay) => StoredDay;

/** The number of cut quarter-hours that are measured at once. */
const cutsAtOnce = 200;

/**
 * Clips the days of a snapshot to the range of each site. A quarter-hour that the range cuts is measured again from its
 * readings (energy-and-cost.md 3). If these are no longer kept, its share of the time counts as estimated.
 */
export async function openClip(reader: EnergyReader, ranges: SiteRanges): Promise<ClipDay> {
  const { tx, devices } = reader;
  const rangeOf = new Map(devices.map(({ number, timeZone }) => [number, ranges.of(timeZone)]));
  const cutsOf = new Map([...new Set(rangeOf.values())].map((range) => [range, cutSlots(range)]));
  const clipOf = (deviceNumber: number) => {
    const range = rangeOf.get(deviceNumber) ?? ranges.all;
    return { range, cuts: cutsOf.get(range) ?? [] };
  };
  const asked = devices.flatMap((device) =>
    clipOf(device.deviceNumber)
      .cuts.filter((cut) => isSplit(device, cut))
      .map((cut) => ({ device, cut, grid: gridOf(cut) })),
  );
  const keptFrom = asked.length === 0 ? -Infinity : await reader.findKeptFrom();
  const isKept = ({ cut }: { cut: CutSlot }) => cut.slotStartMicros >= keptFrom;
  const patches = new Map<string, EnergyPatch>();
  const kept = asked.filter(isKept);
  for (let at = 0; at < kept.length; at += cutsAtOnce) {
    const some = kept.slice(at, at + cutsAtOnce);
    const parts = await measureCuts(tx, some);
    for (const [position, { device, cut }] of some.entries()) {
      const part = parts[position];
      if (part !== undefined) patches.set(keyOf(device, cut), patchOf(device, cut, part));
    }
    await reader.yieldOrAbort();
  }
  const estimated = new Set(asked.filter((one) => !isKept(one)).map(({ device, cut }) => keyOf(device, cut)));

  return (stored) => {
    const start = stored.day * dayMicros;
    const { range, cuts } = clipOf(stored.deviceNumber);
    if (range.fromMicros <= start && start + dayMicros <= range.toMicros) return stored;
    const day = openDay(stored);
    clearOutside(day, range);
    for (const cut of cuts.filter(({ slotStartMicros }) => dayOf(slotStartMicros) === stored.day)) {
      const patch = patches.get(keyOf(stored, cut));
      if (patch !== undefined) applyPatch(day, patch);
      else if (estimated.has(keyOf(stored, cut))) estimateCut(day, cut);
    }
    return storedDay(day);
  };
}

/**
 * Whether a device may have energy in the part of a quarter-hour that the cut removes. If not, the quarter-hour need not be
 * cut.
 */
function isSplit({ spans }: MeasuredDevice, { slotStartMicros, fromMicros, toMicros }: CutSlot): boolean {
  const slotEnd = slotStartMicros + slotMicros;
  const whole = wholeSpan(spans);
  if (whole === null || whole.lastMicros < slotStartMicros || whole.firstMicros >= slotEnd) return false;
  return (
    (whole.firstMicros < fromMicros && fromMicros > slotStartMicros) ||
    (whole.lastMicros >= toMicros && toMicros < slotEnd)
  );
}

const gridOf = ({ fromMicros, toMicros }: CutSlot) => ({
  startMicros: fromMicros,
  widthMicros: toMicros - fromMicros,
  count: 1,
});

function patchOf(
  { deviceNumber }: MeasuredDevice,
  { slotStartMicros }: CutSlot,
  { energy, readings }: MeasuredGrid,
): EnergyPatch {
  const statistics = emptyStatistics(1);
  addReadings(statistics, readings, () => 0);
  return { ...energy, deviceNumber, startMicros: slotStartMicros, statistics };
}

const keyOf = ({ deviceNumber }: { deviceNumber: number }, { slotStartMicros }: CutSlot) =>
  `${deviceNumber} ${slotStartMicros}`;
