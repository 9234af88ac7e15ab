import { z } from 'zod';
import {
  dataQuality,
  type DataQuality,
  listedFlagsMax,
  type QualityFailure,
  type QualityFlag,
  type QualityFlagKind,
} from '../../shared/data-quality.ts';
import { type EnergySnapshot, readEnergy } from '../commands/read-energy.ts';
import { type EnergyFailure, listFailures } from '../db/energy-failures.ts';
import type { StoredFlag } from '../db/energy-flags.ts';
import type { Database } from '../db/pool.ts';
import { rangesOf, type SiteRanges } from '../domain/asked-range.ts';
import { expectedPart, judgeSlots, type QualityGap, slotStates, type SlotState } from '../domain/data-quality.ts';
import { slotMicros } from '../domain/energy.ts';
import { dayMicros, dayOf, type StoredDay } from '../domain/energy-day.ts';
import { DomainError } from '../domain/errors.ts';
import { formatInstant, type MicrosRange, unionOf } from '../domain/instants.ts';
import { localDays } from '../domain/price-timeline.ts';
import type { App } from './app.ts';
import { clientGone, takeTurns } from './client-gone.ts';
import { presentRange } from './energy-answers.ts';
import type { Guard } from './guard.ts';
import {
  came,
  deviceIdsQuery,
  maxDays,
  rangeQuery,
  readByHand,
  readDeviceIds,
  readRange,
  refuseTooLong,
  sharedZone,
  zonesOf,
} from './ranges.ts';

const qualityQuery = rangeQuery.extend({
  ...deviceIdsQuery.shape,
  flagLimit: z.string().optional().meta({
    type: 'integer',
    minimum: 0,
    maximum: listedFlagsMax,
    description: 'how many flags of a device are listed',
  }),
});

export interface DataQualityRoutesParts {
  guard: Guard;
  database: Database;
  /** Zone of the days where the chosen devices lie in several. */
  timeZone: string;
  now: () => number;
}

/** `GET /api/data-quality`: what is measured, estimated or missing, and what was odd (energy-and-cost.md 2 to 4). */
export async function dataQualityRoutes(
  app: App,
  { guard, database, timeZone, now }: DataQualityRoutesParts,
): Promise<void> {
  app.get(
    '/api/data-quality',
    {
      onRequest: guard.signedIn,
      validatorCompiler: readByHand,
      schema: {
        tags: ['Dashboard'],
        summary: 'Quarter-hours measured, interpolated and missing, and gaps, resets and glitches by device',
        querystring: qualityQuery,
        response: { 200: dataQuality },
      },
    },
    async (request, reply): Promise<DataQuality> => {
      const range = refuseTooLong(readRange(request.query), maxDays);
      const deviceIds = readDeviceIds(request.query.deviceIds);
      const flagLimit = readFlagLimit(request.query.flagLimit);
      const gone = clientGone(reply);
      const { accountId } = guard.current(request);
      return readEnergy(database.until(gone), { deviceIds, range, isTolerant: true, accountId }, async (snapshot) => {
        const ranges = rangesOf(range, zonesOf(snapshot.devices));
        const asked = { ranges, timeZone: sharedZone(snapshot.devices, timeZone), flagLimit };
        return presentQuality(snapshot, asked, now() * 1000, gone);
      });
    },
  );
}

