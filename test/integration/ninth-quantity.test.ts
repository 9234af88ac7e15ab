import { join } from 'node:path';
import { afterAll, expect, it, vi } from 'vitest';
import { Database } from '../../server/database/pool.ts';
import { createAdministrator } from '../support/chaos/settings.ts';
import { signInAt, startPortal } from '../support/portal.ts';
import { createTestDatabase } from '../support/postgres.ts';

const patience = { timeout: 60_000, interval: 100 };
const withNinth = ['--import', join(import.meta.dirname, '../support/ninth-quantity.ts')];
const resources = new AsyncDisposableStack();
afterAll(() => resources.disposeAsync());

async function openDatabase(mode: 'client' | 'admin') {
  const { connectionString } = resources.use(await createTestDatabase(mode));
  const database = new Database(connectionString, { maxConnections: 1 });
  resources.defer(() => database.close());
  return { database, environment: { Database__ConnectionString: connectionString } };
}

async function start(environment: Record<string, string>, nodeArguments: readonly string[] = withNinth) {
  const portal = resources.use(await startPortal({ environment, nodeArguments }));
  const ask = createAdministrator(() => portal.url);
  /** The request must succeed. */
  const request = async (method: string, path: string, payload: object | null = null): Promise<unknown> => {
    const answer = await ask(method, path, payload);
    if (answer === null || answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
    return answer.body;
  };
  const create = async (path: string, payload: object): Promise<string> =>
    Object.assign({ id: '' }, await request('POST', path, payload)).id;
  return { ...portal, request, create };
}

interface Stored {
  stored: number | null;
}
const addColumn = (schema: string) => ({
  text: `ALTER TABLE ${schema}.measurements ADD COLUMN distortion_thousandths integer`,
});
const LIST_STORED = { text: 'SELECT distortion_thousandths AS stored FROM monitoring.measurements ORDER BY time' };
const LIST_STORED_AT_FLEET = {
  text: 'SELECT distortion_thousandths AS stored FROM fleet.measurements ORDER BY time',
};
const COUNT_DIRTY = { text: 'SELECT count(*)::integer AS count FROM monitoring.energy_dirty_ranges' };
const row = (time: string, values: object) => ({ externalId: 'm-1', time, activePowerKw: 2, voltageV: 230, ...values });
const range = 'from=2026-03-09T00:00:00Z&to=2026-03-11T00:00:00Z';

it('a quantity needs a row of the table and a column: then it is judged, stored, read, exported, pushed and documented', async () => {
  const [client, fleet] = [await openDatabase('client'), await openDatabase('admin')];
  const materialized = () =>
    vi.waitFor(async () => expect((await client.database.query(COUNT_DIRTY)).rows).toEqual([{ count: 0 }]), patience);

  // One day is from before the quantity existed.
  const before = await start(client.environment, []);
  const municipalityId = await before.create('/api/admin/rates/municipalities', { name: 'Town', timeZone: 'UTC' });
  const siteId = await before.create('/api/admin/sites', { name: 'Site', municipalityId });
  const deviceId = await before.create('/api/admin/devices', { siteId, name: 'Meter', externalId: 'm-1' });
  await before.request('POST', '/api/ingest/measurements', [row('2026-03-09T12:00:00Z', { distortionPercent: 1 })]);
  await materialized();
  await before.stop();

  await client.database.query(addColumn('monitoring'));
  await fleet.database.query(addColumn('fleet'));
  const admin = await start({ ...fleet.environment, Application__RunMode: 'Admin' });
  const { token, customer } = Object.assign(
    { token: '', customer: { id: '' } },
    await admin.request('POST', '/api/admin/customers', { code: 'acme', name: 'Acme' }),
  );
  const portal = await start({
    ...client.environment,
    FleetIngest__Enabled: 'true',
    FleetIngest__Url: `${admin.url}/api/fleet/ingest`,
    FleetIngest__Token: token,
    FleetIngest__IntervalSeconds: '1',
  });

  // Judged.
  const rows = [
    row('2026-03-10T12:00:00Z', { distortionPercent: 2.5 }),
    row('2026-03-10T12:01:00Z', {}),
    row('2026-03-10T12:02:00Z', { distortionPercent: 4.0625 }),
    row('2026-03-10T12:03:00Z', { distortionPercent: 400.1 }),
    row('2026-03-10T12:04:00Z', { distortionPercent: '3' }),
  ];
  expect(await portal.request('POST', '/api/ingest/measurements', rows)).toMatchObject({
    accepted: 3,
    rejected: 2,
    errors: [
      {
        index: 3,
        reason: expect.stringContaining('distortionPercent is 400.1; expected a number from 0 to 400 or null'),
      },
      { index: 4, reason: expect.stringContaining('distortionPercent is the text "3"') },
    ],
  });

  // Stored in fixed units.
  expect((await client.database.query<Stored>(LIST_STORED)).rows.map(({ stored }) => stored)).toEqual([
    null,
    2500,
    null,
    4063,
  ]);

  // Read, from the readings and from the statistics of quarter-hours.
  const raw = await portal.request('GET', `/api/measurements/raw?${range}`);
  const values = [4.063, null, 2.5, null].map((distortionPercent) => ({ distortionPercent, voltageV: 230 }));
  expect(raw).toMatchObject({ rows: values });
  const hours = `/api/measurements?${range}&deviceId=${deviceId}&bucket=hour`;
  const averages = [
    { time: '2026-03-09T12:00:00Z', voltageV: 230, distortionPercent: null },
    { time: '2026-03-10T12:00:00Z', voltageV: 230, distortionPercent: 3.2815 },
  ];
  expect(await portal.request('GET', hours)).toMatchObject(averages);
  await materialized();
  expect(await portal.request('GET', hours)).toMatchObject(averages);
  expect(await portal.request('GET', hours.replace('hour', 'minute'))).toMatchObject([
    { distortionPercent: null },
    { distortionPercent: 2.5 },
    { distortionPercent: null },
    { distortionPercent: 4.063 },
  ]);

  // Exported.
  const cookie = await signInAt(portal.url);
  const exported = await fetch(`${portal.url}/api/measurements/raw/export.ndjson?${range}`, { headers: { cookie } });
  const lines = (await exported.text()).trim().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toMatchObject(values);

  // Pushed; both sides agree on the checksums of the days.
  await vi.waitFor(async () => {
    const { rows: pushed } = await fleet.database.query<Stored>(LIST_STORED_AT_FLEET);
    expect(pushed.map(({ stored }) => stored)).toEqual([null, 2500, null, 4063]);
  }, patience);
  expect(await admin.request('GET', `/api/fleet/customers/${customer.id}/measurements/raw?${range}`)).toMatchObject({
    rows: values,
  });
  await portal.request('POST', '/api/admin/push/reconcile');
  await vi.waitFor(
    async () =>
      expect(await portal.request('GET', '/api/admin/push')).toMatchObject({
        reconciliation: { finishedComparedDays: 2, finishedResentDays: 0, differingDays: 0 },
      }),
    patience,
  );

  // Documented.
  const known = { type: ['number', 'null'] };
  expect(await portal.request('GET', '/api/openapi.json')).toMatchObject({
    components: {
      schemas: {
        IngestRow: {
          properties: {
            distortionPercent: {
              description: 'Total harmonic distortion of the voltage.',
              anyOf: [{ type: 'number', minimum: 0, maximum: 400 }, { type: 'null' }],
            },
          },
        },
        RawMeasurement: { properties: { distortionPercent: known } },
        BucketedMeasurement: { properties: { distortionPercent: known } },
      },
    },
  });
}, 240_000);
