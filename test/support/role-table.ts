import { createUser, logIn, resetTokenOf } from './accounts.ts';
import type { TestApp } from './app.ts';
import { createCustomer } from './fleet.ts';
import { png } from './images.ts';
import { addPasskey, beginPasskey, createAuthenticator } from './passkeys.ts';
import { createBrowserKeys } from './push-service.ts';
import { codeAt, secondFactorOf, turnOn } from './second-factor.ts';
import { createDevice, createSite, post } from './sites.ts';

/** Who may call an operation. `reader` reads the fleet: Admin and RestrictedAdmin. */
export type Access = 'everybody' | 'signedIn' | 'admin' | 'reader' | 'ingest' | 'customer' | 'metrics';

export type Headers = Record<string, string>;
export interface Account {
  id: string;
  email: string;
  password: string;
}

/** Who calls; those without an account have no session. */
export interface Caller {
  headers: Headers;
  account: Account | null;
}

/** A valid request of an operation. */
export interface Call {
  id?: string;
  /** In the place of the path of the operation. */
  url?: string;
  payload?: object | string;
  headers?: Headers;
  /** The session of the caller was replaced by another one. */
  session?: Headers;
}

export interface World {
  portal: TestApp;
  nowMs: number;
  /** Of an administrator. */
  admin: { cookie: string };
  /** The customer that the RestrictedAdmin may see; none in a Client. */
  customer: { id: string; token: string };
  siteId: string;
  deviceId: string;
}

export interface Row {
  access: Access;
  /** For those who may. */
  status: number;
  /** Creates what the call needs, each time. */
  ask: (world: World, caller: Caller) => Promise<Call> | Call;
  /** Whether the call changes the session or account of its caller, who is then a new user. */
  isOwn: boolean;
}

type Ask = Row['ask'];
const nothing: Ask = () => ({});
const row =
  (access: Access, isOwn = false) =>
  (status = 200, ask: Ask = nothing): Row => ({ access, status, ask, isOwn });
const [open, signedIn, admin, reader] = [row('everybody'), row('signedIn'), row('admin'), row('reader')];
const [openOwn, own] = [row('everybody', true), row('signedIn', true)];

let made = 0;
const next = (name: string) => `${name}-${(made += 1)}`;
// In the session of the world: of very many sessions of an account the oldest end.
const newUser = ({ portal, admin: headers }: World, roles: string[] = []) =>
  createUser(portal, { email: `${next('user')}@example.com`, roles }, headers);
const ownerOf = async (world: World, { account }: Caller) => account ?? newUser(world);
const makeOf =
  (url: string, bodyOf: (world: World) => object) =>
  async (world: World): Promise<string> =>
    (await post({ app: world.portal.app, headers: world.admin }, url, bodyOf(world))).json<{ id: string }>().id;
/** A call about something new. */
const about =
  (make: (world: World) => Promise<string>, bodyOf?: (world: World) => object): Ask =>
  async (world) => ({ id: await make(world), ...(bodyOf && { payload: bodyOf(world) }) });
const body =
  (bodyOf: (world: World) => object): Ask =>
  (world) => ({ payload: bodyOf(world) });

const originOf = ({ portal }: World) => new URL(portal.config.publicUrl).origin;
const withOrigin = (world: World): Headers => ({ origin: originOf(world) });

const password = (account: Account) => ({ currentPassword: account.password });

/** A user with a second factor who has signed in with it. */
async function withFactor(world: World, caller: Caller) {
  const account = await ownerOf(world, caller);
  const { headers, recoveryCodes } = await turnOn(world.portal, account, world.nowMs);
  return { account, session: headers, code: recoveryCodes[0] ?? '' };
}

async function withPasskey(world: World, caller: Caller) {
  const account = await ownerOf(world, caller);
  const headers = await world.portal.signIn(account);
  const { device, ...given } = await addPasskey(world.portal, {
    headers,
    proof: password(account),
    origin: originOf(world),
  });
  const { passkeys } = await secondFactorOf(world.portal, given.headers).read();
  return { account, device, id: passkeys[0]?.id ?? '', session: given.headers, code: given.recoveryCodes?.[0] ?? '' };
}

