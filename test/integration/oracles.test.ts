import { isDeepStrictEqual } from 'node:util';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { materializeSome } from '../../server/energy/materialize-energy.ts';
import { costBreakdown, dashboardSummary } from '../../shared/dashboard.ts';
import { dataQuality } from '../../shared/data-quality.ts';
import { bucketedRow, ingestResult, rawMeasurementRow } from '../../shared/measurements.ts';
import { appOfFile } from '../support/app-of-file.ts';
import {
  isRealDataThere,
  readOracle,
  readRealData,
  realDataSets,
  type RealDataSet,
  type RealRow,
} from '../support/real-data.ts';
import { createDevice } from '../support/sites.ts';

const portal = appOfFile();
let admin = { cookie: '' };
beforeAll(async () => {
  admin = await portal.signIn();
});

const get = async (path: string, query: Record<string, string>) => {
  for (;;) {
    const answer = await portal.app.inject({ method: 'GET', url: path, query, headers: admin });
    // Materializing may take longer than a read waits, on a busy machine; the answer says so.
    if (answer.statusCode === 503 && answer.headers['retry-after'] !== undefined) continue;
    expect(answer.statusCode, answer.body).toBe(200);
    return answer.json();
  }
};
const post = async (path: string, payload: object) => {
  const answer = await portal.app.inject({ method: 'POST', url: path, payload, headers: admin });
  expect(answer.statusCode, answer.body).toBeLessThan(300);
  return answer.json();
};

/** The same order in each run. */
function shuffled<T>(items: readonly T[]): T[] {
  const copy = [...items];
  let seed = 42;
  for (let at = copy.length - 1; at > 0; at -= 1) {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    const other = seed % (at + 1);
    const [a, b] = [copy[at], copy[other]];
    if (a !== undefined && b !== undefined) [copy[at], copy[other]] = [b, a];
  }
  return copy;
}

/** 1e-6 relative, and as much absolute for values near zero. */
const near = (value: number, wanted: number, what: string) => {
  const off = Math.abs(value - wanted);
  expect(off, `${what}: ${value}, wanted ${wanted}`).toBeLessThanOrEqual(1e-6 * Math.max(1, Math.abs(wanted)));
};

/** Results do not depend on the engine; the smallest set shows that each engine reads the same rows. */
const sets: readonly RealDataSet[] = inject('postgres').engine === 'native' ? realDataSets : ['steel-2018H1'];
const rowsPerRequest = 10_000;
interface Delivered {
  accepted: number;
  rejected: number;
  duplicates: number;
}
/** The sets declare it: rows without active power are rejected one by one. */
const stated: Record<RealDataSet, Delivered> = {
  'uci-household-1min-2006-12': { accepted: 139_808, rejected: 0, duplicates: 0 },
  'uci-household-2007-hourly': { accepted: 34_764, rejected: 32, duplicates: 0 },
  'cossmic-res4-2016H1': { accepted: 46_503, rejected: 1_035, duplicates: 0 },
  'steel-2018H1': { accepted: 17_376, rejected: 0, duplicates: 0 },
};

async function deliver(rows: readonly RealRow[], { materializes = false } = {}): Promise<Delivered> {
  const total = { accepted: 0, rejected: 0, duplicates: 0 };
  for (let at = 0; at < rows.length; at += rowsPerRequest) {
    const { accepted, rejected, duplicates, errors } = ingestResult.parse(
      await post('/api/ingest/measurements', rows.slice(at, at + rowsPerRequest)),
    );
    total.accepted += accepted;
    total.rejected += rejected;
    total.duplicates += duplicates;
    for (const { reason } of errors) expect(reason).toMatch(/^activePowerKw is null; expected/);
    // Some of the dirty ranges are materialized in the background, between two requests, the others by the next read.
    if (materializes && at === 0) await materializeSome(portal.database, { within: null, skip: true });
  }
  return total;
}

/** All readings of a device, the oldest first. */
async function readBack(deviceId: string, range: { from: string; to: string }) {
  const query = { ...range, deviceIds: deviceId, rowCap: '250000' };
  const answer = await portal.app.inject({ url: '/api/measurements/raw/export.ndjson', query, headers: admin });
  const rows = answer.body
    .trimEnd()
    .split('\n')
    .map((line) => rawMeasurementRow.parse(JSON.parse(line)));
  expect(answer.headers['x-export-total-count']).toBe(String(rows.length));
  return rows.toReversed();
}

/** From a day before the first reading to a day after the last. */
function daysAround(rows: readonly RealRow[]): { from: string; to: string } {
  let [first, last] = [Infinity, -Infinity];
  for (const { time } of rows) {
    first = Math.min(first, Date.parse(time));
    last = Math.max(last, Date.parse(time));
  }
  return { from: new Date(first - dayMs).toISOString(), to: new Date(last + dayMs).toISOString() };
}

const dayMs = 86_400_000;
const instantOf = (local: string, timeZone: string) =>
  Temporal.PlainDate.from(local).toZonedDateTime({ timeZone }).toInstant().toString();
const monthAfter = (month: string) => Temporal.PlainYearMonth.from(month).add({ months: 1 }).toString();

