import { storedDay } from './energy-days.sql.ts';
import { isFlagIn, type StoredFlag } from './energy-flags.sql.ts';
import type { DaysOfDevices } from './energy-gaps.sql.ts';
import type { Transaction } from '../database/pool.ts';
import { limiterOf } from '../base/budgets.ts';
import { intervalOfPatch, type StoredDay } from './energy-day.rules.ts';
import { daysOfGap, type EnergyGap } from './energy-gaps.rules.ts';
import type { MicrosRange } from '../base/instants.ts';
import type { LimitedWork } from '../base/limiter.ts';
import { intervalOfGap, patchedDays } from './materialize-energy.ts';
import { type AffectedPart, piecesOf, recompute, weightOf } from './recompute-energy.ts';

/** Days computed for one read because they are not materialized yet. */
export interface EnergyOverlay {
  /** The computed days of all devices in no order, including empty ones. */
  days: readonly StoredDay[];
  /** The days of it that hold anything, half-open. */
  spans: readonly { fromDay: number; toDay: number }[];
  /** Replaces stored days with computed ones. */
  layOver(stored: readonly StoredDay[], filter: DaysOfDevices): StoredDay[];
  layOverFlags(stored: readonly StoredFlag[], range: MicrosRange): StoredFlag[];
}

const computing = limiterOf('computedDays');

/** Computes the parts piece by piece from the snapshot `tx`. The results are kept as compact as they are stored. */
export async function computeOverlay(
  tx: Transaction,
  parts: readonly AffectedPart[],
  limited: Omit<LimitedWork, 'weight'>,
): Promise<EnergyOverlay> {
  const days = new Map<string, StoredDay>();
  const gaps: EnergyGap[] = [];
  const flags = new Map<string, StoredFlag>();
  const replaced = new Map<number, MicrosRange[]>();
  const findDay = (deviceNumber: number, day: number) => days.get(keyOf({ deviceNumber, day }));
  for (const piece of piecesOf(parts)) {
    const weight = piece.reduce((sum, part) => sum + weightOf(part), 0);
    const compute = async () => {
      const { patches, ...found } = await recompute(tx, piece);
      for (const day of await patchedDays(tx, patches, findDay)) days.set(keyOf(day), storedDay(day));
      gaps.push(...found.gaps);
      for (const flag of [...found.flags, ...found.reaching]) flags.set(keyOfFlag(flag), flag);
      for (const { deviceNumber, ...interval } of [...patches.map(intervalOfPatch), ...found.gaps.map(intervalOfGap)]) {
        replaced.getOrInsertComputed(deviceNumber, () => []).push(interval);
      }
    };
    await computing.run(compute, { ...limited, weight });
  }

  return {
    days: [...days.values()],
    spans: [...[...days.values()].map(({ day }) => ({ fromDay: day, toDay: day + 1 })), ...gaps],
    layOver(stored, { deviceNumbers, fromDay, toDay }) {
      if (parts.length === 0) return [...stored];
      const asked = new Set(deviceNumbers);
      const isAsked = (day: StoredDay) => asked.has(day.deviceNumber) && day.day >= fromDay && day.day < toDay;
      const silent = gaps.filter((gap) => asked.has(gap.deviceNumber) && gap.fromDay < toDay && gap.toDay > fromDay);
      const isSilent = ({ deviceNumber, day }: StoredDay) =>
        silent.some((gap) => gap.deviceNumber === deviceNumber && gap.fromDay <= day && day < gap.toDay);
      return [
        ...stored.filter((day) => !days.has(keyOf(day)) && !isSilent(day)),
        ...[...days.values()].filter(isAsked),
        ...silent.flatMap((gap) => [...daysOfGap(gap, { fromDay, toDay })]),
      ];
    },
    layOverFlags(stored, range) {
      const isReplaced = (flag: StoredFlag) =>
        replaced.get(flag.deviceNumber)?.some((own) => isFlagIn(flag, own)) === true;
      return [...stored.filter((flag) => !isReplaced(flag)), ...flags.values().filter((flag) => isFlagIn(flag, range))];
    },
  };
}

const keyOf = ({ deviceNumber, day }: { deviceNumber: number; day: number }) => `${deviceNumber} ${day}`;
const keyOfFlag = ({ deviceNumber, timeMicros, kind, direction }: StoredFlag) =>
  `${deviceNumber} ${timeMicros} ${kind} ${direction}`;
