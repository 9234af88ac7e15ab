import { createFleetMaterializer } from '../../server/fleet/fleet-energy.ts';
import { createMailer } from '../../server/notifications/mail-client.ts';
import { makeDueReports } from '../../server/subscriptions/send.ts';
import { materializeSome } from '../../server/energy/materialize-energy.ts';
import { createAdminApp, createTestApp, type TestApp } from './app.ts';
import { copyToFleet, createCustomer } from './fleet.ts';
import { createDevice, createSite, createTariff, post, type Session } from './sites.ts';

/** The day after the clocks of Berlin went forward. */
export const walkedNow = Date.parse('2026-03-30T10:00:00Z');
const now = () => walkedNow;

/** The devices and sites that a query may name. */
export interface Meters {
  devices: readonly string[];
  sites: readonly string[];
}

/** A portal in a state that a user may meet. */
export interface WalkedPortal extends Meters, AsyncDisposable {
  portal: TestApp;
  /** Of its administrator. */
  headers: { cookie: string };
  /** The value for `{id}` in paths with this beginning, with the devices and sites that belong to it. */
  known: Readonly<Record<string, readonly ({ id: string } & Meters)[]>>;
}

const noMeters: Meters = { devices: [], sites: [] };

async function walked(
  portal: TestApp,
  meters: Meters,
  known: Record<string, readonly ({ id: string } & Meters)[]> = {},
): Promise<WalkedPortal> {
  const headers = await portal.signIn();
  const users = (await portal.app.inject({ url: '/api/users', headers })).json<{ id: string }[]>();
  const own = (ids: readonly string[]) => ids.map((id) => ({ id, ...meters }));
  return {
    portal,
    headers,
    ...meters,
    known: {
      '/api/sites': own(meters.sites),
      '/api/users': own(users.map(({ id }) => id)),
      '/api/api-keys': [],
      '/api/reports': [],
      ...known,
    },
    [Symbol.asyncDispose]: () => portal.close(),
  };
}

/** Devices of two sites in two time zones: one with sub-meter, one that exports, one that is inactive. */
async function createDevices(session: Session): Promise<Meters> {
  const berlin = await createSite(session, { name: 'Office' });
  const chicago = await createSite(session, { name: 'Workshop', timeZone: 'America/Chicago' });
  const main = await createDevice(session, berlin, { externalId: 'main', ratedPowerKw: 50, registerMaxKwh: 100_000 });
  const sub = await createDevice(session, berlin, { externalId: 'sub', parentDeviceId: main });
  const roof = await createDevice(session, chicago, { externalId: 'roof', energySource: 'power' });
  const spare = await createDevice(session, chicago, { externalId: 'spare', isActive: false });
  return { devices: [main, sub, roof, spare], sites: [berlin, chicago] };
}

/** Four days of quarter-hours, with a gap, an anomaly of a register, and a register that restarts. */
function readingsOf(externalId: string, kw: number): object[] {
  const count = 4 * 96;
  return Array.from({ length: count }, (_, at) => {
    const counted = 1000 + at * kw * 0.25;
    return {
      externalId,
      time: new Date(walkedNow - (count - at) * 900_000).toISOString(),
      activePowerKw: kw + (at % 7) / 10,
      voltageV: 230,
      powerFactor: 0.9,
      energyImportedKwh: at === 200 ? counted * 50 : at > 300 ? counted - 900 : counted,
      energyExportedKwh: kw < 0 ? at * 0.2 : null,
    };
  }).filter((_, at) => at < 100 || at > 120);
}

async function deliver(session: Session): Promise<void> {
  const rows = [...readingsOf('main', 20), ...readingsOf('sub', 5), ...readingsOf('roof', -3)];
  await post(session, '/api/ingest/measurements', rows);
}

const pushing = {
  FleetIngest__Enabled: 'true',
  FleetIngest__Url: 'http://127.0.0.1:9/api/fleet/ingest',
  FleetIngest__Token: 'a'.repeat(64),
};

/** A Client with everything, from energy in slots to deliveries of an API key. */
async function createFullClient(): Promise<WalkedPortal> {
  const portal = await createTestApp({ now, environment: pushing });
  const session = { app: portal.app, headers: await portal.signIn() };
  const meters = await createDevices(session);
  for (const [at, site] of meters.sites.entries())
    await createTariff(session, site, at === 0 ? {} : { currency: 'USD', periods: [] });
  await deliver(session);
  while ((await materializeSome(portal.database, { within: null, skip: false })) > 0);
  const { id, key } = (await post(session, '/api/api-keys', { name: 'Gateway' })).json<{ id: string; key: string }>();
  const url = '/api/ingest/measurements';
  const payload = [...readingsOf('spare', 1).slice(0, 3), { externalId: 'unknown', time: 'never', activePowerKw: 1 }];
  await portal.app.inject({ method: 'POST', url, payload, headers: { authorization: `Bearer ${key}` } });
  const report = await keepReport(portal, session.headers);
  return walked(portal, meters, { '/api/api-keys': [{ id, ...meters }], '/api/reports': [{ id: report, ...meters }] });
}