const provenBy =
  (having: typeof withFactor): Ask =>
  async (world, caller) => {
    const { account, session, code } = await having(world, caller);
    return { payload: { ...password(account), code }, session };
  };

const aSession: Ask = async (world, caller) => {
  const account = await ownerOf(world, caller);
  const headers = await world.portal.signIn(account);
  const listed = await world.portal.app.inject({ url: '/api/auth/sessions', headers });
  return { id: listed.json<{ id: string; isCurrent: boolean }[]>().find(({ isCurrent }) => isCurrent)?.id ?? '' };
};

const browserBody = () => ({ endpoint: `https://127.0.0.1:9/${next('browser')}`, keys: createBrowserKeys().keys });
const aBrowser: Ask = async (world, caller) => {
  const headers = await world.portal.signIn(await ownerOf(world, caller));
  const added = await post({ app: world.portal.app, headers }, '/api/me/browsers', browserBody());
  return { id: added.json<{ id: string }>().id };
};

/** The token of an administrator who needs a second factor and has none. */
async function firstPasskeyToken(world: World): Promise<string> {
  const account = await newUser(world, ['Admin']);
  const need = (isNeeded: boolean) =>
    world.portal.database.query(
      {
        text: `INSERT INTO portal.sign_in_policy (admins_need_second_factor) VALUES ($1)
             ON CONFLICT (is_only) DO UPDATE SET admins_need_second_factor = $1`,
      },
      [isNeeded],
    );
  await need(true);
  try {
    return (await logIn(world.portal, account)).json<{ token: string }>().token;
  } finally {
    await need(false);
  }
}
const firstPasskey = '/api/auth/login/first-passkey';

const logoForm = {
  payload: [
    '--limit',
    'content-disposition: form-data; name="file"; filename="logo.png"',
    'content-type: image/png',
    '',
    png(8, 8).toString('latin1'),
    '--limit--',
    '',
  ].join('\r\n'),
  headers: { 'content-type': 'multipart/form-data; boundary=limit' },
};
const upload = async ({ portal, admin: headers }: World) =>
  portal.app.inject({
    method: 'POST',
    url: '/api/branding/logo',
    payload: Buffer.from(logoForm.payload, 'latin1'),
    headers: { ...headers, ...logoForm.headers },
  });

const dashboardBody = ({ portal }: World) => ({
  title: next('Dashboard'),
  path: `${portal.config.dashboard.embedPathPrefix}/d/${next('x')}`,
});
/** Of the device, or of the customer that the RestrictedAdmin may see. */
async function newAlarm({ portal, deviceId, customer, nowMs }: World): Promise<string> {
  const [kind, subject] = portal.config.runMode === 'Client' ? ['device', deviceId] : ['customer', customer.id];
  const { rows } = await portal.database.query<{ id: string }>(
    {
      text: `INSERT INTO portal.alarms (id, rule_id, rule_name, kind, severity, subject_kind, subject_id, subject_name, pending_since, firing_at)
             VALUES (gen_random_uuid(), gen_random_uuid(), 'Rule', 'offline', 'info', $1, $2, 'Subject', $3, $3) RETURNING id`,
    },
    [kind, subject, new Date(nowMs)],
  );
  return rows[0]?.id ?? '';
}
const aboutAlarms = (make: typeof signedIn): Record<string, Row> => ({
  'GET /api/alarms': make(),
  'GET /api/alarms/pending': make(),
  'POST /api/alarms/{id}/acknowledge': make(200, about(newAlarm)),
  'POST /api/alarms/{id}/snooze': make(
    200,
    about(newAlarm, ({ nowMs }) => ({ until: new Date(nowMs + 20 * 86_400_000).toISOString() })),
  ),
});
const reportBody = () => ({ name: next('Report'), period: 'month' });
const unknownCustomer = '00000000-0000-7000-8000-000000000000';
const recipientsOf = ({ account }: Caller) => (account === null ? [] : [{ userId: account.id }]);
/** About a subscription that names the caller. */
const aboutSubscription =
  (payload?: () => object): Ask =>
  async ({ portal, admin: headers }, caller) => {
    const values = { ...reportBody(), recipients: recipientsOf(caller) };
    const made = await post({ app: portal.app, headers }, '/api/admin/report-subscriptions', values);
    return { id: made.json<{ id: string }>().id, ...(payload && { payload: payload() }) };
  };
