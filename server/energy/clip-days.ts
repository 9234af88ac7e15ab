import { openDay, storedDay } from './energy-days.sql.ts';
import type { SiteRanges } from '../base/ranges.ts';
import {
  slotMicros,
  wholeSpan,
  applyPatch,
  clearOutside,
  type CutSlot,
  cutSlots,
  dayOf,
  type EnergyPatch,
  estimateCut,
  type StoredDay,
} from './energy.rules.ts';
import { addReadings, emptyStatistics } from './statistics.rules.ts';
import { measureCuts, type MeasuredDevice, type MeasuredGrid } from './measure-grids.ts';
import type { EnergyReader } from './energy-reader.ts';
import { dayMicros } from '../base/instants.ts';

/** Clips a day to the range, with its statistics as far as they were read. */
export type ClipDay = (stored: StoredDay) => StoredDay;

/** Cut quarter-hours measured at once. */
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

/** Whether a device may have energy in the part of the quarter-hour that is cut away; otherwise the quarter-hour need not be cut. */
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