async function createSilentClient(): Promise<WalkedPortal> {
  const portal = await createTestApp({ now });
  return walked(portal, await createDevices({ app: portal.app, headers: await portal.signIn() }));
}

async function createUnpricedClient(): Promise<WalkedPortal> {
  const portal = await createTestApp({ now });
  const session = { app: portal.app, headers: await portal.signIn() };
  const meters = await createDevices(session);
  await deliver(session);
  return walked(portal, meters);
}

const eightDays = 8 * 24 * 3_600_000;

/** The id of a report about the next week, sent when that week has ended at every site. */
async function keepReport({ app, database, config }: TestApp, headers: Session['headers']): Promise<string> {
  const recipients = [{ email: 'eva@example.com', language: 'en' }];
  await post({ app, headers }, '/api/admin/report-subscriptions', { name: 'Weekly', period: 'week', recipients });
  const branding = async () => config.whiteLabel;
  const mailer = createMailer(config.mail);
  const mail = { database, mailer, branding, publicUrl: 'https://portal.example.com', language: 'en' } as const;
  const { runMode, timeZone } = config;
  const parts = { database, runMode, timeZone, branding, now: () => walkedNow + eightDays, mail };
  await makeDueReports(parts, new AbortController().signal);
  const [report] = (await app.inject({ url: '/api/reports', headers })).json<{ id: string }[]>();
  if (report === undefined) throw new Error('No report was kept.');
  return report.id;
}

interface State {
  name: string;
  create: () => Promise<WalkedPortal>;
}

/** Clients from an empty one to one that has everything. */
export const clientStates: readonly State[] = [
  { name: 'an empty portal', create: async () => walked(await createTestApp({ now }), noMeters) },
  { name: 'a portal with devices without readings', create: createSilentClient },
  { name: 'a portal with readings and no tariff', create: createUnpricedClient },
  { name: 'a portal with everything', create: createFullClient },
];

/** Fleets from one without customers to one whose customer sent everything. */
export const fleetStates: readonly State[] = [
  { name: 'a fleet without customers', create: () => createFleet({}) },
  { name: 'a fleet with a customer that never sent', create: () => createFleet({ silent: 1 }) },
  { name: 'a fleet with a customer without readings', create: () => createFleet({ sender: createSilentClient }) },
  {
    name: 'a fleet with a customer that sent everything',
    create: () => createFleet({ silent: 1, sender: createFullClient }),
  },
];

async function createFleet({
  silent = 0,
  sender,
}: {
  silent?: number;
  sender?: State['create'];
}): Promise<WalkedPortal> {
  const fleet = await createAdminApp({ now });
  const customers: ({ id: string } & Meters)[] = [];
  let meters = noMeters;
  if (sender !== undefined) {
    await using client = await sender();
    meters = { devices: client.devices, sites: client.sites };
    const { id, token } = await createCustomer(fleet, 'sender');
    await copyToFleet(client.portal, fleet, id, new Date(walkedNow - 60_000).toISOString());
    await sendBatches(fleet, token, client.devices);
    customers.push({ id, ...meters });
  }
  for (let at = 0; at < silent; at += 1) {
    customers.push({ id: (await createCustomer(fleet, `silent-${at}`)).id, ...noMeters });
  }
  const materialize = createFleetMaterializer(fleet.database, (error) => {
    throw error;
  });
  while ((await materialize(new AbortController().signal)) > 0);
  const reports = sender === undefined ? [] : [{ id: await keepReport(fleet, await fleet.signIn()), ...meters }];
  return walked(fleet, meters, { '/api/fleet/customers': customers, '/api/reports': reports });
}

/** A batch that is stored, one with rejected rows, and one that is rejected. */
async function sendBatches(fleet: TestApp, token: string, devices: readonly string[]): Promise<void> {
  const [deviceId = ''] = devices;
  const send = (payload: unknown) =>
    fleet.app.inject({
      method: 'POST',
      url: '/api/fleet/ingest',
      headers: {
        'content-type': 'application/json',
        'x-customer-token': token,
        'x-batch-type': 'measurements',
        'x-push-cursor': 'cursor',
      },
      payload: JSON.stringify(payload),
    });
  const inactive = devices.at(-1) ?? '';
  const rows = readingsOf('', 1).slice(0, 3);
  await send(rows.map((row) => ({ ...row, deviceId: inactive })));
  await send([{ deviceId, time: 'never', activePowerKw: 1 }]);
  await send('nothing');
}
