import type { CostBreakdown, CostGroup } from '../../shared/costs.ts';
import type { DashboardSummary } from '../../shared/dashboard.ts';
import type { EnergySnapshot } from '../commands/read-energy.ts';
import { listCurrentPower } from '../db/measurements.ts';
import { currentForMicros } from '../domain/current-power.ts';
import { type AskedRange, lengthOf, type SiteRanges } from '../domain/asked-range.ts';
import { averagePowerKw, knownParts } from '../domain/average-power.ts';
import { breakDown, type BreakdownPart } from '../domain/cost-breakdown.ts';
import { type CostStatement, stateCosts } from '../domain/cost-statement.ts';
import { knownSpan } from '../domain/data-quality.ts';
import type { PeakDemand } from '../domain/demand.ts';
import { dayMicros } from '../domain/energy-day.ts';
import type { EnergyTotals, SiteTotals } from '../domain/energy-totals.ts';
import { type FixedUnits, fromFixedUnits, milliOfKilo } from '../domain/fixed-units.ts';
import { formatInstant, type MicrosRange } from '../domain/instants.ts';
import { countTariffDays, noTariffDays } from '../domain/price-timeline.ts';
import { averagePowerFactor } from '../domain/statistics.ts';

/** Local days or months of all sites together that are broken down. */
export const maxParts = 10_000;

/** About how many local days or months of sites a range has. */
export function countParts(range: AskedRange, group: CostGroup, siteCount: number): number {
  if (group === 'period') return siteCount;
  const days = Math.ceil(lengthOf(range) / dayMicros);
  return siteCount * (group === 'day' ? days : Math.ceil(days / 28));
}

/** Only a site with a chosen active device pays its fixed charge (energy-and-cost.md 7). */
function stateSites({ devices }: EnergySnapshot, totals: EnergyTotals, sites: readonly SiteTotals[]): CostStatement {
  const active = new Set(devices.filter((device) => device.isActive).map((device) => device.siteId));
  const devicesOf = Map.groupBy(devices, (device) => device.siteId);
  return stateCosts(
    sites.map(({ site: { siteId, days }, priced }) => ({
      siteId,
      priced,
      days: active.has(siteId) ? days : noTariffDays,
      devices: (devicesOf.get(siteId) ?? []).flatMap((device) => {
        const own = totals.devices.get(device.number);
        return own === undefined ? [] : [{ number: device.number, priced: own.priced }];
      }),
    })),
  );
}

/** `GET /api/dashboard/summary` of the totals of a range, as the page shows it and exports have it. */
export async function presentSummary(
  ranges: SiteRanges,
  snapshot: EnergySnapshot,
  totals: EnergyTotals,
  nowMicros: number,
): Promise<DashboardSummary> {
  const { devices } = snapshot;
  const since = devices.map((one) => ({ number: one.number, afterMicros: nowMicros - currentForMicros(one) }));
  const currentPower = await listCurrentPower(snapshot.tx, since, nowMicros);
  const sites = totals.totalSites();
  const statement = stateSites(snapshot, totals, sites);
  const names = new Map(devices.map((device) => [device.siteId, device.siteName]));
  const all = [...totals.devices.values()];
  const energy = {
    importedKwh: sum(sites.map(({ priced }) => priced.importedKwh)),
    exportedKwh: sum(sites.map(({ priced }) => priced.exportedKwh)),
  };
  const lastReadings = new Map(
    snapshot.measured.flatMap(({ deviceNumber, spans: { any } }) =>
      any === null ? [] : [[deviceNumber, any.lastMicros] as const],
    ),
  );
  const active = devices.flatMap((device) => {
    const power = device.isActive ? currentPower.get(device.number) : undefined;
    return power === undefined ? [] : [power];
  });
  return {
    ...presentRange(ranges),
    activeDeviceCount: devices.filter((device) => device.isActive).length,
    currentDeviceCount: active.length,
    currentPowerKw: active.length === 0 ? null : powerKw(active.reduce<bigint>((sum, one) => sum + BigInt(one), 0n)),
    averagePowerKw: averagePowerKw(energy, await listKnownParts(snapshot, ranges)),
    ...presentPeak(totals.findPeak()),
    averagePowerFactor: averagePowerFactor(
      sum(all.map((own) => own.factorActiveSum)),
      sum(all.map((own) => own.factorReactiveSum)),
    ),
    energyImportedKwh: energy.importedKwh,
    energyExportedKwh: energy.exportedKwh,
    estimatedEnergyKwh: sum(sites.map(({ priced }) => priced.interpolatedKwh)),
    unpricedEnergyKwh: sum(sites.map(({ priced }) => priced.unpricedKwh)),
    costs: statement.costs,
    devices: devices.flatMap((device) => {
      const own = totals.devices.get(device.number);
      if (own === undefined) return [];
      const power = currentPower.get(device.number);
      const last = lastReadings.get(device.number);
      return [
        {
          deviceId: device.id,
          deviceName: device.name,
          siteId: device.siteId,
          siteName: device.siteName,
          energyImportedKwh: own.priced.importedKwh,
          energyExportedKwh: own.priced.exportedKwh,
          estimatedEnergyKwh: own.priced.interpolatedKwh,
          averagePowerKw: own.samples === 0 ? null : own.powerSum / (own.samples * milliOfKilo.perUnit),
          ...presentPeak(own.peak),
          currentPowerKw: power === undefined ? null : powerKw(power),
          lastMeasuredAt: last === undefined ? null : formatInstant(last),
          costs: statement.devices.get(device.number) ?? [],
        },
      ];
    }),
    sites: sites.map(({ site: { siteId }, priced }) => ({
      siteId,
      siteName: names.get(siteId) ?? '',
      energyImportedKwh: priced.importedKwh,
      energyExportedKwh: priced.exportedKwh,
      costs: statement.sites.get(siteId) ?? [],
    })),
    periods: statement.lines,
  };
}