/** What is known of a range, and what was odd in it; `flagLimit` of each device are listed. */
export async function presentQuality(
  snapshot: EnergySnapshot,
  { ranges, timeZone, flagLimit }: { ranges: SiteRanges; timeZone: string; flagLimit: number },
  nowMicros: number,
  gone: AbortSignal,
): Promise<DataQuality> {
  const { devices } = snapshot;
  const listed = await listFailures(
    snapshot.tx,
    devices.map(({ number }) => number),
  );
  const failures = new Map(listed.map((failure) => [failure.deviceNumber, failure]));
  const found = new Map(devices.map(({ number }): [number, DeviceQuality] => [number, emptyQuality()]));
  const ofDevice = new Map(devices.map((device) => [device.number, ranges.of(device.timeZone)]));
  const rangeOf = (number: number) => ofDevice.get(number) ?? ranges.all;
  // The days of local dates are each site's own.
  const zones = ranges.dates === null || devices.length === 0 ? [timeZone] : [...new Set(zonesOf(devices))];
  const days = new Map<string, SlotCounts>();
  const earliest = earliestExpected(snapshot);
  for (const piece of piecesOf(ranges.all)) {
    const isBefore = piece.toMicros <= earliest;
    const stored = isBefore ? [] : await snapshot.listFlags(piece);
    const flags = Map.groupBy(
      stored.filter((flag) => isIn(flag, rangeOf(flag.deviceNumber))),
      (flag) => flag.deviceNumber,
    );
    for (const [number, own] of flags) addFlags(found.get(number), own, ranges.all, piece, flagLimit);
    // What lies ahead is neither there nor missing.
    const known = isBefore ? piece : { ...piece, toMicros: Math.min(piece.toMicros, nowMicros) };
    if (known.fromMicros >= known.toMicros) continue;
    const judged = isBefore ? [] : await judgeDevices(snapshot, (number) => overlap(known, rangeOf(number)), flags);
    for (const { number, states } of judged) addStates(found.get(number)?.slots, states);
    for (const zone of zones) {
      const own = zones.length === 1 ? judged : judged.filter((one) => one.timeZone === zone);
      addDays(days, countByDay(own, overlap(known, ranges.of(zone)), zone));
    }
    await takeTurns(gone);
  }
  const counted = [...days].map(([date, counts]) => ({ date, ...counts }));
  return {
    ...presentRange(ranges),
    timeZone,
    devices: devices.map(({ number, id, name, siteId, siteName }) => {
      const { slots, counts, flags } = found.get(number) ?? emptyQuality();
      const failure = failures.get(number);
      return {
        deviceId: id,
        deviceName: name,
        siteId,
        siteName,
        failure: failure === undefined ? null : presentFailure(failure),
        slots,
        counts,
        flags: flags.map(presentFlag),
      };
    }),
    // Those of one zone ascend; a date of the year 10000, which comes of instants only, would not sort.
    days: zones.length === 1 ? counted : counted.toSorted((a, b) => (a.date < b.date ? -1 : 1)),
  };
}

function readFlagLimit(text: unknown): number {
  if (text === undefined || text === '') return listedFlagsMax;
  const limit = typeof text === 'string' && /^\d{1,9}$/.test(text.trim()) ? Number(text) : Number.NaN;
  if (limit <= listedFlagsMax) return limit;
  throw new DomainError('invalid', `flagLimit takes a whole number from 0 to ${listedFlagsMax}; got ${came(text)}.`);
}

/** Some weeks of all devices at a time, cut at the midnights of UTC. */
const daysAtOnce = 61;

function* piecesOf({ fromMicros, toMicros }: MicrosRange): Generator<MicrosRange> {
  for (let start = fromMicros; start < toMicros;) {
    const end = Math.min(toMicros, (dayOf(start) + daysAtOnce) * dayMicros);
    yield { fromMicros: start, toMicros: end };
    start = end;
  }
}

/** Before it no reading of any device is expected. */
function earliestExpected({ devices, measured }: EnergySnapshot): number {
  const added = devices.map((device) => device.createdMicros);
  const first = measured.map(({ spans: { any } }) => any?.firstMicros ?? Infinity);
  return [...added, ...first].reduce((least, at) => Math.min(least, at), Infinity);
}

/** The states of the slots of a device from `firstSlot` (counted from 1970) on. */
interface JudgedSlots {
  number: number;
  /** Of its site. */
  timeZone: string;
  firstSlot: number;
  states: SlotState[];
}

async function judgeDevices(
  snapshot: EnergySnapshot,
  pieceOf: (deviceNumber: number) => MicrosRange,
  flags: ReadonlyMap<number, readonly StoredFlag[]>,
): Promise<JudgedSlots[]> {
  const statistics = { depth: 'power', days: 'all' } as const;
  const piece = unionOf(snapshot.devices.map(({ number }) => pieceOf(number)).filter(isAny));
  const stored = await snapshot.listDays({ ...snapshot.clipDays(piece), statistics });
  const days = Map.groupBy(stored, (day: StoredDay) => day.deviceNumber);
  const byNumber = new Map(snapshot.devices.map((device) => [device.number, device]));
  return snapshot.measured.flatMap(({ deviceNumber: number, rules, spans }) => {
    const { isActive = false, createdMicros = Infinity, timeZone = 'UTC' } = byNumber.get(number) ?? {};
    const device = { rules, spans, isActive, createdMicros };
    const part = expectedPart(pieceOf(number), device);
    if (part === null) return [];
    const gaps = (flags.get(number) ?? []).flatMap(gapOf);
    const states = judgeSlots(part, device, days.get(number) ?? [], gaps);
    return [{ number, timeZone, firstSlot: Math.floor(part.fromMicros / slotMicros), states }];
  });
}

