import type { Random } from './random.ts';

export interface Answer {
  status: number;
  body: unknown;
}

/** Sends requests as the default administrator, who signs in again when the session is unknown. */
export function createAdministrator(url: () => string) {
  let cookie = '';
  const send = async (method: string, path: string, payload: object | null): Promise<Response> =>
    fetch(`${url()}${path}`, {
      method,
      headers: { cookie, ...(payload === null ? {} : { 'content-type': 'application/json' }) },
      body: payload === null ? null : JSON.stringify(payload),
      signal: AbortSignal.timeout(30_000),
    });
  /** Null where there is no answer. */
  return async (method: string, path: string, payload: object | null = null): Promise<Answer | null> => {
    try {
      let answer = await send(method, path, payload);
      if (answer.status === 401) {
        const signedIn = await send('POST', '/api/auth/login', {
          email: 'admin@example.com',
          password: 'ChangeMe123!',
        });
        cookie = signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? '';
        answer = await send(method, path, payload);
      }
      const text = await answer.text();
      return { status: answer.status, body: text === '' ? null : JSON.parse(text) };
    } catch {
      return null;
    }
  };
}

/** Changes that an administrator makes in a Client. */
export interface Settings {
  /** Creates devices until there are some; throws if that fails. */
  begin: () => Promise<void>;
  /** One change, which may fail. */
  change: () => Promise<void>;
  /** External ids of created devices that are not known to be deleted. */
  devices: () => readonly string[];
  /** Whether an administrator has tried to delete it. */
  isGone: (externalId: string) => boolean;
}

interface Named {
  id: string;
}

const fewestDevices = 4;
const maxDevices = 12;

export function createSettings(ask: ReturnType<typeof createAdministrator>, random: Random): Settings {
  const devices = new Map<string, { id: string; siteId: string }>();
  const gone = new Set<string>();
  let sites: string[] = [];
  const municipalities: string[] = [];
  const tariffs: string[] = [];
  let made = 0;
  const label = () => `${(made += 1)}`;

  const create = async (path: string, payload: object): Promise<string | null> => {
    const answer = await ask('POST', path, payload);
    return answer?.status === 201 ? Object.assign({ id: '' }, answer.body).id : null;
  };
  const listIds = async (path: string): Promise<string[]> => {
    const answer = await ask('GET', path);
    return answer?.status === 200 && Array.isArray(answer.body) ? answer.body.map(({ id }: Named) => id) : [];
  };
  const siteBody = () => ({ name: `Site ${label()}`, municipalityId: random.one(municipalities) });
  const deviceBody = (externalId: string) => ({
    siteId: random.one(sites),
    name: `Meter ${label()}`,
    externalId,
    isActive: random.chance(0.8),
    ratedPowerKw: random.one([null, 40, 90]),
    registerMaxKwh: random.one([null, 1_000]),
    expectedIntervalSeconds: random.one([null, 60, 900]),
  });
  const tariffBody = () => ({
    municipalityId: random.one(municipalities),
    name: `Tariff ${label()}`,
    currency: 'EUR',
    effectiveFrom: `20${random.whole(10, 26)}-0${random.whole(1, 10)}-11`,
    defaultRatePerKwh: random.whole(10, 50) / 100,
    vatPercent: 19,
    periods: Array.from({ length: random.whole(0, 4) }, (_, at) => ({
      name: `Period ${at}`,
      daysOfWeek: 2 ** at,
      startTime: '06:00',
      endTime: '22:00',
      ratePerKwh: random.whole(1, 90) / 100,
    })),
  });

  const addMunicipality = async () => {
    const id = await create('/api/admin/rates/municipalities', { name: `Town ${label()}`, timeZone: 'Europe/Berlin' });
    if (id !== null) municipalities.push(id);
  };
  const addSite = async () => {
    const id = await create('/api/admin/sites', siteBody());
    if (id !== null) sites.push(id);
  };
  const addDevice = async () => {
    const externalId = `meter-${label()}`;
    const body = deviceBody(externalId);
    const id = devices.size < maxDevices ? await create('/api/admin/devices', body) : null;
    if (id !== null) devices.set(externalId, { id, siteId: body.siteId });
  };
  const changes = [
    addMunicipality,
    addSite,
    addDevice,
    async () => {
      const [externalId, { id }] = random.one([...devices]);
      await ask('PUT', `/api/admin/devices/${id}`, deviceBody(externalId));
    },
    async () => {
      if (devices.size <= fewestDevices) return;
      const [externalId, { id }] = random.one([...devices]);
      gone.add(externalId);
      devices.delete(externalId);
      await ask('DELETE', `/api/admin/devices/${id}?withMeasurements=true`);
    },
    async () => {
      const id = await create('/api/admin/rates/tariffs', tariffBody());
      if (id !== null) tariffs.push(id);
    },
    async () => {
      if (tariffs.length > 0) await ask('PUT', `/api/admin/rates/tariffs/${random.one(tariffs)}`, tariffBody());
    },
    async () => {
      if (tariffs.length > 2) await ask('DELETE', `/api/admin/rates/tariffs/${tariffs.shift()}`);
    },
    async () => {
      await ask('PUT', `/api/admin/sites/${random.one(sites)}`, siteBody());
    },
    async () => {
      // Rejected if there are devices.
      if (sites.length > 2) await ask('DELETE', `/api/admin/sites/${random.one(sites)}`);
      const there = await listIds('/api/sites');
      if (there.length > 0) sites = there;
    },
  ];

  return {
    async begin() {
      await addMunicipality();
      await addSite();
      for (let at = 0; at < fewestDevices; at += 1) await addDevice();
      if (devices.size < fewestDevices) throw new Error(`Only ${devices.size} devices could be made.`);
    },
    change: () => random.one(changes)(),
    devices: () => [...devices.keys()],
    isGone: (externalId) => gone.has(externalId),
  };
}