/** About a report that the caller was sent, of the customer that the RestrictedAdmin may see. */
const aboutReport: Ask = async ({ portal, customer }, caller) => {
  const figures = { energyImportedKwh: 0, energyExportedKwh: 0, peakPowerKw: null, costs: [] };
  const contents = {
    kind: 'fleet',
    period: 'month',
    dates: { fromDate: '2026-01-01', toDate: '2026-02-01' },
    timeZone: 'UTC',
    readAt: '2026-02-01T06:00:00Z',
    brand: { applicationName: 'Portal', primaryColor: '#0b7285', footerText: '' },
    alarms: [],
    alarmCount: 0,
    groups: ['2026-01-01'],
    leftOut: 0,
    customers: [
      {
        id: customer.id === '' ? unknownCustomer : customer.id,
        code: 'code',
        name: 'Customer',
        state: 'sending',
        deviceCount: 0,
        alarmCount: 0,
        energyImportedKwh: 0,
        energyExportedKwh: 0,
        costs: [],
        energyKwh: [null],
      },
    ],
  };
  const { rows } = await portal.database.query<{ id: string }>(
    {
      text: `INSERT INTO portal.kept_reports (id, subscription_id, name, period, from_date, to_date, subject_ids, recipients,
               has_workbook, read_at, figures, contents)
             VALUES (gen_random_uuid(), gen_random_uuid(), 'Report', 'month', '2026-01-01', '2026-02-01', '{}', $1, false,
               '2026-02-01T06:00:00Z', $2, $3) RETURNING id`,
    },
    [JSON.stringify(recipientsOf(caller)), JSON.stringify(figures), JSON.stringify(contents)],
  );
  return { id: rows[0]?.id ?? '' };
};
const aboutReports = (readers: typeof signedIn, writers: typeof signedIn): Record<string, Row> => ({
  'GET /api/reports': readers(),
  'GET /api/reports/{id}/changes': readers(200, aboutReport),
  'GET /api/reports/{id}/report.pdf': readers(200, aboutReport),
  'GET /api/reports/{id}/report.xlsx': readers(200, aboutReport),
  'GET /api/admin/report-subscriptions': writers(),
  'POST /api/admin/report-subscriptions': writers(201, body(reportBody)),
  'PUT /api/admin/report-subscriptions/{id}': writers(200, aboutSubscription(reportBody)),
  'DELETE /api/admin/report-subscriptions/{id}': writers(204, aboutSubscription()),
  'POST /api/admin/report-subscriptions/{id}/test': writers(200, aboutSubscription()),
});
const webhookBody = () => ({ name: next('Hook'), url: 'https://hooks.example.com/alarms' });
async function newWebhook({ portal, admin: headers }: World): Promise<string> {
  const made = await post({ app: portal.app, headers }, '/api/admin/webhooks', webhookBody());
  return made.json<{ webhook: { id: string } }>().webhook.id;
}
const alarmRuleBody = ({ portal }: World) =>
  portal.config.runMode === 'Client'
    ? { name: next('Rule'), kind: 'offline', condition: {} }
    : { name: next('Rule'), kind: 'customerFailing', condition: {} };
const newAlarmRule = makeOf('/api/admin/alarm-rules', alarmRuleBody);
const newDashboard = makeOf('/api/embedded-dashboards', dashboardBody);

