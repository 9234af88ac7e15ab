import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createUser } from '../support/accounts.ts';
import { type Operation, readApiOperations, undocumentedIn } from '../support/api-operations.ts';
import { createTestApp, type TestApp } from '../support/app.ts';
import { startFakeTool } from '../support/fake-tool.ts';
import { createCustomer } from '../support/fleet.ts';
import {
  type Access,
  type Call,
  type Caller,
  type Headers,
  roleTables,
  type Row,
  suitableQuery,
  type World,
} from '../support/role-table.ts';
import { unknownId } from '../support/walked-queries.ts';
import { createDevice, createSite, post } from '../support/sites.ts';

type Role = 'plain' | 'RestrictedAdmin without customers' | 'RestrictedAdmin with a customer' | 'Admin';

interface Identity {
  name: string;
  caller: Caller;
  /** Null without a session. */
  role: Role | null;
  /** Its permissions besides the role. */
  key: Access | null;
}

/** A route of the table, and a caller. */
interface Pair {
  name: string;
  row: Row;
  identity: Identity;
}

const start = Date.parse('2026-03-10T00:00:00Z');
const metricsToken = 'token-of-metrics';
const nobody: Caller = { headers: {}, account: null };

const walks: string[] = [];
afterAll(() => void process.stderr.write(`Walk of roles: ${walks.join('; ')}.\n`));

describe.for(['Client', 'Admin'] as const)('%s', (runMode) => {
  const stage = new AsyncDisposableStack();
  const rows = Object.entries<Row>(roleTables[runMode]);
  let world: World;
  let identities: Identity[];
  let operations: Operation[];
  const pairs = (may: boolean): Pair[] =>
    rows
      .flatMap(([name, row]) => identities.map((identity) => ({ name, row, identity })))
      .filter(({ row, identity }) => mayCall(row.access, identity) === may);

  beforeAll(async () => {
    let nowMs = start - 24 * 3_600_000;
    const tool = stage.use(await startFakeTool());
    const environment = {
      Application__RunMode: runMode,
      // Passkeys want https.
      Application__PublicUrl: 'https://portal.example.com',
      // The API document is not open to everyone here.
      Application__Environment: 'Production',
      Authentication__DefaultAdminPassword: 'An0wnPassword',
      Metrics__Token: metricsToken,
      Mail__Host: 'localhost',
      Mail__From: 'portal@example.com',
      Dashboard__Upstream: tool.origin,
      ...(runMode === 'Client' ? pushing : {}),
    };
    const portal = stage.use(await createTestApp({ now: () => nowMs, environment }));
    const expired = await portal.signIn();
    nowMs = start;
    world = await createWorld(portal, runMode, nowMs);
    identities = await createIdentities(world, runMode, expired);
    operations = await readApiOperations(portal, world.admin);
  });
  afterAll(() => stage.disposeAsync());

  test('the table names every operation of the API document, and every other route', () => {
    const names = rows.map(([name]) => name);
    expect(names).toEqual(expect.arrayContaining(operations.map(nameOf)));
    expect(names.toSorted()).toEqual(routesOf(world.portal).toSorted());
  });

  test(
    'an unauthorized caller is rejected, whatever the body and the id, as documented, and changes nothing',
    { timeout: 240_000 },
    async () => {
      const calls = new Map<string, Call>();
      for (const [name, row] of rows) calls.set(name, row.access === 'everybody' ? {} : await row.ask(world, nobody));
      const before = await checksums(world.portal);
      const mistakes: string[] = [];
      for (const pair of pairs(false)) {
        const { name, row, identity } = pair;
        const hasSession = identity.role !== null && row.access !== 'customer' && row.access !== 'metrics';
        for (const call of variantsOf(name, calls.get(name) ?? {})) {
          const answer = await send(world, name, call, identity.caller.headers);
          const operation = operations.find((one) => nameOf(one) === name);
          const undocumented = operation === undefined ? null : undocumentedIn(operation, answer);
          const mistake = mistakeOf(pair, answer, hasSession ? 403 : 401) ?? undocumented;
          if (mistake !== null) mistakes.push(`${name}: ${mistake}`);
        }
      }
      expect(mistakes).toEqual([]);
      expect(await checksums(world.portal)).toEqual(before);
      walks.push(
        `${runMode}: ${operations.length} operations and ${rows.length - operations.length} other routes × ${identities.length} identities`,
      );
    },
  );

  test('a permitted caller gets the intended answer of each route', { timeout: 240_000 }, async () => {
    const mistakes: string[] = [];
    for (const pair of pairs(true)) {
      const { name, row, identity } = pair;
      const caller = row.isOwn ? await renewed(world, identity) : identity.caller;
      const call = await row.ask(world, caller);
      const headers = identity.role === null ? caller.headers : (call.session ?? caller.headers);
      const sees = identity.role !== 'RestrictedAdmin without customers' || !isOfCustomer(name, row);
      const mistake = mistakeOf(pair, await send(world, name, call, headers), sees ? row.status : 404);
      if (mistake !== null) mistakes.push(mistake);
    }
    expect(mistakes).toEqual([]);
  });
});

