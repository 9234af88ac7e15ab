import { z } from 'zod';
import { costBreakdown, type CostBreakdown, costGroup, type CostGroup } from '../../shared/costs.ts';
import { dashboardSummary, type DashboardSummary } from '../../shared/dashboard.ts';
import { type EnergySnapshot, readEnergy } from '../commands/read-energy.ts';
import { totalEnergy } from '../commands/total-energy.ts';
import { listCurrentPower } from '../db/measurements.ts';
import type { Database } from '../db/pool.ts';
import { breakDown, type BreakdownPart } from '../domain/cost-breakdown.ts';
import { type CostStatement, stateCosts } from '../domain/cost-statement.ts';
import type { PeakDemand } from '../domain/demand.ts';
import type { EnergyTotals, SiteTotals, TotalsGroup } from '../domain/energy-totals.ts';
import { dayMicros } from '../domain/energy-day.ts';
import { DomainError } from '../domain/errors.ts';
import { type FixedUnits, fromFixedUnits, milliOfKilo } from '../domain/fixed-units.ts';
import { formatInstant } from '../domain/instants.ts';
import { averagePowerFactor } from '../domain/statistics.ts';
import { countTariffDays, noTariffDays } from '../domain/price-timeline.ts';
import type { App } from './app.ts';
import { clientGone } from './client-gone.ts';
import type { Guard } from './guard.ts';
import {
  came,
  deviceIdsQuery,
  type Range,
  rangeQuery,
  readByHand,
  readDeviceIds,
  readRange,
  refuseTooLong,
} from './ranges.ts';

/** A device's latest reading counts as its current power while it is younger than this; one from the future never does. */
const currentForMicros = 15 * 60 * 1_000_000;

const summaryQuery = rangeQuery.extend(deviceIdsQuery.shape);
const breakdownQuery = summaryQuery.extend({
  group: z.string().meta({ description: `one of ${costGroup.options.join(', ')}; period is the range as a whole` }),
});
const groupOf = { day: 'day', month: 'month', period: null } as const satisfies Record<CostGroup, TotalsGroup>;

/** A century: a day of fixed charge is a step of its own. */
const mostDays = 36_600;
/** Local days or months of all sites together that a breakdown lists. */
const mostParts = 10_000;

export interface DashboardRoutesParts {
  guard: Guard;
  database: Database;
  now: () => number;
}

export async function dashboardRoutes(app: App, { guard, database, now }: DashboardRoutesParts): Promise<void> {
  app.get(
    '/api/dashboard/summary',
    {
      onRequest: guard.signedIn,
      validatorCompiler: readByHand,
      schema: {
        tags: ['Dashboard'],
        summary: 'Energy, cost, peak demand and power of a range, by device and site',
        description:
          'Peaks are block demand over quarter-hours that lie wholly in the range. Amounts are rounded to the minor unit of the currency and add up.',
        querystring: summaryQuery,
        response: { 200: dashboardSummary },
      },
    },
    async (request, reply): Promise<DashboardSummary> => {
      const range = refuseTooLong(readRange(request.query), mostDays);
      const deviceIds = readDeviceIds(request.query.deviceIds);
      const nowMicros = now() * 1000;
      const current = { after: formatInstant(nowMicros - currentForMicros), upTo: formatInstant(nowMicros) };
      return readEnergy(database.until(clientGone(reply)), { deviceIds, range }, async (snapshot) => {
        const totals = await totalEnergy(snapshot, range);
        const numbers = snapshot.devices.map((device) => device.number);
        return presentSummary(range, snapshot, totals, await listCurrentPower(snapshot.tx, numbers, current));
      });
    },
  );

  app.get(
    '/api/dashboard/cost-breakdown',
    {
      onRequest: guard.signedIn,
      validatorCompiler: readByHand,
      schema: {
        tags: ['Dashboard'],
        summary: 'The lines that the cost of a range is made of',
        description: 'By local day or month of each site, or for the range as a whole. The lines add up to the total.',
        querystring: breakdownQuery,
        response: { 200: costBreakdown },
      },
    },
    async (request, reply): Promise<CostBreakdown> => {
      const group = readCostGroup(request.query.group);
      const range = refuseTooLong(readRange(request.query), mostDays);
      const deviceIds = readDeviceIds(request.query.deviceIds);
      return readEnergy(database.until(clientGone(reply)), { deviceIds, range }, async (snapshot) => {
        refuseTooManyParts(range, group, new Set(snapshot.devices.map((device) => device.siteId)).size);
        return presentBreakdown(range, group, snapshot, await totalEnergy(snapshot, range, groupOf[group]));
      });
    },
  );
}

function refuseTooManyParts({ fromMicros, toMicros }: Range, group: CostGroup, siteCount: number): void {
  const days = Math.ceil((toMicros - fromMicros) / dayMicros);
  const parts = siteCount * (group === 'day' ? days : Math.ceil(days / 28));
  if (group === 'period' || parts <= mostParts) return;
  const coarser = group === 'day' ? 'month' : 'period';
  throw new DomainError(
    'invalid',
    `The range has about ${parts} ${group}s of ${siteCount} sites, more than ${mostParts}; choose group ${coarser} or a shorter range.`,
  );
}

function readCostGroup(group: unknown): CostGroup {
  const parsed = costGroup.safeParse(group);
  if (parsed.success) return parsed.data;
  throw new DomainError('invalid', `group must be one of ${costGroup.options.join(', ')}; got ${came(group)}.`);
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

function presentSummary(
  range: Range,
  snapshot: EnergySnapshot,
  totals: EnergyTotals,
  currentPower: ReadonlyMap<number, FixedUnits>,
): DashboardSummary {
  const { devices } = snapshot;
  const sites = totals.totalSites();
  const statement = stateSites(snapshot, totals, sites);
  const names = new Map(devices.map((device) => [device.siteId, device.siteName]));
  const all = [...totals.devices.values()];
  const lastReadings = new Map(
    snapshot.measured.flatMap(({ deviceNumber, spans: { any } }) =>
      any === null ? [] : [[deviceNumber, any.lastMicros] as const],
    ),
  );
  const current = devices.flatMap((device) => {
    const power = device.isActive ? currentPower.get(device.number) : undefined;
    return power === undefined ? [] : [power];
  });
  return {
    from: range.from,
    to: range.to,
    activeDeviceCount: devices.filter((device) => device.isActive).length,
    currentPowerKw: current.length === 0 ? null : powerKw(current.reduce<bigint>((sum, one) => sum + BigInt(one), 0n)),
    ...presentPeak(totals.findPeak()),
    averagePowerFactor: averagePowerFactor(
      sum(all.map((own) => own.factorActiveSum)),
      sum(all.map((own) => own.factorReactiveSum)),
    ),
    energyImportedKwh: sum(sites.map(({ priced }) => priced.importedKwh)),
    energyExportedKwh: sum(sites.map(({ priced }) => priced.exportedKwh)),
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

function presentBreakdown(
  range: Range,
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
    from: range.from,
    to: range.to,
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

const presentPeak = (peak: PeakDemand | null) => ({
  peakPowerKw: peak?.kw ?? null,
  peakAt: peak === null ? null : formatInstant(peak.slotStartMicros),
});

const powerKw = (milliwatts: FixedUnits) => fromFixedUnits(milliwatts, milliOfKilo);
const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);
