import { listTariffs, type MunicipalityTariff } from './tariffs.sql.ts';
import type { SiteRanges } from '../base/ranges.ts';
import { type ComparedTotals, shiftTariffs } from './cost-comparison.rules.ts';
import type { EnergySnapshot } from '../energy/read-energy.ts';
import { totalEnergy } from './total-energy.ts';

/** What two ranges took and cost, and what the first would cost at the prices of the other; the snapshot must hold both. */
export async function totalCompared(
  snapshot: EnergySnapshot,
  current: SiteRanges,
  other: SiteRanges,
): Promise<ComparedTotals> {
  const zones = new Map(snapshot.devices.map((device) => [device.municipalityId, device.timeZone]));
  const shifted = new Map<string, MunicipalityTariff[]>();
  for (const [municipalityId, tariffs] of await listTariffs(snapshot.tx, [...zones.keys()])) {
    const zone = zones.get(municipalityId) ?? 'UTC';
    const own = shiftTariffs(tariffs, zone, { current: current.of(zone), other: other.of(zone) });
    if (own !== null) shifted.set(municipalityId, own);
  }
  const sites = (await totalEnergy(snapshot, current)).totalSites();
  const otherSites = (await totalEnergy(snapshot, other)).totalSites();
  if (shifted.size === 0) return { current: sites, other: otherSites, atOtherPrices: sites };
  const revise = (id: string, tariffs: readonly MunicipalityTariff[]) => shifted.get(id) ?? tariffs;
  const revised = await totalEnergy(snapshot, current, null, revise);
  return { current: sites, other: otherSites, atOtherPrices: revised.totalSites() };
}