/** The routes of every portal; a path with `{id}` gets the id that `ask` created. */
const common: Record<string, Row> = {
  'GET /api/app/info': open(),
  'GET /health': open(),
  'GET /health/ready': open(),
  'GET /api/branding': open(),
  'GET /manifest.webmanifest': open(),
  'GET /icon.svg': open(),
  'GET /apple-touch-icon.png': open(),
  'GET /uploads/{name}': open(200, async (world) => ({
    url: (await upload(world)).json<{ logoUrl: string }>().logoUrl,
  })),
  'GET /metrics': row('metrics')(),
  // For a portal in Production; the files of the page that shows the document are the same everywhere.
  'GET /api/openapi.json': signedIn(),
  'GET /api/docs': signedIn(),
  'GET /api/docs/json': signedIn(),
  'GET /api/docs/yaml': signedIn(),
  'GET /api/docs/static/index.html': signedIn(302),
  'GET /api/docs/static/swagger-initializer.js': signedIn(),
  'GET /api/docs/*': open(200, () => ({ url: '/api/docs/static/swagger-ui.css' })),

  'POST /api/auth/login': openOwn(200, async (world) => {
    const { email, password: given } = await newUser(world);
    return { payload: { email, password: given } };
  }),
  'POST /api/auth/logout': openOwn(204),
  'GET /api/auth/forgot-password': open(),
  'POST /api/auth/forgot-password': openOwn(
    204,
    body(() => ({ email: 'nobody@example.com' })),
  ),
  'POST /api/auth/reset-password': openOwn(204, async (world) => ({
    payload: {
      token: await resetTokenOf(world.portal, (await newUser(world)).id, world.nowMs),
      newPassword: 'Another-Pass-2',
    },
  })),
  'GET /api/me/notifications': signedIn(),
  'PUT /api/me/notifications': signedIn(
    200,
    body(() => ({ minimumSeverity: 'warning' })),
  ),
  'GET /api/me/browsers': signedIn(),
  'POST /api/me/browsers': own(201, body(browserBody)),
  'DELETE /api/me/browsers/{id}': own(204, aBrowser),
  'POST /api/me/browsers/{id}/test': own(200, aBrowser),
  'POST /api/auth/login/second-factor': openOwn(200, async (world) => {
    const { account, code } = await withFactor(world, { headers: {}, account: null });
    return { payload: { token: (await logIn(world.portal, account)).json<{ token: string }>().token, code } };
  }),
  'POST /api/auth/login/passkey/options': openOwn(),
  'POST /api/auth/login/passkey': openOwn(200, async (world) => {
    const { device } = await withPasskey(world, { headers: {}, account: null });
    const options = await world.portal.app.inject({ method: 'POST', url: '/api/auth/login/passkey/options' });
    return { payload: device.answer(options.json()), headers: withOrigin(world) };
  }),
  [`POST ${firstPasskey}/options`]: openOwn(200, async (world) => ({
    payload: { token: await firstPasskeyToken(world) },
    headers: withOrigin(world),
  })),
  [`POST ${firstPasskey}`]: openOwn(200, async (world) => {
    const payload = { token: await firstPasskeyToken(world) };
    const headers = withOrigin(world);
    const begun = await world.portal.app.inject({ method: 'POST', url: `${firstPasskey}/options`, headers, payload });
    const step = begun.json<{ token: string } & Parameters<ReturnType<typeof createAuthenticator>['make']>[0]>();
    const credential = createAuthenticator(originOf(world)).make(step);
    return { payload: { token: step.token, name: 'Phone', credential }, headers };
  }),

  'GET /api/auth/check': signedIn(),
  'GET /api/auth/me': signedIn(),
  'PUT /api/auth/me': own(
    200,
    body(() => ({ displayName: next('Name') })),
  ),
  'POST /api/auth/me/change-password': own(204, async (world, caller) => ({
    payload: { ...password(await ownerOf(world, caller)), newPassword: 'Another-Pass-2' },
  })),
  'GET /api/auth/sessions': signedIn(),
  'DELETE /api/auth/sessions': own(204),
  'DELETE /api/auth/sessions/{id}': own(204, aSession),
  'GET /api/auth/me/second-factor': signedIn(),
  'POST /api/auth/me/second-factor/app': own(200, async (world, caller) => ({
    payload: password(await ownerOf(world, caller)),
  })),
  'PUT /api/auth/me/second-factor/app': own(200, async (world, caller) => {
    const account = await ownerOf(world, caller);
    const factor = secondFactorOf(world.portal, await world.portal.signIn(account));
    const begun = await factor.begin(account.password);
    const { token, newApp } = begun.json<{ token: string; newApp: { secret: string } }>();
    return { payload: { token, code: codeAt(newApp.secret, world.nowMs) } };
  }),
  'POST /api/auth/me/second-factor/recovery-codes': own(200, provenBy(withFactor)),
  'POST /api/auth/me/second-factor/off': own(204, provenBy(withFactor)),
  'POST /api/auth/me/second-factor/passkeys/options': own(200, async (world, caller) => ({
    payload: password(await ownerOf(world, caller)),
    headers: withOrigin(world),
  })),
  'POST /api/auth/me/second-factor/passkeys': own(201, async (world, caller) => {
    const account = await ownerOf(world, caller);
    const headers = { ...(await world.portal.signIn(account)), ...withOrigin(world) };
    const step = await beginPasskey(world.portal, headers, password(account));
    const credential = createAuthenticator(originOf(world)).make(step);
    return { payload: { token: step.token, name: 'Phone', credential }, headers: withOrigin(world) };
  }),
  'POST /api/auth/me/second-factor/passkeys/{id}/remove': own(204, async (world, caller) => {
    const { account, id, session, code } = await withPasskey(world, caller);
    return { id, payload: { ...password(account), code }, session };
  }),

  'GET /api/embedded-dashboards': signedIn(),
  'GET /api/embedded-dashboards/status': signedIn(),
  'POST /api/embedded-dashboards': admin(201, body(dashboardBody)),
  'PUT /api/embedded-dashboards/{id}': admin(200, about(newDashboard, dashboardBody)),
  'DELETE /api/embedded-dashboards/{id}': admin(204, about(newDashboard)),
  ...Object.fromEntries(
    ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].flatMap((method) =>
      ['/dash', '/dash/*'].map((path) => [
        `${method} ${path}`,
        signedIn(200, () => ({
          url: path.replace('*', 'api/me'),
          ...(['POST', 'PUT', 'PATCH'].includes(method) && { payload: {} }),
        })),
      ]),
    ),
  ),

  'GET /api/config': admin(),
  'GET /api/admin/audit': admin(),
  'GET /api/admin/alarm-rules': admin(),
  'GET /api/admin/webhooks': admin(),
  'POST /api/admin/webhooks': admin(201, body(webhookBody)),
  'PUT /api/admin/webhooks/{id}': admin(200, about(newWebhook, webhookBody)),
  'DELETE /api/admin/webhooks/{id}': admin(204, about(newWebhook)),
  'POST /api/admin/webhooks/{id}/test': admin(200, about(newWebhook)),
  'GET /api/admin/mail': admin(),
  'POST /api/admin/mail/test': admin(),
  'POST /api/admin/alarm-rules': admin(201, body(alarmRuleBody)),
  'PUT /api/admin/alarm-rules/{id}': admin(200, about(newAlarmRule, alarmRuleBody)),
  'DELETE /api/admin/alarm-rules/{id}': admin(204, about(newAlarmRule)),
  'GET /api/admin/time-zone': admin(),
  'PUT /api/admin/time-zone': admin(
    200,
    body(() => ({ timeZone: null })),
  ),
  'GET /api/admin/sign-in-policy': admin(),
  'PUT /api/admin/sign-in-policy': admin(
    200,
    body(() => ({ adminsNeedSecondFactor: false })),
  ),
  'GET /api/users': admin(),
  'POST /api/users': admin(
    201,
    body(() => userBody({ password: 'Secret-Pass-1' })),
  ),
  'PUT /api/users/{id}': admin(
    200,
    about(
      async (world) => (await newUser(world)).id,
      () => userBody({}),
    ),
  ),
  'DELETE /api/users/{id}': admin(
    204,
    about(async (world) => (await newUser(world)).id),
  ),
  'POST /api/users/{id}/invite': admin(
    204,
    about(async (world) => (await newUser(world)).id),
  ),
  'POST /api/users/{id}/reset-password': admin(
    204,
    about(
      async (world) => (await newUser(world)).id,
      () => ({ newPassword: 'Another-Pass-2' }),
    ),
  ),
  'POST /api/users/{id}/unlock': admin(
    204,
    about(async (world) => (await newUser(world)).id),
  ),
  'POST /api/users/{id}/reset-second-factor': admin(
    204,
    about(async (world) => (await withFactor(world, { headers: {}, account: null })).account.id),
  ),
  'PUT /api/branding': admin(
    200,
    body(() => ({ applicationName: 'Portal' })),
  ),
  'POST /api/branding/logo': admin(201, () => logoForm),
  'DELETE /api/branding/logo': admin(204, async (world) => {
    await upload(world);
    return {};
  }),
};

