import type { CostBreakdown, CostGroup, DashboardSummary } from '../../shared/dashboard.ts';
import type { EnergyReader } from '../energy/energy-reader.ts';
import { type ChosenDevice, listCurrentPower } from '../energy/measurements.sql.ts';
import { type SiteRanges, presentRange } from '../base/ranges.ts';
import {
  averagePowerKw,
  gapsIn,
  knownSpan,
  listPowerParts,
  measuredHours,
  type PowerPart,
  type PeakDemand,
  arrivedUntil,
  currentForMicros,
  sumCurrentPower,
} from '../energy/power.rules.ts';
import { breakDown, stateCosts } from '../rates/cost-statement.rules.ts';
import { emptyPricedEnergy, type PricedEnergy, sumPriced } from '../rates/costs.rules.ts';
import { listBalances, type MeterBalance, addsUp } from '../energy/device-tree.rules.ts';
import { type EnergyTotals, partsOf } from '../rates/energy-totals.rules.ts';
import { type FixedUnits, fromFixedUnits, milliOfKilo } from '../base/quantities.ts';
import { formatInstant } from '../base/instants.ts';
import { daysByCurrency } from '../rates/tariffs.rules.ts';
import { wholeSpan } from '../energy/energy.rules.ts';
import { averagePower, averagePowerFactor } from '../energy/statistics.rules.ts';

/** The data from which the average power of the devices of a snapshot is computed. */
export function powerParts(
  ranges: SiteRanges,
  snapshot: EnergyReader,
  totals: EnergyTotals,
  { flags, nowMicros }: { flags: Awaited<ReturnType<EnergyReader['listFlags']>>; nowMicros: number },
): PowerPart[] {
  const energyOf = (number: number) => totals.devices.get(number)?.priced ?? emptyPricedEnergy();
  return listPowerParts(snapshot.devices, ranges, { flags, nowMicros, energyOf });
}

/** The body of `GET /api/dashboard/summary`, also used by exports, from the totals of a range. */
export async function presentSummary(
  ranges: SiteRanges,
  snapshot: EnergyReader,
  totals: EnergyTotals,
  nowMicros: number,
): Promise<DashboardSummary> {
  const { devices } = snapshot;
  const since = devices.map((one) => ({ number: one.number, afterMicros: nowMicros - currentForMicros(one) }));
  const currentPower = await listCurrentPower(snapshot.tx, since, nowMicros);
  const sites = totals.totalSites();
  const statement = stateCosts(sites);
  const current = sumCurrentPower(devices, currentPower);
  const names = new Map(devices.map((device) => [device.siteId, device.siteName]));
  const all = devices.filter(addsUp).flatMap(({ number }) => totals.devices.get(number) ?? []);
  const balances = balancesOf(devices, totals);
  const energy = sumPriced(sites.map(({ priced }) => priced));
  const flags = await snapshot.listFlags(ranges.all);
  const flagsOf = Map.groupBy(flags, ({ deviceNumber }) => deviceNumber);
  return {
    ...presentRange(ranges),
    activeDeviceCount: devices.filter((device) => device.isActive).length,
    currentDeviceCount: current.deviceCount,
    arrivedUntil: formatInstant(Math.min(ranges.all.toMicros, arrivedUntil(devices, nowMicros))),
    currentPowerKw: current.powerKw,
    averagePowerKw: averagePowerKw(powerParts(ranges, snapshot, totals, { flags, nowMicros })),
    ...presentPeak(totals.findPeak()),
    averagePowerFactor: averagePowerFactor(
      sum(all.map((own) => own.factorActiveSum)),
      sum(all.map((own) => own.factorReactiveSum)),
    ),
    ...presentEnergy(energy),
    costs: statement.costs,
    tariffDays: daysByCurrency(sites),
    devices: devices.flatMap((device) => {
      const own = totals.devices.get(device.number);
      if (own === undefined) return [];
      const power = currentPower.get(device.number);
      const last = wholeSpan(device.spans)?.lastMicros;
      const hours = measuredHours(ranges.of(device.timeZone), knownSpan(device), gapsIn(flagsOf.get(device.number)));
      return [
        {
          deviceId: device.id,
          deviceName: device.name,
          siteId: device.siteId,
          siteName: device.siteName,
          parentDeviceId: device.parentDeviceId,
          countedIn: device.countedIn,
          notSubMeteredKwh: balances.get(device.id)?.notSubMeteredKwh ?? null,
          energyImportedKwh: own.priced.importedKwh,
          energyExportedKwh: own.priced.exportedKwh,
          estimatedEnergyKwh: own.priced.interpolatedKwh,
          measuredHours: Math.round(100 * hours) / 100,
          averagePowerKw: averagePower(own),
          ...presentPeak(own.peak),
          currentPowerKw: power === undefined ? null : powerKw(power),
          lastMeasuredAt: last === undefined ? null : formatInstant(last),
          costs: statement.devices.get(device.number) ?? [],
        },
      ];
    }),
    sites: sites.map(({ siteId, priced }) => ({
      siteId,
      siteName: names.get(siteId) ?? '',
      energyImportedKwh: priced.importedKwh,
      energyExportedKwh: priced.exportedKwh,
      costs: statement.sites.get(siteId) ?? [],
    })),
    periods: statement.lines,
  };
}

/** The balances of the devices that have sub-meters, by id. */
export const balancesOf = (devices: readonly ChosenDevice[], totals: EnergyTotals): Map<string, MeterBalance> =>
  listBalances(devices, ({ number }) => totals.devices.get(number)?.priced ?? emptyPricedEnergy());

/** The body of `GET /api/dashboard/cost-breakdown`, from totals with the same grouping. */
export function presentBreakdown(
  ranges: SiteRanges,
  group: CostGroup,
  snapshot: EnergyReader,
  totals: EnergyTotals,
): CostBreakdown {
  const sites = totals.totalSites();
  const { costs } = stateCosts(sites);
  const names = new Map(snapshot.devices.map((device) => [device.siteId, device.siteName]));
  return {
    ...presentRange(ranges),
    group,
    costs,
    tariffDays: daysByCurrency(sites),
    ...presentEnergy(sumPriced(sites.map(({ priced }) => priced))),
    lines: breakDown(partsOf(sites, group), costs).map(({ tariff, ...line }) => ({
      ...line,
      siteName: names.get(line.siteId) ?? '',
      tariffId: tariff?.id ?? null,
      tariffName: tariff?.name ?? null,
      currency: tariff?.currency ?? null,
    })),
  };
}

const presentEnergy = ({ importedKwh, exportedKwh, interpolatedKwh, unpricedKwh }: PricedEnergy) => ({
  energyImportedKwh: importedKwh,
  energyExportedKwh: exportedKwh,
  estimatedEnergyKwh: interpolatedKwh,
  unpricedEnergyKwh: unpricedKwh,
});

const presentPeak = (peak: PeakDemand | null) => ({
  peakPowerKw: peak?.kw ?? null,
  peakAt: peak === null ? null : formatInstant(peak.slotStartMicros),
});

const powerKw = (milliwatts: FixedUnits) => fromFixedUnits(milliwatts, milliOfKilo);
const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);
