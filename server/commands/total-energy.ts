import { setImmediate as letOthersRun } from 'node:timers/promises';
import { type ChosenDevice, sumPower } from '../db/measurements.ts';
import type { Transaction } from '../db/pool.ts';
import { listTariffs } from '../db/tariffs.ts';
import { slotMicros } from '../domain/energy.ts';
import {
  createEnergyTotals,
  type EnergyTotals,
  partialDays,
  type PricedSite,
  type TotalsGroup,
  wholeSlots,
} from '../domain/energy-totals.ts';
import { formatInstant } from '../domain/instants.ts';
import type { MicrosRange } from '../domain/simulation.ts';
import type { EnergySnapshot } from './read-energy.ts';

/** Days read at once: some megabytes for a hundred devices. */
const daysAtOnce = 61;

/** The totals of all devices of a snapshot over a range, priced by the tariffs that it holds. */
export async function totalEnergy(
  snapshot: EnergySnapshot,
  range: MicrosRange,
  group: TotalsGroup = null,
): Promise<EnergyTotals> {
  const { tx, devices } = snapshot;
  const totals = createEnergyTotals(range, await listPricedSites(tx, devices), devices, group);
  const days = snapshot.clipDays(range);
  const statistics = { depth: 'all', days: partialDays(range) } as const;
  for (let { fromDay } = days; fromDay < days.toDay; fromDay += daysAtOnce) {
    const toDay = Math.min(days.toDay, fromDay + daysAtOnce);
    totals.addDays(fromDay, toDay, await snapshot.listDays({ fromDay, toDay, statistics }));
    await letOthersRun();
  }
  const numbers = devices.map((device) => device.number);
  for (const part of cutSlots(range)) {
    const text = { from: formatInstant(part.fromMicros), to: formatInstant(part.toMicros) };
    for (const sums of await sumPower(tx, numbers, text)) totals.addPower(sums.deviceNumber, sums);
  }
  return totals;
}

/** What a range has of slots that it cuts: at most two stretches. */
export function cutSlots(range: MicrosRange): MicrosRange[] {
  const { first, last } = wholeSlots(range);
  if (first === last) {
    // All in one slot, or in two of which it has none whole.
    return [range];
  }
  const parts = [
    { fromMicros: range.fromMicros, toMicros: first * slotMicros },
    { fromMicros: last * slotMicros, toMicros: range.toMicros },
  ];
  return parts.filter((part) => part.fromMicros < part.toMicros);
}

async function listPricedSites(tx: Transaction, devices: readonly ChosenDevice[]): Promise<PricedSite[]> {
  const tariffs = await listTariffs(tx, [...new Set(devices.map((device) => device.municipalityId))]);
  const sites = new Map<string, PricedSite>();
  for (const { siteId, municipalityId, timeZone } of devices) {
    sites.set(siteId, { siteId, municipalityId, timeZone, tariffs: tariffs.get(municipalityId) ?? [] });
  }
  return [...sites.values()];
}
