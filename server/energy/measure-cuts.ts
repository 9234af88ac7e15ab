import { energyReadingOf, listReadings } from './energy-readings.sql.ts';
import type { Transaction } from '../database/pool.ts';
import { type EnergyReading, endOfGrid, type Grid } from './energy.rules.ts';
import { isJudgedBeyond } from './energy-window.rules.ts';
import { measureEnergy, registerReadings } from './measure-energy.rules.ts';
import { type MeasuredDevice, type MeasuredGrid, measureGrids, spansOfInterest } from './measure-grids.ts';

/** For most meters the readings this close to a cut are enough; slower ones need a search. */
const reachMicros = 6 * 60_000_000;

interface AskedCut {
  device: MeasuredDevice;
  grid: Grid;
}

/** The same as `measureGrids` for short grids: one query if readings come every minute. */
export async function measureCuts(tx: Transaction, asked: readonly AskedCut[]): Promise<MeasuredGrid[]> {
  const windows = asked.map(({ device: { deviceNumber }, grid }) => ({
    deviceNumber,
    fromMicros: grid.startMicros - reachMicros,
    toMicros: endOfGrid(grid) - 1 + reachMicros,
  }));
  const around = await listReadings(tx, windows);
  const found = asked.map(({ device, grid }, at): MeasuredGrid | null => {
    const readings = around[at] ?? [];
    const known = readings.map(energyReadingOf);
    if (!isEnough({ device, grid }, known)) return null;
    const isInside = (timeMicros: number) => timeMicros >= grid.startMicros && timeMicros < endOfGrid(grid);
    return {
      energy: measureEnergy(known, device.rules, device.spans, grid),
      readings: readings.filter(({ timeMicros }) => isInside(timeMicros)),
    };
  });
  const rest = await measureGrids(
    tx,
    asked.filter((_, at) => found[at] === null),
  );
  return found.flatMap((one) => one ?? rest.shift() ?? []);
}

/** Whether nothing beyond the readings within reach can change the grid. */
function isEnough({ device, grid }: AskedCut, readings: readonly EnergyReading[]): boolean {
  const spans = spansOfInterest(device);
  const interval = { fromMicros: grid.startMicros, toMicros: endOfGrid(grid) - 1 };
  const isComplete = ({ firstMicros, lastMicros }: { firstMicros: number; lastMicros: number }) => ({
    before: firstMicros >= interval.fromMicros - reachMicros,
    after: lastMicros <= interval.toMicros + reachMicros,
  });
  if (spans.any === null) return true;
  const all = isComplete(spans.any);
  const [first = Infinity, last = -Infinity] = [readings[0]?.timeMicros, readings.at(-1)?.timeMicros];
  if (!(all.before || first < interval.fromMicros) || !(all.after || last > interval.toMicros)) return false;
  return (['imported', 'exported'] as const).every((direction) => {
    const span = spans[direction];
    return span === null || isJudgedBeyond(registerReadings(readings, direction), interval, isComplete(span));
  });
}