function gapOf({ kind, timeMicros, untilMicros }: StoredFlag): QualityGap[] {
  if (untilMicros === null || (kind !== 'gap' && kind !== 'interpolated')) return [];
  return [{ kind, fromMicros: timeMicros, untilMicros }];
}

type SlotCounts = Record<SlotState, number>;

function addStates(counts: SlotCounts | undefined, states: readonly SlotState[]): void {
  if (counts !== undefined) for (const state of states) counts[state] += 1;
}

/** The slots of all devices by the local day in which they begin. */
function countByDay(judged: readonly JudgedSlots[], range: MicrosRange, timeZone: string): DataQuality['days'] {
  if (!isAny(range)) return [];
  const start = Math.floor(range.fromMicros / slotMicros) * slotMicros;
  const asked = { fromMicros: start, toMicros: range.toMicros };
  return localDays(asked, timeZone, []).map(({ date, fromMicros, toMicros }) => {
    const first = Math.ceil(fromMicros / slotMicros);
    const last = Math.ceil(toMicros / slotMicros);
    const counts = { measured: 0, interpolated: 0, missing: 0 };
    for (const { firstSlot, states } of judged) {
      if (last > firstSlot) addStates(counts, states.slice(Math.max(0, first - firstSlot), last - firstSlot));
    }
    return { date, ...counts };
  });
}

/** A piece may end within a local day. */
function addDays(days: Map<string, SlotCounts>, more: DataQuality['days']): void {
  for (const { date, ...counts } of more) {
    const own = days.get(date);
    if (own === undefined) days.set(date, counts);
    else for (const state of slotStates) own[state] += counts[state];
  }
}

const isAny = ({ fromMicros, toMicros }: MicrosRange) => fromMicros < toMicros;

const overlap = (a: MicrosRange, b: MicrosRange): MicrosRange => ({
  fromMicros: Math.max(a.fromMicros, b.fromMicros),
  toMicros: Math.min(a.toMicros, b.toMicros),
});

/** Whether a flag stands in a range, or its gap reaches into it. */
const isIn = ({ timeMicros, untilMicros }: StoredFlag, { fromMicros, toMicros }: MicrosRange) =>
  timeMicros < toMicros && (timeMicros >= fromMicros || (untilMicros ?? 0) > fromMicros);

interface DeviceQuality {
  slots: SlotCounts;
  counts: Record<QualityFlagKind, number>;
  /** The newest, newest first. */
  flags: StoredFlag[];
}

const emptyQuality = (): DeviceQuality => ({
  slots: { measured: 0, interpolated: 0, missing: 0 },
  counts: emptyCounts(),
  flags: [],
});

/** Those of a later piece; a gap that reaches into it was counted where it began. */
function addFlags(
  quality: DeviceQuality | undefined,
  flags: readonly StoredFlag[],
  range: MicrosRange,
  piece: MicrosRange,
  flagLimit: number,
): void {
  if (quality === undefined) return;
  const isFirst = piece.fromMicros === range.fromMicros;
  const fresh = flags.filter((flag) => isFirst || flag.timeMicros >= piece.fromMicros);
  for (const { kind } of fresh) quality.counts[kind] += 1;
  quality.flags = [...quality.flags, ...fresh]
    .toSorted((a, b) => b.timeMicros - a.timeMicros || (a.kind < b.kind ? -1 : 1))
    .slice(0, flagLimit);
}

const emptyCounts = (): Record<QualityFlagKind, number> => ({
  gap: 0,
  interpolated: 0,
  glitch: 0,
  stepBack: 0,
  rollover: 0,
  reset: 0,
  implausible: 0,
});

const presentFailure = ({ attempts, sinceMicros, retryMicros }: EnergyFailure): QualityFailure => ({
  since: formatInstant(sinceMicros),
  attempts,
  nextAttemptAt: formatInstant(retryMicros),
});

const directions = { imported: 'import', exported: 'export', both: null } as const;

const presentFlag = ({ timeMicros, untilMicros, kind, direction, kwh }: StoredFlag): QualityFlag => ({
  time: formatInstant(timeMicros),
  until: untilMicros === null ? null : formatInstant(untilMicros),
  kind,
  direction: directions[direction],
  energyKwh: kwh,
});
