import { setImmediate as letOthersRun } from 'node:timers/promises';
import {
  dataQuality,
  type DataQuality,
  listedFlagsMax,
  type QualityFlag,
  type QualityFlagKind,
} from '../../shared/data-quality.ts';
import { type EnergySnapshot, readEnergy } from '../commands/read-energy.ts';
import type { StoredFlag } from '../db/energy-flags.ts';
import { listExtents } from '../db/measurements.ts';
import type { Database } from '../db/pool.ts';
import { judgeSlots, type QualityGap, slotStates, type SlotState } from '../domain/data-quality.ts';
import { slotMicros } from '../domain/energy.ts';
import { dayMicros, dayOf, type StoredDay } from '../domain/energy-day.ts';
import { formatInstant } from '../domain/instants.ts';
import { localDays } from '../domain/price-timeline.ts';
import type { MicrosRange } from '../domain/simulation.ts';
import type { App } from './app.ts';
import type { Guard } from './guard.ts';
import {
  deviceIdsQuery,
  type Range,
  rangeQuery,
  readByHand,
  readDeviceIds,
  readRange,
  refuseTooLong,
  sharedZone,
} from './ranges.ts';

const mostDays = 3_660;

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
        querystring: rangeQuery.extend(deviceIdsQuery.shape),
        response: { 200: dataQuality },
      },
    },
    async (request): Promise<DataQuality> => {
      const range = refuseTooLong(readRange(request.query), mostDays);
      const deviceIds = readDeviceIds(request.query.deviceIds);
      return readEnergy(database, { deviceIds, range }, async (snapshot) =>
        presentQuality(snapshot, range, sharedZone(snapshot.devices, timeZone), now() * 1000),
      );
    },
  );
}

async function presentQuality(
  snapshot: EnergySnapshot,
  range: Range,
  timeZone: string,
  nowMicros: number,
): Promise<DataQuality> {
  const numbers = snapshot.devices.map((device) => device.number);
  const extents = await listExtents(snapshot.tx, numbers);
  const found = new Map(numbers.map((number): [number, DeviceQuality] => [number, emptyQuality()]));
  const days: DataQuality['days'] = [];
  for (const piece of piecesOf(range)) {
    const flags = Map.groupBy(await snapshot.listFlags(piece), (flag) => flag.deviceNumber);
    for (const [number, own] of flags) addFlags(found.get(number), own, piece.fromMicros > range.fromMicros, piece);
    // What lies ahead is neither there nor missing.
    const known = { fromMicros: piece.fromMicros, toMicros: Math.min(piece.toMicros, nowMicros) };
    if (known.fromMicros >= known.toMicros) continue;
    const states = await judgeDevices(snapshot, known, flags, extents);
    for (const [number, own] of states) addStates(found.get(number)?.slots, own);
    addDays(days, countByDay([...states.values()], known, timeZone));
    await letOthersRun();
  }
  return {
    from: range.from,
    to: range.to,
    devices: snapshot.devices.map(({ number, id, name, siteId, siteName }) => {
      const { slots, counts, flags } = found.get(number) ?? emptyQuality();
      return { deviceId: id, deviceName: name, siteId, siteName, slots, counts, flags: flags.map(presentFlag) };
    }),
    days,
  };
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

async function judgeDevices(
  snapshot: EnergySnapshot,
  piece: MicrosRange,
  flags: ReadonlyMap<number, readonly StoredFlag[]>,
  extents: ReadonlyMap<number, { firstMicros: number; lastMicros: number }>,
): Promise<Map<number, SlotState[]>> {
  const statistics = { depth: 'power', days: 'all' } as const;
  const stored = await snapshot.listDays({ ...snapshot.clipDays(piece), statistics });
  const days = Map.groupBy(stored, (day: StoredDay) => day.deviceNumber);
  return new Map(
    snapshot.measured.map(({ deviceNumber, rules, spans }) => {
      const device = { rules, spans, extent: extents.get(deviceNumber) ?? null };
      const gaps = (flags.get(deviceNumber) ?? []).flatMap(gapOf);
      return [deviceNumber, judgeSlots(piece, device, days.get(deviceNumber) ?? [], gaps)];
    }),
  );
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
function countByDay(
  devices: readonly (readonly SlotState[])[],
  range: MicrosRange,
  timeZone: string,
): DataQuality['days'] {
  const start = Math.floor(range.fromMicros / slotMicros) * slotMicros;
  const asked = { fromMicros: start, toMicros: range.toMicros };
  return localDays(asked, timeZone, []).map(({ date, fromMicros, toMicros }) => {
    const first = Math.ceil((fromMicros - start) / slotMicros);
    const last = Math.ceil((toMicros - start) / slotMicros);
    const counts = { measured: 0, interpolated: 0, missing: 0 };
    for (const states of devices) addStates(counts, states.slice(first, last));
    return { date, ...counts };
  });
}

/** A piece may end within a local day. */
function addDays(days: DataQuality['days'], more: DataQuality['days']): void {
  for (const day of more) {
    const last = days.at(-1);
    if (last?.date !== day.date) days.push(day);
    else for (const state of slotStates) last[state] += day[state];
  }
}

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
  isLater: boolean,
  piece: MicrosRange,
): void {
  if (quality === undefined) return;
  const fresh = flags.filter((flag) => !isLater || flag.timeMicros >= piece.fromMicros);
  for (const { kind } of fresh) quality.counts[kind] += 1;
  quality.flags = [...quality.flags, ...fresh]
    .toSorted((a, b) => b.timeMicros - a.timeMicros || (a.kind < b.kind ? -1 : 1))
    .slice(0, listedFlagsMax);
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

const directions = { imported: 'import', exported: 'export', both: null } as const;

const presentFlag = ({ timeMicros, untilMicros, kind, direction, kwh }: StoredFlag): QualityFlag => ({
  time: formatInstant(timeMicros),
  until: untilMicros === null ? null : formatInstant(untilMicros),
  kind,
  direction: directions[direction],
  energyKwh: kwh,
});
