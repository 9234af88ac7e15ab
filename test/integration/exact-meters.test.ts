import { beforeAll, describe, expect, it } from 'vitest';
import { materializeSome } from '../../server/energy/materialize-energy.ts';
import { applyRetention } from '../../server/energy/retention.ts';
import { dashboardSummary } from '../../shared/dashboard.ts';
import { dataQuality } from '../../shared/data-quality.ts';
import { bucketedRow, ingestResult } from '../../shared/measurements.ts';
import { appOfFile } from '../support/app-of-file.ts';
import { exactCost } from '../support/exact-cost.ts';
import {
  type ExactEnergy,
  type ExactMeter,
  exactMeter,
  exactPeak,
  type ExactReading,
  kwhOf,
  quarter,
} from '../support/exact-energy.ts';
import { type GeneratedMeter, generatedMeters, generatedRanges, generatedTariff } from '../support/generated-meters.ts';
import { createDevice } from '../support/sites.ts';

const now = Date.parse('2026-05-20T12:00:00Z');
const portal = appOfFile({ now: () => now });
let admin = { cookie: '' };
const ids = new Map<GeneratedMeter, string>();
/** A meter that reports hourly is left to the pure functions. */
const meters = generatedMeters.filter(({ device }) => device.expectedIntervalSeconds === null);
/** Without the meter that has registers only part of the time. */
const steady = meters.slice(0, -1);

const ask = async (
  method: 'GET' | 'POST',
  url: string,
  options: { payload?: object; query?: Record<string, string> },
) => {
  const answer = await portal.app.inject({ method, url, headers: admin, ...options });
  expect(answer.statusCode, answer.body).toBeLessThan(300);
  return answer.json();
};
const create = async (url: string, payload: object): Promise<string> => (await ask('POST', url, { payload })).id;

/** The same order in each run. */
function shuffled<T>(items: readonly T[]): T[] {
  const copy = [...items];
  for (let at = copy.length - 1; at > 0; at -= 1) {
    const other = (at * 7_919 + 104_729) % (at + 1);
    const [a, b] = [copy[at], copy[other]];
    if (a !== undefined && b !== undefined) [copy[at], copy[other]] = [b, a];
  }
  return copy;
}

/** To the microsecond. */
const text = (time: bigint) =>
  `${new Date(Number(time / 1000n)).toISOString().slice(0, -1)}${String(time % 1000n).padStart(3, '0')}Z`;
const textOfRange = ({ from, to }: { from: bigint; to: bigint }) => ({ from: text(from), to: text(to) });

const inKilo = (value: bigint | null) => (value === null ? null : Number(value) / 1e6);
async function deliver(externalId: string, readings: readonly ExactReading[]): Promise<void> {
  const payload = readings.map(({ time, power, imported, exported }) => ({
    externalId,
    time: text(time),
    activePowerKw: inKilo(power),
    energyImportedKwh: inKilo(imported),
    energyExportedKwh: inKilo(exported),
  }));
  const result = ingestResult.parse(await ask('POST', '/api/ingest/measurements', { payload }));
  expect(result).toMatchObject({ accepted: readings.length, duplicates: 0 });
}

const near = (value: number | null | undefined, wanted: number, what: string) =>
  expect(Math.abs((value ?? 0) - wanted), `${what}: ${value}, wanted ${wanted}`).toBeLessThan(1e-8);

const summaryOf = async (range: { from: bigint; to: bigint }, ...deviceIds: string[]) =>
  dashboardSummary.parse(
    await ask('GET', '/api/dashboard/summary', { query: { ...textOfRange(range), deviceIds: deviceIds.join(',') } }),
  );

/** The summary of a range equals the reference: energy, demand, and the cost of each line. */
async function compareRange(
  { name, zone }: GeneratedMeter,
  deviceId: string,
  exact: ExactMeter,
  range: { from: bigint; to: bigint },
) {
  const found = await summaryOf(range, deviceId);
  const what = `${name}, ${text(range.from)} to ${text(range.to)}`;
  compareEnergy(found, exact.between(range.from, range.to), what);
  const peak = exactPeak([exact], range.from, range.to);
  expect(found.peakAt, what).toBe(peak === null ? null : text(peak.time).replace('.000000', ''));
  near(found.peakPowerKw, peak?.kw ?? 0, `${what}: peak`);
  const cost = exactCost([exact], generatedTariff, zone, range.from, range.to);
  expect(found.costs[0]?.total, what).toBe(cost.total);
  expect(found.devices[0]?.costs[0]?.energyCost ?? 0, what).toBe(found.costs[0]?.energyCost);
  for (const [line, units] of cost.lines) {
    near(found.periods.find((period) => period.name === line)?.energyKwh, kwhOf(units), `${what}: ${line}`);
  }
  const cents = found.periods.reduce((sum, period) => sum + Math.round(period.cost * 100), 0);
  expect(cents, what).toBe(Math.round((found.costs[0]?.energyCost ?? 0) * 100));
}