describe('real meters, ingested through HTTP in random order and late parts: every row reads back unchanged, and every computed value equals independent results', () => {
  it.for(sets)('%s', { timeout: 300_000 }, async (name, { skip }) => {
    if (!isRealDataThere) return skip('../shared/data is not beside the repository');
    const oracle = readOracle(name);
    const { timeZone } = oracle;
    const municipality = await post('/api/admin/rates/municipalities', { name, timeZone });
    await post('/api/admin/rates/tariffs', { ...oracle.tariff, municipalityId: municipality.id });
    const ids = new Map<string, string>();
    for (const externalId of Object.keys(oracle.devices)) {
      // A site for each, so that each pays the fixed charge as in the reference.
      const site = await post('/api/admin/sites', { name: `${name} ${externalId}`, municipalityId: municipality.id });
      const own = { externalId: `${name}/${externalId}`, name: externalId };
      ids.set(externalId, await createDevice({ app: portal.app, headers: admin }, site.id, own));
    }
    const deviceIds = [...ids.values()].join(',');
    const rows = readRealData(name).map((row) => ({ ...row, externalId: `${name}/${row.externalId}` }));
    const all = daysAround(rows);
    // A third of the rows arrives after the others have been read.
    const early = await deliver(shuffled(rows.filter((_, at) => at % 3 !== 1)));
    await get('/api/dashboard/summary', { ...all, deviceIds });
    const late = await deliver(shuffled(rows.filter((_, at) => at % 3 === 1)), { materializes: true });
    expect({
      accepted: early.accepted + late.accepted,
      rejected: early.rejected + late.rejected,
      duplicates: early.duplicates + late.duplicates,
    }).toEqual(stated[name]);
    expect(stated[name].accepted).toBe(Object.values(oracle.devices).reduce((sum, device) => sum + device.rows, 0));

    const known = rows.filter((row) => row.activePowerKw !== null);
    expect(known).toHaveLength(stated[name].accepted);
    const again = known.slice(-20_000);
    expect(await deliver(again)).toMatchObject({ duplicates: again.length });
    for (const [externalId, id] of ids) {
      const sent = known.filter((row) => row.externalId === `${name}/${externalId}`);
      const siteName = `${name} ${externalId}`;
      const expected = sent.map(({ externalId: _left, ...row }) => ({ ...row, deviceName: externalId, siteName }));
      const found = await readBack(id, all);
      // The different row is only located if there is one: that takes many times as long.
      if (!isDeepStrictEqual(found, expected)) expect(found).toEqual(expected);
    }

    const whole = dashboardSummary.parse(await get('/api/dashboard/summary', { ...all, deviceIds }));
    const quality = dataQuality.parse(await get('/api/data-quality', { ...all, deviceIds }));
    for (const [externalId, wanted] of Object.entries(oracle.devices)) {
      const deviceId = ids.get(externalId) ?? '';
      const own = whole.devices.find((device) => device.deviceId === deviceId);
      near(own?.energyImportedKwh ?? Number.NaN, wanted.importedKwh, `${externalId} import`);
      near(own?.energyExportedKwh ?? Number.NaN, wanted.exportedKwh, `${externalId} export`);
      near(own?.estimatedEnergyKwh ?? Number.NaN, wanted.interpolatedKwh, `${externalId} interpolated`);
      expect(own?.peakAt ?? null).toBe(wanted.peakDemand?.slot ?? null);
      near(own?.peakPowerKw ?? 0, wanted.peakDemand?.kw ?? 0, `${externalId} peak`);
      const { interpolated: _spread, ...counts } =
        quality.devices.find((device) => device.deviceId === deviceId)?.counts ?? {};
      const found = Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
      expect(found, externalId).toEqual(Array.isArray(wanted.flags) ? {} : wanted.flags);

      const days = bucketedRow.array().parse(await get('/api/measurements', { ...all, deviceId, bucket: 'day' }));
      const byDate = new Map(
        days.map((row) => [Temporal.Instant.from(row.time).toZonedDateTimeISO(timeZone).toPlainDate().toString(), row]),
      );
      for (const [date, [imported, exported]] of Object.entries(wanted.days)) {
        near(byDate.get(date)?.energyImportedKwh ?? 0, imported, `${externalId} ${date} import`);
        near(byDate.get(date)?.energyExportedKwh ?? 0, exported, `${externalId} ${date} export`);
      }
      for (const [month, energy] of Object.entries(wanted.months)) {
        const range = {
          from: instantOf(`${month}-01`, timeZone),
          to: instantOf(`${monthAfter(month)}-01`, timeZone),
          deviceIds: deviceId,
        };
        const summary = dashboardSummary.parse(await get('/api/dashboard/summary', range));
        near(summary.energyImportedKwh, energy.importedKwh, `${externalId} ${month} import`);
        near(summary.energyExportedKwh, energy.exportedKwh, `${externalId} ${month} export`);
        near(summary.estimatedEnergyKwh, energy.interpolatedKwh, `${externalId} ${month} interpolated`);
        const cost = wanted.monthCosts[month];
        if (cost === undefined) continue;
        expect(summary.costs[0]?.total, `${externalId} ${month}`).toBe(cost.totalRounded);
        const breakdown = costBreakdown.parse(
          await get('/api/dashboard/cost-breakdown', { ...range, group: 'period' }),
        );
        for (const line of cost.lines) {
          const shown = breakdown.lines.find((one) => one.kind === 'energy' && one.name === line.period);
          near(shown?.energyKwh ?? 0, line.energyKwh, `${externalId} ${month} ${line.period}`);
          expect(Math.abs((shown?.cost ?? 0) - line.cost)).toBeLessThanOrEqual(0.015);
        }
        const sum = breakdown.lines.reduce((cents, line) => cents + Math.round((line.cost ?? 0) * 100), 0);
        expect(sum).toBe(Math.round(cost.totalRounded * 100));
      }
    }
  });
});
