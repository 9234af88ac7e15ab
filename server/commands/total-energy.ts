import { listTariffs } from '../db/tariffs.ts';
import type { SiteRanges } from '../domain/asked-range.ts';
import { partialDays } from '../domain/energy-day.ts';
import { createEnergyTotals, type EnergyTotals, type PricedSite, type TotalsGroup } from '../domain/energy-totals.ts';
import { tariffDaysOf } from '../domain/price-timeline.ts';
import { openClip } from './clip-days.ts';
import type { EnergySnapshot } from './read-energy.ts';

/** Days of devices read at once: some megabytes, and no longer than other requests can wait. */
const deviceDaysAtOnce = 6_100;
const maxDaysAtOnce = 61;
/** Sites whose days are counted before others get a turn. */
const municipalitiesAtOnce = 8;

/** The totals of all devices of a snapshot over the range of their site, priced by the tariffs that it holds. */
export async function totalEnergy(
  snapshot: EnergySnapshot,
  ranges: SiteRanges,
  group: TotalsGroup = null,
): Promise<EnergyTotals> {
  const { devices } = snapshot;
  const totals = createEnergyTotals(await listPricedSites(snapshot, ranges), devices, group);
  const days = snapshot.clipDays(ranges.all);
  const clip = await openClip(snapshot, ranges);
  const partial = new Set(devices.flatMap((device) => partialDays(ranges.of(device.timeZone))));
  const statistics = { depth: 'all', days: [...partial] } as const;
  const daysAtOnce = Math.max(1, Math.min(maxDaysAtOnce, Math.floor(deviceDaysAtOnce / Math.max(1, devices.length))));
  for (let { fromDay } = days; fromDay < days.toDay; fromDay += daysAtOnce) {
    const toDay = Math.min(days.toDay, fromDay + daysAtOnce);
    const stored = await snapshot.listDays({ fromDay, toDay, statistics });
    totals.addDays(fromDay, toDay, stored.map(clip));
    await snapshot.takeTurn();
  }
  return totals;
}

async function listPricedSites({ tx, devices, takeTurn }: EnergySnapshot, ranges: SiteRanges): Promise<PricedSite[]> {
  const tariffsOf = await listTariffs(tx, [...new Set(devices.map((device) => device.municipalityId))]);
  const municipalities = new Map<string, Omit<PricedSite, 'siteId'>>();
  for (const { municipalityId, timeZone } of devices) {
    if (municipalities.has(municipalityId)) continue;
    const tariffs = tariffsOf.get(municipalityId) ?? [];
    const range = ranges.of(timeZone);
    const days = tariffDaysOf(range, timeZone, tariffs);
    municipalities.set(municipalityId, { municipalityId, timeZone, range, tariffs, days });
    if (municipalities.size % municipalitiesAtOnce === 0) await takeTurn();
  }
  const sites = new Map<string, PricedSite>();
  for (const { siteId, municipalityId } of devices) {
    const municipality = municipalities.get(municipalityId);
    if (municipality !== undefined) sites.set(siteId, { siteId, ...municipality });
  }
  return [...sites.values()];
}