function compareEnergy(
  found: { energyImportedKwh: number; energyExportedKwh: number; estimatedEnergyKwh: number },
  wanted: ExactEnergy,
  what: string,
) {
  near(found.energyImportedKwh, kwhOf(wanted.imported), `${what}: import`);
  near(found.energyExportedKwh, kwhOf(wanted.exported), `${what}: export`);
  near(found.estimatedEnergyKwh, kwhOf(wanted.interpolated), `${what}: estimated`);
}

beforeAll(async () => {
  admin = await portal.signIn();
  for (const [at, meter] of generatedMeters.entries()) {
    const name = `Site ${at}`;
    const municipalityId = await create('/api/admin/rates/municipalities', { name, timeZone: meter.zone });
    const tariff = { ...generatedTariff, name, municipalityId, effectiveFrom: '2020-01-01' };
    await create('/api/admin/rates/tariffs', tariff);
    // A site for each, so that each pays the fixed charge.
    const siteId = await create('/api/admin/sites', { name, municipalityId });
    const device = { externalId: `generated-${at}`, ...meter.device };
    ids.set(meter, await createDevice({ app: portal.app, headers: admin }, siteId, device));
  }
});

describe('energy-and-cost.md: generated meters through the API, against whole numbers computed from its text', () => {
  it.each(meters)('$name: rows in any order, a third of them late', async (meter) => {
    const deviceId = ids.get(meter) ?? '';
    const externalId = `generated-${generatedMeters.indexOf(meter)}`;
    const [whole, ...ranges] = generatedRanges(meter, 8);
    if (whole === undefined) throw new Error('no range');
    const early = meter.readings.filter((_, at) => at % 3 !== 1);
    const late = shuffled(meter.readings.filter((_, at) => at % 3 === 1));
    await deliver(externalId, shuffled(early));
    await compareRange(meter, deviceId, exactMeter(early, meter.device), whole);
    // Some of the late rows change stored slots, the others change slots that are not stored yet.
    const [some, rest] = [late.slice(0, late.length / 2), late.slice(late.length / 2)];
    await materializeSome(portal.database, { within: null, skip: true });
    await deliver(externalId, some);
    await compareRange(meter, deviceId, exactMeter([...early, ...some], meter.device), whole);
    await deliver(externalId, rest);

    const exact = exactMeter(meter.readings, meter.device);
    for (const range of [whole, ...ranges]) await compareRange(meter, deviceId, exact, range);
    for (const [bucket, width] of [
      ['15min', quarter],
      ['5min', quarter / 3n],
    ] as const) {
      const query = { ...textOfRange(whole), deviceId, bucket };
      const rows = bucketedRow.array().parse(await ask('GET', '/api/measurements', { query }));
      const byTime = new Map(rows.map((row) => [row.time, row]));
      for (let time = (whole.from / width) * width; time < whole.to; time += width) {
        const [from, to] = [time < whole.from ? whole.from : time, time + width > whole.to ? whole.to : time + width];
        const wanted = exact.between(from, to);
        const row = byTime.get(text(time).replace('.000000', ''));
        near(row?.energyImportedKwh, kwhOf(wanted.imported), `${bucket} ${text(time)} import`);
        near(row?.energyExportedKwh, kwhOf(wanted.exported), `${bucket} ${text(time)} export`);
      }
    }
    const query = { ...textOfRange(whole), deviceIds: deviceId };
    const quality = dataQuality.parse(await ask('GET', '/api/data-quality', { query }));
    const { interpolated: _spread, ...counts } = quality.devices[0]?.counts ?? {};
    const wanted = Object.groupBy(exact.flags, ({ kind }) => kind);
    for (const [kind, count] of Object.entries(counts)) expect(count, kind).toBe(wanted[kind]?.length ?? 0);
  });

  it('days are those of the local clock, of 23, 24 and 25 hours, and add up to the whole', async () => {
    for (const meter of steady) {
      const exact = exactMeter(meter.readings, meter.device);
      const [range] = generatedRanges(meter, 1);
      if (range === undefined) throw new Error('no range');
      const query = { ...textOfRange(range), deviceId: ids.get(meter) ?? '', bucket: 'day' };
      const rows = bucketedRow.array().parse(await ask('GET', '/api/measurements', { query }));
      let [imported, exported] = [0n, 0n];
      for (const row of rows) {
        const start = Temporal.Instant.from(row.time).toZonedDateTimeISO(meter.zone);
        expect(start.startOfDay().equals(start), `${row.time} in ${meter.zone}`).toBe(true);
        const [from, end] = [start, start.add({ days: 1 })].map((day) => day.epochNanoseconds / 1000n) as [
          bigint,
          bigint,
        ];
        const wanted = exact.between(from > range.from ? from : range.from, end < range.to ? end : range.to);
        near(row.energyImportedKwh, kwhOf(wanted.imported), `${row.time} import`);
        near(row.energyExportedKwh, kwhOf(wanted.exported), `${row.time} export`);
        imported += wanted.imported;
        exported += wanted.exported;
      }
      const whole = exact.between(range.from, range.to);
      expect([kwhOf(imported), kwhOf(exported)]).toEqual([kwhOf(whole.imported), kwhOf(whole.exported)]);
    }
  });

  it('several meters: energy adds up, and the peak is that of their sum', async () => {
    const both = meters.filter(
      ({ readings, zone }) => zone === 'America/New_York' && (readings[0]?.time ?? 0n) > 1_770_000_000_000_000n,
    );
    expect(both).toHaveLength(2);
    const exact = both.map(({ readings, device }) => exactMeter(readings, device));
    for (const range of both.flatMap((meter) => generatedRanges(meter, 6))) {
      const found = await summaryOf(range, ...both.map((meter) => ids.get(meter) ?? ''));
      const what = `${text(range.from)} to ${text(range.to)}`;
      const sum = exact
        .map((meter) => meter.between(range.from, range.to))
        .reduce((all, own) => ({
          imported: all.imported + own.imported,
          exported: all.exported + own.exported,
          interpolated: all.interpolated + own.interpolated,
        }));
      compareEnergy(found, sum, what);
      const peak = exactPeak(exact, range.from, range.to);
      expect(found.peakAt, what).toBe(peak === null ? null : text(peak.time).replace('.000000', ''));
      near(found.peakPowerKw, peak?.kw ?? 0, `${what}: peak`);
    }
  });

  it('after the retention a quarter-hour that a range cuts counts by its share of the time, as an estimate', async () => {
    while ((await materializeSome(portal.database, { within: null, skip: true })) > 0);
    const log = { info: () => undefined, warn: () => undefined };
    await applyRetention({ database: portal.database, engine: portal.engine, months: 1, now: () => now, log });
    const keptFrom = 1000n * BigInt(Date.parse('2026-04-01T00:00:00Z'));
    let estimated = 0;
    for (const meter of steady) {
      const exact = exactMeter(meter.readings, meter.device);
      for (const range of generatedRanges(meter, 10).slice(1)) {
        const wanted = { imported: 0n, exported: 0n, interpolated: 0n };
        for (let slot = (range.from / quarter) * quarter; slot < range.to; slot += quarter) {
          const [from, to] = [
            slot < range.from ? range.from : slot,
            slot + quarter > range.to ? range.to : slot + quarter,
          ];
          const isEstimated = to - from < quarter && slot < keptFrom;
          const own = isEstimated ? exact.between(slot, slot + quarter) : exact.between(from, to);
          const shareOf = (units: bigint) => (isEstimated ? (units * (to - from)) / quarter : units);
          const [imported, exported] = [shareOf(own.imported), shareOf(own.exported)];
          wanted.imported += imported;
          wanted.exported += exported;
          wanted.interpolated += isEstimated ? imported + exported : own.interpolated;
          if (isEstimated && imported > 0n) estimated += 1;
        }
        const found = await summaryOf(range, ids.get(meter) ?? '');
        compareEnergy(found, wanted, `${meter.name}, ${text(range.from)} to ${text(range.to)}`);
      }
    }
    expect(estimated).toBeGreaterThan(50);
  });
});
