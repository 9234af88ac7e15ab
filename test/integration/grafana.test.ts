import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { grafanaDashboards } from '../../deploy/grafana/dashboards/all.ts';
import { materializeSome } from '../../server/commands/materialize-energy.ts';
import { encodeNumbers, packedNumbers } from '../../server/db/energy-codec.ts';
import type { Database } from '../../server/db/pool.ts';
import { dashboardSummary } from '../../shared/dashboard.ts';
import { bucketedRow } from '../../shared/measurements.ts';
import { createTestApp, type TestApp } from '../support/app.ts';
import { fillIn, grafanaFolder, grafanaPassword, listPanels, openGrafana, readGrafana } from '../support/grafana.ts';
import { deliver, seedGrafana } from '../support/grafana-seed.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { onlyIf } from '../support/only-if.ts';

const start = Date.parse('2026-03-25T00:00:00Z');
/** Clocks go forward on the 29th in Berlin; both ends lie on quarter-hours, and in Kathmandu not on hours. */
const range = { from: '2026-03-25T06:15:00Z', to: '2026-04-02T13:45:00Z' };

let own: TestDatabase;
let portal: TestApp;
let grafana: Database;
let headers: { cookie: string };
let sites: string[] = [];
let devices: string[] = [];

beforeAll(async () => {
  own = await createTestDatabase();
  portal = await createTestApp({
    connectionString: own.connectionString,
    now: () => Date.parse('2026-04-03T00:00:00Z'),
  });
  headers = await portal.signIn();
  ({ sites, devices } = await seedGrafana(portal, headers, start));
  await materialize();
  grafana = await openGrafana(portal.database, own.connectionString);
}, 120_000);
afterAll(async () => {
  await grafana.close();
  await portal.close();
  await own.drop();
});

async function materialize(): Promise<void> {
  while ((await materializeSome(portal.database, { within: null, skip: false })) > 0);
}

type Row = Record<string, unknown>;
const ask = async (sql: string, chosen: Partial<Parameters<typeof fillIn>[1]> = {}) =>
  (await grafana.query<Row>({ text: fillIn(sql, { ...range, device: devices, site: sites, ...chosen }) })).rows;
const sqlOf = (uid: string, title: string) => {
  const dashboard = grafanaDashboards().find((one) => one.uid === uid);
  const found = dashboard && listPanels(dashboard).find(({ panel }) => panel.title === title);
  return found?.queries[0]?.rawSql ?? expect.fail(`There is no panel "${title}" in ${uid}.`);
};
const number = z.coerce.number();
const summary = async (asked = range, chosen: readonly string[] = devices) => {
  const query = { ...asked, deviceIds: chosen.join(',') };
  return dashboardSummary.parse((await portal.app.inject({ url: '/api/dashboard/summary', query, headers })).json());
};

describe('each panel, asked as the role that Grafana has', () => {
  const panels = grafanaDashboards().flatMap((dashboard) =>
    listPanels(dashboard).map(({ panel, queries }) => ({ uid: dashboard.uid, title: panel.title, queries })),
  );

  it.each(panels)('$uid: "$title" has rows, and none or zero where no device is chosen', async ({ queries }) => {
    expect(queries).toHaveLength(1);
    for (const { rawSql, format } of queries) {
      const rows = await ask(rawSql);
      expect(rows.length).toBeGreaterThan(0);
      if (format === 'time_series') expect(Object.keys(rows[0] ?? {}).slice(0, 2)).toEqual(['time', 'metric']);
      const nothing = await ask(rawSql, { device: [], site: [] });
      expect(
        nothing
          .flatMap(Object.values)
          .map(Number)
          .filter((value) => value !== 0),
      ).toEqual([]);
    }
  });

  it('charts have no more points a series than buckets of $__interval_ms', async () => {
    for (const title of ['Voltage', 'Frequency', 'Power factor', 'Reactive power']) {
      const rows = await ask(sqlOf('power-quality', title), {
        device: devices.slice(-3, -2),
        intervalMs: 6 * 3_600_000,
      });
      expect(rows.length).toBe(34);
    }
  });
});

