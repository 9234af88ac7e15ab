import type { Big } from 'big.js';
import { slotMicros, slotsPerDay } from '../energy/energy.rules.ts';
import { dayMicros, type MicrosRange, steadyIntervals } from '../base/instants.ts';
import { money, priceEnergy, zero } from '../base/money.ts';
import { periodAt, type Tariff } from '../rates/tariffs.rules.ts';
import { knownCells, maxFilledShare, median, type UsualMeasured } from './usual.rules.ts';

/** The base load is measured over this many nights. */
export const baseLoadNights = 28;
/** A night lasts from midnight to six. */
const slotsPerNight = 24;
const slotsPerHour = 4;
/** The quarter-hours of a night that must have been measured for it to count. */
const minSlots = 20;
const minNights = 3;
/** A device measured for less than this share of the best-measured device's nights is too new, or gone. */
const minKnownShare = 0.5;
const minuteStep = 1;

/** Nights in a time zone: the slots (since 1970) of each, -1 if the clocks skipped one or it is in the future. */
export interface Nights {
  slots: Int32Array;
  /** The UTC days that contain them, half-open. */
  fromDay: number;
  toDay: number;
}

/** The nights of the 28 local days up to that of an instant. An hour that occurred twice counts as its first time. */
export function planNights(endMicros: number, timeZone: string): Nights {
  const endSlot = Math.ceil(endMicros / slotMicros);
  const firstSlot = endSlot - (baseLoadNights + 2) * slotsPerDay;
  const slots = new Int32Array(baseLoadNights * slotsPerNight).fill(-1);
  const steady = steadyIntervals(firstSlot * slotMicros, endSlot * slotMicros, timeZone);
  const lastDay = Math.floor(
    ((endSlot - 1) * slotMicros + (steady.at(-1)?.offsetMicros ?? 0)) / slotMicros / slotsPerDay,
  );
  for (const { fromMicros, toMicros, offsetMicros } of steady) {
    for (let slot = Math.ceil(fromMicros / slotMicros); slot * slotMicros < toMicros; slot += 1) {
      const local = slot + Math.floor(offsetMicros / slotMicros);
      const night = Math.floor(local / slotsPerDay) - lastDay + baseLoadNights - 1;
      const place = local - Math.floor(local / slotsPerDay) * slotsPerDay;
      if (night < 0 || place >= slotsPerNight) continue;
      const at = night * slotsPerNight + place;
      if (slots[at] === -1) slots[at] = slot;
    }
  }
  return { slots, fromDay: Math.floor(firstSlot / slotsPerDay), toDay: Math.ceil(endSlot / slotsPerDay) };
}

/** The days from which the base load at an instant is read. */
export const baseLoadDays = (endMicros: number): MicrosRange => ({
  fromMicros: endMicros - (baseLoadNights + 6) * dayMicros,
  toMicros: endMicros + 2 * dayMicros,
});

/** The energy of some devices together in those nights. */
export function createNightLoad(nights: Nights) {
  const { slots } = nights;
  const devices: { id: string; kwh: Float64Array; isKnown: Uint8Array; knownCount: number }[] = [];
  const listCounted = () => {
    const longest = devices.reduce((all, { knownCount }) => Math.max(all, knownCount), 1);
    return devices.filter(({ knownCount }) => knownCount >= minKnownShare * longest);
  };
  return {
    addDevice({ firstSlot, energy, known }: UsualMeasured, id = '') {
      const isKnown = knownCells(nights, firstSlot, energy, known);
      const kwh = Float64Array.from(slots, (slot) => energy.importedKwh[slot - firstSlot] ?? 0);
      devices.push({ id, kwh, isKnown, knownCount: isKnown.reduce((sum, one) => sum + one, 0) });
    },
    /** The base load in kW, and the number of nights it is based on; null if fewer than three were measured. */
    close() {
      const counted = listCounted();
      const kwh = new Float64Array(slots.length);
      const unknown = new Uint16Array(slots.length);
      for (const own of counted) {
        const filling = median([...own.kwh].filter((_, at) => own.isKnown[at] === 1)) ?? 0;
        for (const at of slots.keys()) {
          const isKnown = own.isKnown[at] === 1;
          kwh[at] = (kwh[at] ?? 0) + (isKnown ? (own.kwh[at] ?? 0) : filling);
          if (!isKnown) unknown[at] = (unknown[at] ?? 0) + 1;
        }
      }
      const loads: number[] = [];
      for (let start = 0; start < slots.length; start += slotsPerNight) {
        const own = kwh.subarray(start, start + slotsPerNight);
        const isMeasured = Array.from(own, (_, at) => (unknown[start + at] ?? 0) <= maxFilledShare * counted.length);
        if (isMeasured.filter(Boolean).length < minSlots) continue;
        const quietest = quietestHour(own, isMeasured);
        if (quietest !== null) loads.push(quietest);
      }
      const kw = median(loads);
      return kw === null || counted.length === 0 || loads.length < minNights ? null : { kw, nightCount: loads.length };
    },
    /** The devices that are left out of a base load. */
    listLeftOut() {
      const counted = new Set(listCounted());
      return devices.filter((one) => !counted.has(one)).map(({ id }) => id);
    },
  };
}

/**
 * The least energy of four consecutive quarter-hours (an hour, so in kWh it equals the mean power in kW); null if no four were
 * measured.
 */
function quietestHour(kwh: Float64Array, isMeasured: readonly boolean[]): number | null {
  let least: number | null = null;
  for (let start = 0; start + slotsPerHour <= kwh.length; start += 1) {
    if (!isMeasured.slice(start, start + slotsPerHour).every(Boolean)) continue;
    const hour = kwh.subarray(start, start + slotsPerHour).reduce((sum, value) => sum + value, 0);
    least = Math.min(least ?? hour, hour);
  }
  return least;
}

export const hoursPerYear = 8760;
const minutesPerDay = 1440;
const daysPerWeek = 7;

/** The yearly cost of a constant load on a tariff: energy and VAT, at the mean rate of a week. */
export function yearlyCost(tariff: Tariff, kw: number): Big {
  let sum = zero;
  for (let weekday = 0; weekday < daysPerWeek; weekday += 1) {
    for (let minute = 0; minute < minutesPerDay; minute += minuteStep) {
      sum = sum.plus(periodAt(tariff, weekday, minute)?.ratePerKwh ?? tariff.defaultRatePerKwh);
    }
  }
  const rate = sum.div((daysPerWeek * minutesPerDay) / minuteStep);
  return priceEnergy(kw * hoursPerYear, rate).times(money(1).plus(tariff.vatPercent.div(100)));
}
