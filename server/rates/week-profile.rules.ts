import type { SlotEnergy } from './costs.rules.ts';
import { emptyEnergy, slotMicros } from '../energy/energy.rules.ts';
import { energyColumns, slotsPerDay } from '../energy/energy-day.rules.ts';
import { type MicrosRange, dayMicros } from '../base/instants.ts';
import { steadyIntervals } from '../base/time-zones.ts';

const slotsPerWeek = 7 * slotsPerDay;

/**
 * Adds up the weeks of a load by the clock of a zone: their instants are local times. Yields one week, or several if offsets from
 * UTC differ by less than whole slots. A price that depends on weekday and time of day only, and splits a slot pro rata, is the
 * same for the sum (energy-and-cost.md 7). The rest is what is not a whole slot of one offset.
 */
export function foldWeeks(slots: SlotEnergy, timeZone: string) {
  const { fromMicros, toMicros } = slots.range;
  const weeks = new Map<number, SlotEnergy>();
  const rest: MicrosRange[] = [];
  for (const steady of steadyIntervals(fromMicros, toMicros, timeZone)) {
    const start = Math.ceil(steady.fromMicros / slotMicros) * slotMicros;
    const end = Math.max(start, Math.floor(steady.toMicros / slotMicros) * slotMicros);
    for (const part of [
      { fromMicros: steady.fromMicros, toMicros: Math.min(start, steady.toMicros) },
      { fromMicros: end, toMicros: steady.toMicros },
    ]) {
      if (part.fromMicros < part.toMicros) rest.push(part);
    }
    if (start === end) continue;
    const local = start + steady.offsetMicros;
    const phase = local - Math.floor(local / slotMicros) * slotMicros;
    const week = weeks.getOrInsertComputed(phase, () => emptyWeek(local, phase));
    addSlots(
      week,
      slots,
      { first: (start - slots.startMicros) / slotMicros, count: (end - start) / slotMicros },
      local,
    );
  }
  return { weeks: [...weeks.values()], rest };
}

/** From the start of the local day on, or the first slot after it. */
function emptyWeek(localMicros: number, phase: number): SlotEnergy {
  const startMicros = Math.floor(localMicros / dayMicros) * dayMicros + phase;
  const range = { fromMicros: startMicros, toMicros: startMicros + slotsPerWeek * slotMicros };
  return { ...emptyEnergy(slotsPerWeek), startMicros, range };
}

function addSlots(
  week: SlotEnergy,
  slots: SlotEnergy,
  { first, count }: { first: number; count: number },
  localMicros: number,
): void {
  const offset = (localMicros - week.startMicros) / slotMicros;
  const start = offset - Math.floor(offset / slotsPerWeek) * slotsPerWeek;
  for (const name of energyColumns) {
    const [target, source] = [week[name], slots[name]];
    for (let at = 0, slot = start; at < count; at += 1) {
      target[slot] = (target[slot] ?? 0) + (source[first + at] ?? 0);
      slot = slot + 1 === slotsPerWeek ? 0 : slot + 1;
    }
  }
}