const userBody = (more: object) => ({
  email: `${next('user')}@example.com`,
  displayName: 'New',
  roles: [],
  isActive: true,
  ...more,
});
const placeBody = () => ({ name: next('Town'), timeZone: 'Europe/Berlin' });
const newPlace = makeOf('/api/admin/rates/municipalities', placeBody);
const newSite = ({ portal, admin: headers }: World) => createSite({ app: portal.app, headers }, { name: next('Site') });
const deviceBody = ({ siteId }: World) => ({ siteId, name: 'Meter', externalId: next('meter') });
const removalBody = () => ({ kind: 'readings', from: '2026-03-09T00:00:00Z', to: '2026-03-10T00:00:00Z', count: 1 });
const newDevice = (world: World) =>
  createDevice({ app: world.portal.app, headers: world.admin }, world.siteId, { externalId: next('meter') });
const newKey = makeOf('/api/api-keys', () => ({ name: next('Gateway') }));
const terms = { currency: 'EUR', defaultRatePerKwh: 0.3, periods: [] };
const tariffBody = (municipalityId: string) => ({
  ...terms,
  municipalityId,
  name: 'Tariff',
  effectiveFrom: '2026-01-01',
});
async function newTariff(world: World) {
  const municipalityId = await newPlace(world);
  return { municipalityId, id: await makeOf('/api/admin/rates/tariffs', () => tariffBody(municipalityId))(world) };
}
const tableBody = async (world: World) => {
  const municipality = next('Town of a table');
  await makeOf('/api/admin/rates/municipalities', () => ({ name: municipality, timeZone: 'Europe/Berlin' }))(world);
  return { payload: { rows: [{ site: next('Site'), municipality, name: 'Meter', externalId: next('meter') }] } };
};
const readingBody = () => ({
  time: new Date(Date.parse('2026-03-10T00:00:00Z') + (made += 1) * 1000).toISOString(),
  activePowerKw: 1,
});
const readsOf = (make: typeof signedIn, paths: readonly string[]) =>
  Object.fromEntries(paths.map((path) => [`GET ${path}`, make()]));

