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
import { judgeSlots, type QualityGap, type SlotState } from '../domain/data-quality.ts';
import { slotMicros } from '../domain/energy.ts';
import { dayMicros, dayOf, type StoredDay } from '../domain/energy-day.ts';
import { formatInstant } from '../domain/instants.ts';
import { localDays } from '../domain/price-timeline.ts';
import type { MicrosRange } from '../domain/simulation.ts';
import type { App } from './app.ts';
import type { Guard } from './guard.ts';
import { deviceIdsQuery, type Range, rangeQuery, readByHand, readDeviceIds, readRange, sharedZone } from './ranges.ts';

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
      const range = readRange(request.query);
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
  // What lies ahead is neither there nor missing.
  const known = {
    fromMicros: range.fromMicros,
    toMicros: Math.max(range.fromMicros, Math.min(range.toMicros, nowMicros)),
  };
  const states = await judgeDevices(snapshot, known);
  const flags = Map.groupBy(await snapshot.listFlags(), (flag) => flag.deviceNumber);
  return {
    from: range.from,
    to: range.to,
    devices: snapshot.devices.map(({ number, id, name, siteId, siteName }) => ({
      deviceId: id,
      deviceName: name,
      siteId,
      siteName,
      slots: countStates(states.get(number) ?? []),
      ...presentFlags(flags.get(number) ?? []),
    })),
    days: countByDay([...states.values()], known, timeZone),
  };
}

/** Some weeks of all devices at a time. */
const daysAtOnce = 61;

async function judgeDevices(snapshot: EnergySnapshot, range: MicrosRange): Promise<Map<number, SlotState[]>> {
  const numbers = snapshot.devices.map((device) => device.number);
  const extents = await listExtents(snapshot.tx, numbers);
  const gaps = Map.groupBy((await snapshot.listFlags()).flatMap(gapOf), ({ deviceNumber }) => deviceNumber);
  const states = new Map(numbers.map((number): [number, SlotState[]] => [number, []]));
  const lastDay = dayOf(range.toMicros - 1) + 1;
  for (let fromDay = dayOf(range.fromMicros); fromDay < lastDay; fromDay += daysAtOnce) {
    const toDay = Math.min(lastDay, fromDay + daysAtOnce);
    const piece = pieceOf(range, fromDay, toDay);
    const stored = await snapshot.listDays({ fromDay, toDay, statistics: { depth: 'power', days: 'all' } });
    const days = Map.groupBy(stored, (day: StoredDay) => day.deviceNumber);
    for (const { deviceNumber, rules, spans } of snapshot.measured) {
      const device = { rules, spans, extent: extents.get(deviceNumber) ?? null };
      const own = judgeSlots(piece, device, days.get(deviceNumber) ?? [], gaps.get(deviceNumber) ?? []);
      states.get(deviceNumber)?.push(...own);
    }
  }
  return states;
}

const pieceOf = (range: MicrosRange, fromDay: number, toDay: number): MicrosRange => ({
  fromMicros: Math.max(range.fromMicros, fromDay * dayMicros),
  toMicros: Math.min(range.toMicros, toDay * dayMicros),
});

function gapOf({ deviceNumber, kind, timeMicros, untilMicros }: StoredFlag): (QualityGap & { deviceNumber: number })[] {
  if (untilMicros === null || (kind !== 'gap' && kind !== 'interpolated')) return [];
  return [{ deviceNumber, kind, fromMicros: timeMicros, untilMicros }];
}

function countStates(states: readonly SlotState[]): Record<SlotState, number> {
  const counts = { measured: 0, interpolated: 0, missing: 0 };
  for (const state of states) counts[state] += 1;
  return counts;
}

/** The slots of all devices by the local day in which they begin. */
function countByDay(
  devices: readonly (readonly SlotState[])[],
  range: MicrosRange,
  timeZone: string,
): DataQuality['days'] {
  if (range.fromMicros >= range.toMicros) return [];
  const start = Math.floor(range.fromMicros / slotMicros) * slotMicros;
  return localDays({ fromMicros: start, toMicros: range.toMicros }, timeZone, []).map(
    ({ date, fromMicros, toMicros }) => {
      const first = Math.ceil((fromMicros - start) / slotMicros);
      const last = Math.ceil((toMicros - start) / slotMicros);
      const counts = { measured: 0, interpolated: 0, missing: 0 };
      for (const states of devices) for (const state of states.slice(first, last)) counts[state] += 1;
      return { date, ...counts };
    },
  );
}

function presentFlags(flags: readonly StoredFlag[]): Pick<DataQuality['devices'][number], 'counts' | 'flags'> {
  const counts = emptyCounts();
  for (const { kind } of flags) counts[kind] += 1;
  const newest = flags
    .toSorted((a, b) => b.timeMicros - a.timeMicros || (a.kind < b.kind ? -1 : 1))
    .slice(0, listedFlagsMax);
  return { counts, flags: newest.map(presentFlag) };
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