describe('the variables', () => {
  const variable = (name: string) => {
    const found = grafanaDashboards()[0]?.templating.list?.find((one) => one.name === name);
    return z.string().parse(found?.query);
  };

  it('site lists all sites by name', async () => {
    expect(await ask(variable('site'))).toEqual(sites.map((id, at) => ({ __text: `Site ${at}`, __value: id })));
  });

  it('device lists those of the chosen sites, by labels that no two share', async () => {
    const labels = (await ask(variable('device'), { site: sites.slice(0, 1) })).map((row) => row['__text']);
    expect(labels).toEqual(['grid', 'hostile 12', 'hostile 6', 'hostile 9', 'Meter 0 · Site 0', 'Meter 1 · Site 0']);
    const all = (await ask(variable('device'))).map((row) => row['__text']);
    expect(new Set(all).size).toBe(devices.length);
  });
});

describe('the numbers are those of the portal', () => {
  it.each([
    ['over a week', range],
    ['of the local day on which clocks go forward', { from: '2026-03-28T23:00:00Z', to: '2026-03-29T22:00:00Z' }],
    ['of a quarter-hour', { from: '2026-03-27T10:15:00Z', to: '2026-03-27T10:30:00Z' }],
  ])('energy, peak and energy without a tariff %s', async (_, asked) => {
    const expected = await summary(asked);
    const one = async (uid: string, title: string) =>
      Object.values((await ask(sqlOf(uid, title), asked))[0] ?? {})[0] ?? null;
    expect(await one('overview', 'Energy imported')).toBeCloseTo(expected.energyImportedKwh, 8);
    expect(await one('overview', 'Energy exported')).toBeCloseTo(expected.energyExportedKwh, 8);
    expect(await one('overview', 'Energy estimated')).toBeCloseTo(expected.estimatedEnergyKwh, 8);
    expect(await one('energy-and-cost', 'Energy without a tariff')).toBeCloseTo(expected.unpricedEnergyKwh, 8);
    const peak = await one('overview', 'Peak demand');
    if (expected.peakPowerKw === null) expect(peak).toBeNull();
    else expect(peak).toBeCloseTo(expected.peakPowerKw, 8);
  });

  it('energy, peak and cost once where devices measure parts of others', async () => {
    const setParents = (text: string) =>
      portal.database.query({ text: `UPDATE monitoring.devices d SET parent_device_id = ${text}` });
    const flat = await summary();
    await setParents(
      '(SELECT p.id FROM monitoring.devices p WHERE p.site_id = d.site_id AND p.number < d.number AND d.number % 3 = 0 ORDER BY number DESC LIMIT 1)',
    );
    try {
      const expected = await summary();
      expect(expected.energyImportedKwh).not.toBeCloseTo(flat.energyImportedKwh, 3);
      const one = async (uid: string, title: string) =>
        Object.values((await ask(sqlOf(uid, title)))[0] ?? {})[0] ?? null;
      expect(await one('overview', 'Energy imported')).toBeCloseTo(expected.energyImportedKwh, 8);
      expect(await one('overview', 'Peak demand')).toBeCloseTo(expected.peakPowerKw ?? 0, 8);
      const rows = await ask(sqlOf('energy-and-cost', 'Cost before rounding, by currency'));
      for (const { currency, total } of expected.costs) {
        const exact = number.parse(rows.find((row) => row['Currency'] === currency)?.['Total']);
        expect(Math.abs(exact - total)).toBeLessThan(0.00501);
      }
    } finally {
      await setParents('NULL');
    }
  });

  it('energy and peaks by site and device', async () => {
    const expected = await summary();
    const bySite = new Map((await ask(sqlOf('overview', 'Sites'))).map((row) => [row['Site'], row]));
    for (const { siteName, energyImportedKwh, energyExportedKwh } of expected.sites) {
      expect(bySite.get(siteName)?.['Imported']).toBeCloseTo(energyImportedKwh, 8);
      expect(bySite.get(siteName)?.['Exported']).toBeCloseTo(energyExportedKwh, 8);
    }
    const rows = await ask(sqlOf('device-comparison', 'Devices'));
    for (const { deviceName, siteName, energyImportedKwh, estimatedEnergyKwh, peakPowerKw } of expected.devices) {
      const row = rows.find((one) => one['Device'] === deviceName || one['Device'] === `${deviceName} · ${siteName}`);
      expect(row?.['Imported'] ?? 0).toBeCloseTo(energyImportedKwh, 8);
      expect(row?.['Estimated'] ?? 0).toBeCloseTo(estimatedEnergyKwh, 8);
      expect(row?.['Peak demand'] ?? 0).toBeCloseTo(peakPowerKw ?? 0, 8);
    }
  });

  it('cost by currency, site and line, but for the rounding', async () => {
    const { costs, sites: bySite, periods } = await summary();
    // A part that takes the last minor unit of its total is off by one of these and a half.
    const isRounded = (exact: unknown, rounded: number) =>
      expect(Math.abs(number.parse(exact) - rounded), `${String(exact)} and ${rounded}`).toBeLessThan(0.01501);
    const rows = await ask(sqlOf('energy-and-cost', 'Cost before rounding, by currency'));
    expect(rows.map((row) => row['Currency'])).toEqual(['EUR', 'NPR']);
    for (const { currency, energyCost, fixedCharge, vat, total } of costs) {
      const row = rows.find((one) => one['Currency'] === currency);
      expect(Math.abs(number.parse(row?.['Total']) - total)).toBeLessThan(0.00501);
      isRounded(row?.['Energy cost'], energyCost);
      isRounded(row?.['Fixed charge'], fixedCharge);
      isRounded(row?.['VAT'], vat);
    }
    const siteRows = await ask(sqlOf('energy-and-cost', 'Cost before rounding, by site'));
    expect(siteRows).toHaveLength(bySite.flatMap((site) => site.costs).length);
    for (const { siteName, costs: own } of bySite) {
      for (const { currency, total } of own) {
        isRounded(siteRows.find((row) => row['Site'] === siteName && row['Currency'] === currency)?.['Total'], total);
      }
    }
    const lines = await ask(sqlOf('energy-and-cost', 'Lines of the energy cost, before rounding'));
    expect(lines.map((row) => row['Line'])).toContain('Export');
    expect(lines).toHaveLength(periods.length);
    for (const { name, ratePerKwh, energyKwh, cost, currency } of periods) {
      const line = lines.find(
        (row) => row['Line'] === name && row['Currency'] === currency && Number(row['Rate per kWh']) === ratePerKwh,
      );
      expect(line?.['Energy']).toBeCloseTo(energyKwh, 8);
      isRounded(line?.['Cost'], cost);
    }
  });

  it('a site pays its fixed charge where one of the chosen devices is active', async () => {
    const [inactive, active] = [devices.slice(4, 5), devices.slice(7, 8)];
    for (const chosen of [inactive, active]) {
      const { costs } = await summary(range, chosen);
      const rows = await ask(sqlOf('energy-and-cost', 'Cost before rounding, by currency'), { device: chosen });
      expect(costs.filter(({ fixedCharge }) => fixedCharge > 0)).toHaveLength(chosen === active ? 1 : 0);
      expect(rows.map((row) => [row['Currency'], number.parse(row['Fixed charge']).toFixed(2)])).toEqual(
        costs.map(({ currency, fixedCharge }) => [currency, fixedCharge.toFixed(2)]),
      );
    }
  });

  it('averages of readings', async () => {
    const device = devices.slice(-3, -2);
    const query = {
      ...range,
      from: '2026-03-25T07:00:00Z',
      to: '2026-03-25T10:00:00Z',
      bucket: 'hour',
      deviceId: device.join(),
    };
    const answer = await portal.app.inject({ url: '/api/measurements', query, headers });
    const expected = z.array(bucketedRow).parse(answer.json());
    const text = `SELECT * FROM reporting.measured(ARRAY[$device]::uuid[], $__timeFrom(), $__timeTo(), $__interval_ms) ORDER BY 1`;
    const rows = await ask(text, { ...query, device, intervalMs: 3_600_000 });
    expect(rows).toHaveLength(expected.length);
    expect(expected).toHaveLength(3);
    for (const [at, row] of expected.entries()) {
      expect(rows[at]).toMatchObject({ samples: row.samples });
      expect(rows[at]?.['power_kw']).toBeCloseTo(row.activePowerKw ?? NaN, 9);
      expect(rows[at]?.['reactive_power_kvar']).toBeCloseTo(row.reactivePowerKvar ?? NaN, 9);
      expect(rows[at]?.['power_factor']).toBeCloseTo(row.powerFactor ?? NaN, 9);
      expect(rows[at]?.['voltage_v']).toBeCloseTo(row.voltageV ?? NaN, 9);
      expect(rows[at]?.['frequency_hz']).toBeCloseTo(row.frequencyHz ?? NaN, 9);
    }
  });

  it('readings that are not in the quarter-hours yet are counted', async () => {
    const waiting = async () => (await ask(sqlOf('overview', 'Readings not counted yet')))[0];
    expect(await waiting()).toEqual({ Ranges: 0 });
    await deliver(portal, headers, [{ externalId: 'grid', time: '2026-04-02T23:59:00Z', activePowerKw: 1 }]);
    expect(await waiting()).toEqual({ Ranges: 1 });
    await materialize();
    expect(await waiting()).toEqual({ Ranges: 0 });
  });
});

