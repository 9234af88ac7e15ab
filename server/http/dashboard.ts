import { z } from 'zod';
import {
  dashboardSummary,
  type DashboardSummary,
  loadCurve,
  type LoadCurve,
  loadCurveGroup,
  type LoadCurveGroup,
} from '../../shared/dashboard.ts';
import {
  type ChosenDevice,
  type DeviceSummary,
  listChosenDevices,
  listLoadCurve,
  summarizeDevices,
} from '../db/measurements.ts';
import type { Database } from '../db/pool.ts';
import { DomainError } from '../domain/errors.ts';
import { type FixedUnits, fromFixedUnits, milliOfKilo } from '../domain/fixed-units.ts';
import { formatInstant } from '../domain/instants.ts';
import { type CurveMember, loadCurveSeries } from '../domain/load-curve.ts';
import type { App } from './app.ts';
import type { Guard } from './guard.ts';
import {
  bucketQuery,
  bucketStarts,
  came,
  deviceIdsQuery,
  rangeQuery,
  readBucket,
  readByHand,
  readDeviceIds,
  readRange,
  refuseTooManyBuckets,
  startsInside,
} from './ranges.ts';

/** A device's latest reading counts as its current power while it is younger than this; one from the future never does. */
const currentForMicros = 15 * 60 * 1_000_000;

const summaryQuery = rangeQuery.extend(deviceIdsQuery.shape);
const loadCurveQuery = summaryQuery.extend({
  ...bucketQuery.shape,
  groupBy: z
    .string()
    .optional()
    .meta({ description: `one of ${loadCurveGroup.options.join(', ')}; required` }),
});

export interface DashboardRoutesParts {
  guard: Guard;
  database: Database;
  /** Zone of `hour` and `day` where the chosen devices lie in several. */
  timeZone: string;
  now: () => number;
}

export async function dashboardRoutes(
  app: App,
  { guard, database, timeZone, now }: DashboardRoutesParts,
): Promise<void> {
  app.get(
    '/api/dashboard/summary',
    {
      onRequest: guard.signedIn,
      validatorCompiler: readByHand,
      schema: {
        tags: ['Dashboard'],
        summary: 'Totals of a range, by device and site, with the current power',
        description: 'A number that is not computed yet is null, never a wrong one.',
        querystring: summaryQuery,
        response: { 200: dashboardSummary },
      },
    },
    async (request): Promise<DashboardSummary> => {
      const range = readRange(request.query);
      const deviceIds = readDeviceIds(request.query.deviceIds);
      const nowMicros = now() * 1000;
      const current = { after: formatInstant(nowMicros - currentForMicros), upTo: formatInstant(nowMicros) };
      return presentSummary(range, await summarizeDevices(database, { ...range, deviceIds }, current));
    },
  );

  app.get(
    '/api/dashboard/load-curve',
    {
      onRequest: guard.signedIn,
      validatorCompiler: readByHand,
      schema: {
        tags: ['Dashboard'],
        summary: 'Average power over time by device, by site or in total',
        querystring: loadCurveQuery,
        response: { 200: loadCurve },
      },
    },
    async (request): Promise<LoadCurve> => {
      const size = readBucket(request.query.bucket);
      const range = readRange(request.query);
      const groupBy = readGroup(request.query.groupBy);
      const devices = await listChosenDevices(database, readDeviceIds(request.query.deviceIds));
      const members = membersBy(groupBy, devices);
      const bucket = refuseTooManyBuckets(size, range, new Set(members.map((member) => member.seriesId)).size);
      const zones = new Set(devices.map((device) => device.timeZone));
      const [zone = timeZone] = zones.size === 1 ? zones : [timeZone];
      const times = bucketStarts(range, bucket, zone);
      const numbers = devices.map((device) => device.number);
      const points = await listLoadCurve(database, numbers, range, startsInside(times, range));
      const series = loadCurveSeries(members, points, times.length);
      return { bucket, times, series: series.map((one) => ({ ...one, energyImportedKwh: times.map(() => null) })) };
    },
  );
}

function readGroup(groupBy: unknown): LoadCurveGroup {
  const parsed = loadCurveGroup.safeParse(groupBy);
  if (parsed.success) return parsed.data;
  throw new DomainError(
    'invalid',
    `groupBy must be one of ${loadCurveGroup.options.join(', ')}; got ${came(groupBy)}.`,
  );
}

function membersBy(groupBy: LoadCurveGroup, devices: readonly ChosenDevice[]): CurveMember[] {
  return devices.map((device) => {
    if (groupBy === 'device') return { number: device.number, seriesId: device.id, seriesName: device.name };
    if (groupBy === 'site') return { number: device.number, seriesId: device.siteId, seriesName: device.siteName };
    return { number: device.number, seriesId: 'total', seriesName: 'Total' };
  });
}

function presentSummary(range: { from: string; to: string }, devices: readonly DeviceSummary[]): DashboardSummary {
  const current = devices.filter((device) => device.isActive && device.currentPower !== null);
  const sites = new Map(devices.map((device) => [device.siteId, device.siteName]));
  return {
    from: range.from,
    to: range.to,
    activeDeviceCount: devices.filter((device) => device.isActive).length,
    currentPowerKw:
      current.length === 0
        ? null
        : powerKw(current.reduce((sum, device) => sum + BigInt(device.currentPower ?? 0), 0n)),
    peakPowerKw: null,
    peakAt: null,
    averagePowerFactor: averagePowerFactor(devices),
    energyImportedKwh: null,
    energyExportedKwh: null,
    estimatedEnergyKwh: null,
    unpricedEnergyKwh: null,
    costs: null,
    devices: devices.map((device) => ({
      deviceId: device.deviceId,
      deviceName: device.deviceName,
      siteId: device.siteId,
      siteName: device.siteName,
      energyImportedKwh: null,
      energyExportedKwh: null,
      estimatedEnergyKwh: null,
      averagePowerKw: device.averagePowerKw,
      peakPowerKw: null,
      peakAt: null,
      currentPowerKw: device.currentPower === null ? null : powerKw(device.currentPower),
      lastMeasuredAt: device.lastMeasuredAt,
      costs: null,
    })),
    sites: [...sites].map(([siteId, siteName]) => ({
      siteId,
      siteName,
      energyImportedKwh: null,
      energyExportedKwh: null,
      costs: null,
    })),
    periods: null,
  };
}

const powerKw = (milliwatts: FixedUnits) => fromFixedUnits(milliwatts, milliOfKilo);

/** By the sums of P and Q over all devices that know both (energy-and-cost.md 6); null where none does. */
function averagePowerFactor(devices: readonly DeviceSummary[]): number | null {
  let active = 0;
  let reactive = 0;
  for (const device of devices) {
    if (device.activeSum === null || device.reactiveSum === null) continue;
    active += device.activeSum;
    reactive += device.reactiveSum;
  }
  const apparent = Math.hypot(active, reactive);
  return apparent === 0 ? null : active / apparent;
}