/** When the energy of each device is known. */
async function listKnownParts(snapshot: EnergySnapshot, ranges: SiteRanges): Promise<MicrosRange[]> {
  const gaps = Map.groupBy(await snapshot.listFlags(ranges.all), (flag) => flag.deviceNumber);
  const zones = new Map(snapshot.devices.map((device) => [device.number, device.timeZone]));
  return snapshot.measured.flatMap((device) => {
    const own = (gaps.get(device.deviceNumber) ?? []).flatMap(({ kind, timeMicros, untilMicros }) =>
      kind === 'gap' && untilMicros !== null ? [{ fromMicros: timeMicros, toMicros: untilMicros }] : [],
    );
    return knownParts(ranges.of(zones.get(device.deviceNumber) ?? 'UTC'), knownSpan(device), own);
  });
}

/** `GET /api/dashboard/cost-breakdown` of totals that were cut by the same group. */
export function presentBreakdown(
  ranges: SiteRanges,
  group: CostGroup,
  snapshot: EnergySnapshot,
  totals: EnergyTotals,
): CostBreakdown {
  const sites = totals.totalSites();
  const { costs } = stateSites(snapshot, totals, sites);
  const active = new Set(snapshot.devices.filter((device) => device.isActive).map((device) => device.siteId));
  const names = new Map(snapshot.devices.map((device) => [device.siteId, device.siteName]));
  const parts = sites.flatMap(({ site: { siteId, days }, priced, groups }): BreakdownPart[] => {
    const isCharged = active.has(siteId);
    if (group === 'period') return [{ siteId, group: null, priced, days: isCharged ? days : noTariffDays }];
    return groups.map((part) => ({
      siteId,
      group: part.key,
      priced: part.priced,
      days: isCharged ? countTariffDays(part.days) : noTariffDays,
    }));
  });
  return {
    ...presentRange(ranges),
    group,
    costs,
    energyImportedKwh: sum(sites.map(({ priced }) => priced.importedKwh)),
    energyExportedKwh: sum(sites.map(({ priced }) => priced.exportedKwh)),
    estimatedEnergyKwh: sum(sites.map(({ priced }) => priced.interpolatedKwh)),
    unpricedEnergyKwh: sum(sites.map(({ priced }) => priced.unpricedKwh)),
    lines: breakDown(parts, costs).map(({ tariff, ...line }) => ({
      ...line,
      siteName: names.get(line.siteId) ?? '',
      tariffId: tariff?.id ?? null,
      tariffName: tariff?.name ?? null,
      currency: tariff?.currency ?? null,
    })),
  };
}

/** The instants that hold the range of all sites, and the local dates, where those were asked for. */
export const presentRange = ({ all, dates }: SiteRanges) => ({
  from: formatInstant(all.fromMicros),
  to: formatInstant(all.toMicros),
  fromDate: dates?.fromDate ?? null,
  toDate: dates?.toDate ?? null,
});

const presentPeak = (peak: PeakDemand | null) => ({
  peakPowerKw: peak?.kw ?? null,
  peakAt: peak === null ? null : formatInstant(peak.slotStartMicros),
});

const powerKw = (milliwatts: FixedUnits) => fromFixedUnits(milliwatts, milliOfKilo);
const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);