const nameOf = ({ method, path }: Operation) => `${method} ${path}`;

/** The intended call, about nothing, and with bodies that would be rejected if they were read. */
function variantsOf(name: string, call: Call): Call[] {
  const ofBody = (payload: string, type: string) => ({
    ...call,
    payload,
    headers: { ...call.headers, 'content-type': type },
  });
  const { url: _url, ...withoutUrl } = call;
  return [
    call,
    { ...withoutUrl, id: unknownId },
    ...(name.startsWith('GET') ? [] : [ofBody('{"broken":', 'application/json'), ofBody('text', 'text/plain')]),
  ];
}

function mistakeOf({ name, identity }: Pair, { statusCode, body }: Answer, status: number): string | null {
  if (statusCode === status) return null;
  return `${name} by ${identity.name}: ${statusCode} in the place of ${status}: ${body.slice(0, 200)}`;
}
interface Answer {
  statusCode: number;
  body: string;
}

const pushing = {
  FleetIngest__Enabled: 'true',
  FleetIngest__Url: 'http://127.0.0.1:9/api/fleet/ingest',
  FleetIngest__Token: 'a'.repeat(64),
};

/** Their own subscription is that of the caller, not of a customer. */
const isOwnSubscription = (name: string) => /^(?:PUT|DELETE) \/api\/admin\/report-subscriptions\//.test(name);
const isOfCustomer = (name: string, { access }: Row) =>
  access === 'reader' && name.includes('{id}') && !isOwnSubscription(name);

function mayCall(access: Access, { role, key }: Identity): boolean {
  if (access === 'everybody' || key === access) return true;
  if (role === null || access === 'customer' || access === 'metrics') return false;
  if (access === 'signedIn') return true;
  return role === 'Admin' || (access === 'reader' && role !== 'plain');
}

async function createWorld(portal: TestApp, runMode: string, nowMs: number): Promise<World> {
  const admin = await portal.signIn();
  const session = { app: portal.app, headers: admin };
  const world = { portal, nowMs, admin, customer: { id: '', token: '' }, siteId: '', deviceId: unknownId };
  if (runMode === 'Admin') {
    const customer = await createCustomer(portal, 'seen', { headers: admin });
    await sendSets(portal, customer.token);
    return { ...world, customer, deviceId };
  }
  const site = await createSite(session, { name: 'Standing site' });
  return { ...world, siteId: site, deviceId: await createDevice(session, site, { externalId: 'standing' }) };
}

const idOf = (n: number) => `018f4ad0-0000-7000-8000-00000000000${n}`;
const [municipalityId, siteId, deviceId] = [idOf(1), idOf(2), idOf(3)];

/** The device of a customer, and the ids of what it belongs to. */
async function sendSets({ app }: TestApp, token: string): Promise<void> {
  const sets = {
    municipalities: { id: municipalityId, name: 'Town', timeZone: 'Europe/Berlin' },
    sites: { id: siteId, name: 'Site', municipalityId },
    devices: { id: deviceId, siteId, name: 'Meter', externalId: 'standing' },
  };
  for (const [type, record] of Object.entries(sets)) {
    const headers = { 'x-customer-token': token, 'x-batch-type': type };
    const answer = await app.inject({ method: 'POST', url: '/api/fleet/ingest', headers, payload: [record] });
    expect(answer.json(), type).toMatchObject({ accepted: 1 });
  }
}

/** A new user with a role. */
async function createPerson({ portal, customer, admin }: World, role: Role): Promise<Caller> {
  const roles = role === 'plain' ? [] : [role === 'Admin' ? 'Admin' : 'RestrictedAdmin'];
  // A Client rejects the role RestrictedAdmin, but knows it if it is in its database.
  const isClient = portal.config.runMode === 'Client';
  const user = { email: `person-${(people += 1)}@example.com`, roles: isClient && role !== 'Admin' ? [] : roles };
  const account = await createUser(portal, user, admin);
  if (isClient)
    await portal.database.query({ text: 'UPDATE portal.accounts SET roles = $2 WHERE id = $1' }, [account.id, roles]);
  if (role === 'RestrictedAdmin with a customer' && !isClient) {
    const url = `/api/users/${account.id}/customers`;
    await portal.app.inject({ method: 'PUT', url, headers: admin, payload: { customerIds: [customer.id] } });
  }
  return { headers: await portal.signIn(account), account };
}
let people = 0;