it('unpacks what the portal packed to the bit, in each of its forms', async () => {
  const register = fc.integer({ min: 0, max: 2 ** 40 }).map((units) => units / 1e6);
  const day = fc.oneof(
    // Differences of registers, the same number, and numbers that are no decimals.
    fc
      .array(register, { minLength: 97, maxLength: 97 })
      .map((all) => all.slice(1).map((value, at) => value - (all[at] ?? 0))),
    fc
      .tuple(register, fc.integer({ min: 0, max: 95 }))
      .map(([value, from]) => Array.from({ length: 96 }, (_, at) => (at < from ? 0 : value))),
    fc.array(fc.double({ min: 1e-9, max: 1e6, noNaN: true }), { minLength: 96, maxLength: 96 }),
  );
  for (const values of fc.sample(day, { numRuns: 60, seed: 5 })) {
    const numbers = Float64Array.from(values);
    for (const bytes of [packedNumbers(numbers), encodeNumbers(numbers)]) {
      const { rows } = await grafana.query<{ kwh: number[] }>({ text: 'SELECT reporting.unpack_energy($1) AS kwh' }, [
        bytes,
      ]);
      expect(rows[0]?.kwh).toEqual(values);
    }
  }
});

describe('the role portal_grafana', () => {
  const refused = (text: string) =>
    expect(grafana.query({ text }), text).rejects.toThrow(/permission denied|must be superuser/);

  it('reads no table and no view of the database but those of PostgreSQL itself', async () => {
    const { rows } = await grafana.query<{ name: string }>({
      text: `SELECT c.oid::regclass::text AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
             WHERE n.nspname !~ '^(pg_|information_schema$|_timescaledb|timescaledb|toolkit)' AND c.relkind IN ('r', 'v', 'm', 'p', 'f', 'S')
               AND CASE WHEN c.relkind = 'S' THEN has_sequence_privilege(c.oid, 'USAGE, SELECT, UPDATE')
                        ELSE has_table_privilege(c.oid, 'SELECT, INSERT, UPDATE, DELETE, TRUNCATE, REFERENCES, TRIGGER')
                             OR has_any_column_privilege(c.oid, 'SELECT, INSERT, UPDATE, REFERENCES') END`,
    });
    expect(rows).toEqual([]);
    for (const table of [
      'portal.accounts',
      'portal.sessions',
      'monitoring.api_keys',
      'monitoring.push_state',
      'portal.audit_events',
    ]) {
      await refused(`SELECT * FROM ${table}`);
    }
  });

  it('writes nothing and holds nobody up, whatever SQL a viewer sends', async () => {
    await grafana.query({ text: 'SET default_transaction_read_only = off' });
    await refused('CREATE TABLE reporting.mine (a integer)');
    await refused('CREATE TEMPORARY TABLE mine (a integer)');
    await refused('SELECT lo_create(0)');
    await refused('SELECT pg_advisory_lock(1)');
    await refused(`SELECT pg_read_file('/etc/passwd')`);
    await refused('SET temp_file_limit = -1');
    await refused('DELETE FROM monitoring.measurements');
    await grafana.query({ text: 'RESET default_transaction_read_only' });
  });

  it('a fresh connection only reads, and no longer than a minute', async () => {
    const { rows } = await grafana.query({
      text: `SELECT rolconfig AS config, rolconnlimit AS connections, rolsuper OR rolcreaterole OR rolcreatedb AS may FROM pg_roles
             WHERE rolname = current_user`,
    });
    expect(rows).toEqual([
      {
        config: [
          'default_transaction_read_only=on',
          'statement_timeout=60s',
          'idle_in_transaction_session_timeout=60s',
          'temp_file_limit=1GB',
        ],
        connections: 10,
        may: false,
      },
    ]);
  });

  it('both scripts may be run again', async () => {
    for (const file of ['role.sql', 'reporting.sql']) await portal.database.query({ text: await readGrafana(file) });
    expect(await ask(sqlOf('overview', 'Energy imported'))).toHaveLength(1);
  });

  it(
    'setup.sh, which a stack runs at each start, does all that; its functions belong to the account of the portal',
    onlyIf(spawnSync('psql', ['--version']).status === 0, 'there is no psql on this machine'),
    async () => {
      const { hostname, port, pathname, password } = new URL(own.connectionString);
      const secrets = await mkdtemp(join(tmpdir(), 'portal-grafana-'));
      try {
        await writeFile(join(secrets, 'postgres_password'), `${decodeURIComponent(password)}\n`);
        await writeFile(join(secrets, 'grafana_database'), `${grafanaPassword}\n`);
        const owner = 'owner_of_a_portal';
        await portal.database.query({
          text: `DROP SCHEMA reporting CASCADE; CREATE ROLE ${owner}; ALTER TABLE monitoring.devices OWNER TO ${owner};
                 GRANT USAGE ON SCHEMA monitoring TO ${owner}; GRANT SELECT ON ALL TABLES IN SCHEMA monitoring TO ${owner};
                 GRANT CREATE ON DATABASE "${pathname.slice(1)}" TO ${owner}`,
        });
        const { status, stderr } = spawnSync('sh', [join(grafanaFolder, 'setup.sh')], {
          env: {
            PATH: process.env['PATH'],
            SECRETS: secrets,
            SCRIPTS: grafanaFolder,
            PGHOST: hostname,
            PGPORT: port,
            PGDATABASE: pathname.slice(1),
          },
          encoding: 'utf8',
        });
        expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
        const { rows } = await portal.database.query({
          text: `SELECT DISTINCT proowner::regrole::text AS owner, has_function_privilege('portal_grafana', oid, 'EXECUTE') AS may
                 FROM pg_proc WHERE pronamespace = 'reporting'::regnamespace`,
        });
        expect(rows).toEqual([{ owner, may: true }]);
        expect(await ask(sqlOf('overview', 'Energy imported'))).toHaveLength(1);
      } finally {
        await rm(secrets, { recursive: true });
      }
    },
  );
});
