import { countExactSamples, countSamples, type DaysFilter, listEnergyDays } from './energy-days.sql.ts';
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
import { spanOfReadings, wholeSpan, dayOf, type StoredDay, weekOf } from './energy.rules.ts';
import { daysOfGap, type EnergyGap } from './energy-window.rules.ts';
import { gapsOfIntervals } from './intervals.rules.ts';
import { dayMicros, type MicrosRange } from '../base/instants.ts';
import type { EnergyOverlay } from './materialize-energy.ts';
import type { MeasuredDevice } from './measure-grids.ts';

/** A device with the spans of its registers in a snapshot. */
export type SnapshotDevice = ChosenDevice & MeasuredDevice;

/** Days since 1970-01-01 (UTC), half-open. */
interface Days {
  fromDay: number;
  toDay: number;
}

/** The sums of a piece of days. */
export interface SummedDays {
  /** Null if it has to be added up. */
  sums: Float64Array | null;
  /** Stores the sums once the read is over, if they can be found again. */
  keep: (sums: Float64Array) => void;
}

interface Snapshot {
  tx: Transaction;
  /** The requested range; epoch microseconds. */
  range: MicrosRange;
  overlay: EnergyOverlay;
  /** The days from the first to the last reading of all its devices. */
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

  /** Opens a reader of the devices in the transaction `tx`; `sums` receives those to be stored after it. */
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
   * A reader of some of the devices, in this order; a preview may place them at another site. Without `keepsSums` its sums are
   * not stored.
   */
  only(devices: readonly SnapshotDevice[], { keepsSums = this.#keepsSums } = {}): EnergyReader {
    return new EnergyReader(this.#snapshot, devices, keepsSums);
  }

  /** The days, without those that have neither readings nor energy. */
  async listDays(filter: Omit<DaysFilter, 'deviceNumbers'>): Promise<StoredDay[]> {
    const { tx, overlay, gaps } = this.#snapshot;
    const asked = { ...filter, deviceNumbers: this.#numbers };
    const stored = await listEnergyDays(tx, asked);
    if (gaps.length > 0) {
      const own = new Set(this.#numbers);
      for (const gap of gaps) if (own.has(gap.deviceNumber)) stored.push(...daysOfGap(gap, asked));
    }
    return overlay.layOver(stored, asked);
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

  /** The first and last day of a range with data; if there is none, `fromDay` is not before `toDay`. */
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

  /** The devices whose slots cannot be computed; for them only stored slots are returned. */
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
    const latest = this.devices.reduce(
      (last, { spans }) => Math.max(last, wholeSpan(spans)?.lastMicros ?? -Infinity),
      -Infinity,
    );
    // Days that still grow by the minute are not kept.
    const isClosed = (piece: Piece) => piece.toDay * dayMicros <= latest && this.#isStored(piece);
    const described = pieces.map((piece) => (isClosed(piece) ? describe(piece) : null));
    const closed = pieces.filter((_, at) => described[at] !== null);
    const [first, last] = [closed[0], closed.at(-1)];
    if (first === undefined || last === undefined) return pieces.map(() => ({ sums: null, keep: () => undefined }));
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
    return keys.map((key) => ({
      sums: (key === null ? undefined : kept.get(key)) ?? null,
      keep: (own) => {
        if (key !== null && this.#keepsSums) sums.push({ key, sums: own });
      },
    }));
  }

  /** Whether the days are stored days without changes. */
  #isStored({ fromDay, toDay }: Days): boolean {
    const { overlay } = this.#snapshot;
    return !overlay.spans.some((computed) => computed.fromDay < toDay && computed.toDay > fromDay);
  }

  /** Called between pieces of long work: yields to others, and throws once the client has gone away. */
  yieldOrAbort(): Promise<void> {
    return yieldOrAbort(this.#snapshot.signal);
  }
}