async function createIdentities(world: World, runMode: string, expired: Headers): Promise<Identity[]> {
  const { portal, admin } = world;
  const session = { app: portal.app, headers: admin };
  const withoutSession = (name: string, headers: Headers, key: Access | null = null): Identity => ({
    name,
    caller: { headers, account: null },
    role: null,
    key,
  });
  const roles: readonly Role[] = [
    'plain',
    'RestrictedAdmin without customers',
    'RestrictedAdmin with a customer',
    'Admin',
  ];
  const people = roles.map(async (role) => ({ name: role, caller: await createPerson(world, role), role, key: null }));

  const { headers: deactivated, account } = await createPerson(world, 'Admin');
  const { id, email } = account ?? missing();
  const values = { email, displayName: 'Gone', roles: ['Admin'], isActive: false };
  await portal.app.inject({ method: 'PUT', url: `/api/users/${id}`, headers: admin, payload: values });
  const key =
    runMode === 'Client'
      ? (await post(session, '/api/api-keys', { name: 'Gateway' })).json<{ key: string }>().key
      : 'x';
  const token = runMode === 'Admin' ? world.customer.token : 'a'.repeat(64);
  return [
    withoutSession('anonymous', {}),
    ...(await Promise.all(people)),
    withoutSession('a deactivated administrator', deactivated),
    withoutSession('an administrator whose session has expired', expired),
    withoutSession('API key', { authorization: `Bearer ${key}` }, runMode === 'Client' ? 'ingest' : null),
    withoutSession('push token', { 'x-customer-token': token }, 'customer'),
    withoutSession('token of the metrics', { authorization: `Bearer ${metricsToken}` }, 'metrics'),
  ];
}

/** Another user with the same role, for calls that change the caller. */
const renewed = async (world: World, { caller, role }: Identity): Promise<Caller> =>
  role === null ? caller : createPerson(world, role);

function missing(): never {
  throw new Error('A person has an account.');
}

async function send(world: World, name: string, call: Call, headers: Headers) {
  const [method = '', path = ''] = name.split(' ');
  const isKnown = (['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const).find((one) => one === method);
  return world.portal.app.inject({
    method: isKnown ?? missing(),
    url:
      call.url ??
      path
        .replace('{id}', call.id ?? unknownId)
        .replace('{name}', 'x')
        .replace('*', 'x'),
    ...(method === 'GET' && call.url === undefined && { query: suitableQuery(world) }),
    headers: { ...headers, ...call.headers },
    ...(call.payload !== undefined && {
      payload: typeof call.payload === 'string' ? Buffer.from(call.payload, 'latin1') : call.payload,
    }),
  });
}

/** Every route that a portal has, `METHOD path`, documented or not. */
function routesOf({ app }: TestApp): string[] {
  const path: string[] = [];
  return app
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((line) => {
      const found = /^(?<indent>.*?)[├└]── (?<part>.*?) \((?<methods>[A-Z, ]+)\)$/.exec(line)?.groups;
      if (found === undefined) return [];
      path.length = (found['indent'] ?? '').length / 4;
      path.push(found['part'] ?? '');
      // A wildcard is printed without its slash.
      const whole = path
        .join('')
        .replaceAll(/:(\w+)/g, '{$1}')
        .replace(/\/?\*$/, '/*');
      const methods = (found['methods'] ?? '').split(', ').filter((method) => method !== 'HEAD');
      return methods.map((method) => `${method} ${whole}`);
    });
}

/** Of every table. */
async function checksums({ database }: TestApp): Promise<Map<string, string>> {
  const tables = await database.query<{ name: string }>({
    text: `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
           WHERE schemaname IN ('portal', 'monitoring', 'fleet', 'dashboards')`,
  });
  const sums = new Map<string, string>();
  for (const { name } of tables.rows) {
    const text = `SELECT coalesce(md5(string_agg(t::text, ',' ORDER BY t::text)), '') AS sum FROM ${name} t`;
    const { rows } = await database.query<{ sum: string }>({ text });
    sums.set(name, rows[0]?.sum ?? '');
  }
  return sums;
}