const client: Record<string, Row> = {
  ...aboutAlarms(signedIn),
  ...aboutReports(signedIn, admin),
  'POST /api/admin/alarm-rules/preview': admin(
    200,
    body(() => ({
      rule: { name: 'Rule', kind: 'offline', condition: {} },
      from: '2026-03-09T00:00:00Z',
      to: '2026-03-10T00:00:00Z',
    })),
  ),
  ...readsOf(signedIn, [
    '/api/sites',
    '/api/sites/devices',
    '/api/measurements',
    '/api/measurements/raw',
    '/api/measurements/raw/export.xlsx',
    '/api/measurements/raw/export.csv',
    '/api/measurements/raw/export.ndjson',
    '/api/measurements/intervals',
    '/api/measurements/intervals/export.xlsx',
    '/api/measurements/intervals/export.csv',
    '/api/measurements/intervals/export.ndjson',
    '/api/measurements/profile/export.xlsx',
    '/api/measurements/profile/export.csv',
    '/api/measurements/profile/export.ndjson',
    '/api/rates',
    '/api/dashboard/comparison',
    '/api/dashboard/comparison/export.xlsx',
    '/api/dashboard/cost-comparison',
    '/api/dashboard/summary',
    '/api/dashboard/summary/export.xlsx',
    '/api/dashboard/cost-breakdown',
    '/api/dashboard/load-curve',
    '/api/dashboard/usual',
    '/api/dashboard/base-load',
    '/api/data-quality',
    '/api/report/remark',
  ]),
  'GET /api/sites/{id}': signedIn(200, ({ siteId }) => ({ id: siteId })),
  'POST /api/rates/simulate': signedIn(
    200,
    body(() => ({
      tariff: terms,
      timeZone: 'Europe/Berlin',
      from: '2026-03-09T00:00:00Z',
      to: '2026-03-10T00:00:00Z',
      load: { kind: 'constant', powerKw: 10 },
    })),
  ),
  'POST /api/ingest/measurements': row('ingest')(
    200,
    body(() => [{ externalId: 'standing', ...readingBody() }]),
  ),
  'POST /api/ingest/intervals': row('ingest')(
    200,
    body(() => {
      const { time } = readingBody();
      const to = new Date(Date.parse(time) + 1000).toISOString();
      return [{ externalId: 'standing', from: time, to, importedKwh: 1 }];
    }),
  ),
  'PUT /api/report/remark': admin(200, () => ({
    url: '/api/report/remark?period=2026-03',
    payload: { remark: next('Remark') },
  })),
  'GET /api/incoming': admin(),
  'GET /api/api-keys': admin(),
  'GET /api/api-keys/{id}/deliveries': admin(200, about(newKey)),
  'POST /api/api-keys': admin(
    201,
    body(() => ({ name: next('Gateway') })),
  ),
  'DELETE /api/api-keys/{id}': admin(204, about(newKey)),
  'POST /api/admin/rates/municipalities': admin(201, body(placeBody)),
  'PUT /api/admin/rates/municipalities/{id}': admin(200, about(newPlace, placeBody)),
  'DELETE /api/admin/rates/municipalities/{id}': admin(204, about(newPlace)),
  'POST /api/admin/rates/municipalities/{id}/preview': admin(
    200,
    about(newPlace, () => ({ timeZone: 'Asia/Tokyo' })),
  ),
  'POST /api/admin/rates/tariffs': admin(201, async (world) => ({ payload: tariffBody(await newPlace(world)) })),
  'PUT /api/admin/rates/tariffs/{id}': admin(200, async (world) => {
    const { id, municipalityId } = await newTariff(world);
    return { id, payload: tariffBody(municipalityId) };
  }),
  'DELETE /api/admin/rates/tariffs/{id}': admin(
    204,
    about(async (world) => (await newTariff(world)).id),
  ),
  'POST /api/admin/rates/tariffs/preview': admin(200, async (world) => ({
    payload: { changes: [{ id: null, tariff: tariffBody(await newPlace(world)) }] },
  })),
  'POST /api/admin/sites': admin(201, async (world) => ({
    payload: { name: next('Site'), municipalityId: await newPlace(world) },
  })),
  'PUT /api/admin/sites/{id}': admin(200, async (world) => ({
    id: await newSite(world),
    payload: { name: next('Site'), municipalityId: await newPlace(world) },
  })),
  'DELETE /api/admin/sites/{id}': admin(204, about(newSite)),
  'POST /api/admin/sites/{id}/preview': admin(200, async (world) => ({
    id: await newSite(world),
    payload: { municipalityId: await newPlace(world) },
  })),
  'POST /api/admin/site-table/check': admin(200, tableBody),
  'POST /api/admin/site-table': admin(201, tableBody),
  'POST /api/admin/devices': admin(201, body(deviceBody)),
  'PUT /api/admin/devices/{id}': admin(200, about(newDevice, deviceBody)),
  'DELETE /api/admin/devices/{id}': admin(204, about(newDevice)),
  'POST /api/admin/devices/{id}/removals/preview': admin(200, about(newDevice, removalBody)),
  // There is nothing to remove.
  'POST /api/admin/devices/{id}/removals': admin(409, about(newDevice, removalBody)),
  'POST /api/admin/devices/change': admin(200, async (world) => ({
    payload: { deviceIds: [await newDevice(world)], isActive: false },
  })),
  'GET /api/admin/push': admin(),
  'POST /api/admin/push/run': admin(202),
  'POST /api/admin/push/reconcile': admin(202),
};

const ofCustomer: Ask = ({ customer }) => ({ id: customer.id });
const newCustomer = async ({ portal, admin: headers }: World) =>
  (await createCustomer(portal, next('customer'), { headers })).id;

const fleet: Record<string, Row> = {
  ...aboutAlarms(reader),
  ...aboutReports(reader, reader),
  'POST /api/admin/alarm-rules/preview': admin(
    200,
    body(() => ({
      rule: { name: 'Rule', kind: 'customerFailing', condition: {} },
      from: '2026-03-09T00:00:00Z',
      to: '2026-03-10T00:00:00Z',
    })),
  ),
  ...readsOf(reader, [
    '/api/fleet/dashboard',
    '/api/fleet/dashboard/export.xlsx',
    '/api/fleet/customers',
    '/api/fleet/sites',
    '/api/fleet/groups',
  ]),
  ...Object.fromEntries(
    [
      'sites',
      'sites/devices',
      'measurements',
      'measurements/raw',
      'measurements/raw/export.xlsx',
      'measurements/raw/export.csv',
      'measurements/raw/export.ndjson',
      'measurements/intervals',
      'measurements/intervals/export.xlsx',
      'measurements/intervals/export.csv',
      'measurements/intervals/export.ndjson',
      'measurements/profile/export.xlsx',
      'measurements/profile/export.csv',
      'measurements/profile/export.ndjson',
      'detail',
      'cost/export.xlsx',
    ].map((path) => [`GET /api/fleet/customers/{id}/${path}`, reader(200, ofCustomer)]),
  ),
  'POST /api/fleet/ingest': row('customer')(200, ({ deviceId }) => ({
    payload: [{ deviceId, ...readingBody() }],
    headers: { 'x-batch-type': 'measurements' },
  })),
  'POST /api/fleet/reconcile': row('customer')(
    200,
    body(({ deviceId }) => ({ fromDate: '2026-03-09', toDate: '2026-03-10', deviceIds: [deviceId] })),
  ),
  'POST /api/fleet/reconcile/result': row('customer')(
    204,
    body(() => ({ inStepUpTo: null, comparedDays: 1, resentDays: 0, differingDays: 0, intervalSeconds: 30 })),
  ),
  'GET /api/admin/customers': admin(),
  'POST /api/admin/customers': admin(
    201,
    body(() => ({ code: next('customer'), name: 'New' })),
  ),
  'PUT /api/admin/customers/{id}': admin(
    200,
    about(newCustomer, () => ({ name: 'Changed', isActive: true })),
  ),
  'DELETE /api/admin/customers/{id}': admin(204, about(newCustomer)),
  'POST /api/admin/customers/{id}/rotate-token': admin(
    200,
    about(newCustomer, () => ({ graceHours: 1 })),
  ),
  'GET /api/users/{id}/customers': admin(
    200,
    about(async (world) => (await newUser(world)).id),
  ),
  'PUT /api/users/{id}/customers': admin(
    200,
    about(
      async (world) => (await newUser(world)).id,
      ({ customer }) => ({ customerIds: [customer.id] }),
    ),
  ),
};

/** Every route of a run mode, `METHOD path`: who may call it, and with what. */
export const roleTables = { Client: { ...common, ...client }, Admin: { ...common, ...fleet } };

/** A query that fits every read. */
export const suitableQuery = ({ deviceId }: World): Record<string, string> => ({
  from: '2026-03-09T00:00:00Z',
  to: '2026-03-10T00:00:00Z',
  otherFrom: '2026-03-07T00:00:00Z',
  otherTo: '2026-03-08T00:00:00Z',
  bucket: 'hour',
  groupBy: 'device',
  group: 'day',
  period: '2026-03',
  deviceId,
});
