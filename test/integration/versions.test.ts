import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  brandingVersion,
  deviceVersion,
  embeddedDashboardVersion,
  municipalityVersion,
  profileVersion,
  siteVersion,
  tariffVersion,
  userVersion,
} from '../../shared/versions.ts';
import { branding } from '../../shared/app.ts';
import { currentUser, user } from '../../shared/accounts.ts';
import { embeddedDashboard } from '../../shared/embedded-dashboards.ts';
import { municipalityWithTariffs, tariff } from '../../shared/rates.ts';
import { device, municipality, site, siteWithDevices } from '../../shared/sites.ts';
import { createUser } from '../support/accounts.ts';
import { appOfFile } from '../support/app-of-file.ts';

const portal = appOfFile();
let admin: { cookie: string };

beforeAll(async () => {
  admin = await portal.signIn();
});

const ask = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, payload?: object, headers: object = {}) =>
  portal.app.inject({ method, url, headers: { ...admin, ...headers }, ...(payload === undefined ? {} : { payload }) });
type Answer = Awaited<ReturnType<typeof ask>>;

/** A resource that two users edit: its URL, two versions of its body, and its version by the list. */
interface Edited {
  url: string;
  one: object;
  other: object;
  created: Answer | null;
  read: () => Promise<string>;
}

const quoted = (version: string) => `"${version}"`;
const find = async <T extends { id: string }>(url: string, parse: (body: unknown) => T[], id: string): Promise<T> => {
  const found = parse((await ask('GET', url)).json()).find((each) => each.id === id);
  if (found === undefined) throw new Error(`${url} does not list ${id}`);
  return found;
};
let count = 0;
const name = () => `Thing ${(count += 1)}`;

const makers: Record<string, () => Promise<Edited>> = {
  municipality: async () => {
    const created = await ask('POST', '/api/admin/rates/municipalities', { name: name(), timeZone: 'Europe/Berlin' });
    const { id } = municipality.parse(created.json());
    return {
      url: `/api/admin/rates/municipalities/${id}`,
      one: { name: name(), timeZone: 'Europe/Berlin' },
      other: { name: name(), timeZone: 'Asia/Kolkata' },
      created,
      read: async () =>
        municipalityVersion(await find('/api/rates', (body) => municipalityWithTariffs.array().parse(body), id)),
    };
  },
  site: async () => {
    const made = await ask('POST', '/api/admin/rates/municipalities', { name: name(), timeZone: 'Europe/Berlin' });
    const municipalityId = municipality.parse(made.json()).id;
    const created = await ask('POST', '/api/admin/sites', { name: name(), municipalityId });
    const { id } = site.parse(created.json());
    return {
      url: `/api/admin/sites/${id}`,
      one: { name: name(), municipalityId },
      other: { name: name(), municipalityId },
      created,
      read: async () => {
        const answer = await ask('GET', `/api/sites/${id}`);
        expect(answer.headers.etag).toBe(quoted(siteVersion(site.parse(answer.json()))));
        return siteVersion(await find('/api/sites', (body) => site.array().parse(body), id));
      },
    };
  },
  device: async () => {
    const { url } = (await makers.site?.()) ?? { url: '' };
    const siteId = url.slice(url.lastIndexOf('/') + 1);
    const externalId = name();
    const created = await ask('POST', '/api/admin/devices', { siteId, name: 'Meter', externalId, ratedPowerKw: 0.1 });
    const { id } = device.parse(created.json());
    return {
      url: `/api/admin/devices/${id}`,
      one: { siteId, name: 'One', externalId },
      other: { siteId, name: 'Other', externalId, ratedPowerKw: 50.25 },
      created,
      read: async () =>
        deviceVersion(await find(`/api/sites/${siteId}`, (body) => siteWithDevices.parse(body).devices, id)),
    };
  },
  tariff: async () => {
    const made = await ask('POST', '/api/admin/rates/municipalities', { name: name(), timeZone: 'Europe/Berlin' });
    const municipalityId = municipality.parse(made.json()).id;
    const period = { name: 'Night', daysOfWeek: 127, startTime: '22:00', endTime: '06:00', ratePerKwh: 0.2 };
    const values = {
      municipalityId,
      name: name(),
      currency: 'EUR',
      effectiveFrom: '2026-01-01',
      defaultRatePerKwh: 0.3,
      periods: [period],
    };
    const created = await ask('POST', '/api/admin/rates/tariffs', values);
    const { id } = tariff.parse(created.json());
    return {
      url: `/api/admin/rates/tariffs/${id}`,
      one: { ...values, periods: [{ ...period, ratePerKwh: 0.21 }] },
      other: { ...values, periods: [] },
      created,
      read: async () => {
        const listed = municipalityWithTariffs.array().parse((await ask('GET', '/api/rates')).json());
        const found = listed.flatMap(({ tariffs }) => tariffs).find((each) => each.id === id);
        if (found === undefined) throw new Error('the tariff is not listed');
        return tariffVersion(found);
      },
    };
  },
  user: async () => {
    const email = `user-${(count += 1)}@example.com`;
    const values = { email, displayName: 'User', roles: [], isActive: true };
    const created = await ask('POST', '/api/users', { ...values, password: 'Secret-Pass-1' });
    const { id } = user.parse(created.json());
    return {
      url: `/api/users/${id}`,
      one: { ...values, displayName: 'One' },
      other: { ...values, roles: ['Admin'] },
      created,
      read: async () => userVersion(await find('/api/users', (body) => user.array().parse(body), id)),
    };
  },
  'embedded dashboard': async () => {
    const url = '/api/embedded-dashboards';
    const created = await ask('POST', url, { title: name(), path: '/dash/dashboards/overview' });
    const { id } = embeddedDashboard.parse(created.json());
    return {
      url: `${url}/${id}`,
      one: { title: name(), path: '/dash/dashboards/overview' },
      other: { title: name(), path: '/dash/dashboards/overview', sortOrder: 3 },
      created,
      read: async () => embeddedDashboardVersion(await find(url, (body) => embeddedDashboard.array().parse(body), id)),
    };
  },
  branding: async () => ({
    url: '/api/branding',
    one: { applicationName: name() },
    other: { applicationName: name(), footerText: 'Other' },
    created: null,
    read: async () => {
      const answer = await ask('GET', '/api/branding');
      const version = brandingVersion(branding.parse(answer.json()));
      expect(answer.headers.etag).toBe(quoted(version));
      return version;
    },
  }),
  'own profile': async () => ({
    url: '/api/auth/me',
    one: { displayName: name() },
    other: { displayName: name() },
    created: null,
    read: async () => {
      const answer = await ask('GET', '/api/auth/me');
      const version = profileVersion(currentUser.parse(answer.json()));
      expect(answer.headers.etag).toBe(quoted(version));
      return version;
    },
  }),
};

describe.each(Object.entries(makers))('Two people edit one %s', (_name, make) => {
  let edited: Edited;
  beforeEach(async () => {
    edited = await make();
  });
  const put = (payload: object, headers: object = {}) => ask('PUT', edited.url, payload, headers);

  test('the ETag of POST and PUT is the version in a list, and ignores values that change on their own', async () => {
    const first = await edited.read();
    if (edited.created !== null) expect(edited.created.headers.etag).toBe(quoted(first));
    const answer = await put(edited.one);
    expect(answer.statusCode).toBe(200);
    const second = await edited.read();
    expect(answer.headers.etag).toBe(quoted(second));
    expect(second).not.toBe(first);
  });

  test('If-Match of the version that is stored: 200; of one that is gone: 412 with a sentence, and nothing changes', async () => {
    const seen = { 'if-match': quoted(await edited.read()) };
    expect((await put(edited.one, seen)).statusCode).toBe(200);
    const now = await edited.read();
    const late = await put(edited.other, seen);
    expect(late.statusCode).toBe(412);
    expect(late.json<{ error: string }>().error).toMatch(/^Someone else changed this/);
    expect(await edited.read()).toBe(now);
    expect((await put(edited.other, { 'if-match': quoted(now) })).statusCode).toBe(200);
  });

  test('DELETE with If-Match: 412 with a sentence while another version is stored, and nothing goes; 204 of the one that is', async () => {
    // The branding and the own profile cannot be deleted.
    if (edited.created === null) return;
    const seen = { 'if-match': quoted(await edited.read()) };
    expect((await put(edited.other)).statusCode).toBe(200);
    const now = await edited.read();
    const late = await ask('DELETE', edited.url, undefined, seen);
    expect(late.statusCode).toBe(412);
    expect(late.json<{ error: string }>().error).toMatch(/^Someone else changed this/);
    expect(await edited.read()).toBe(now);
    expect((await ask('DELETE', edited.url, undefined, { 'if-match': quoted(now) })).statusCode).toBe(204);
    expect((await ask('DELETE', edited.url, undefined, { 'if-match': quoted(now) })).statusCode).toBe(404);
  });

  test('of a PUT and a DELETE of one version at the same moment one wins', async () => {
    if (edited.created === null) return;
    const seen = { 'if-match': quoted(await edited.read()) };
    const [changed, deleted] = await Promise.all([put(edited.one, seen), ask('DELETE', edited.url, undefined, seen)]);
    expect([
      [200, 412],
      [404, 204],
    ]).toContainEqual([changed.statusCode, deleted.statusCode]);
  });

  test('without If-Match the last one wins, as does one with *; a weak ETag and one of several are understood', async () => {
    expect((await put(edited.one)).statusCode).toBe(200);
    expect((await put(edited.other, { 'if-match': '*' })).statusCode).toBe(200);
    const weak = `"0000000000000000", W/${quoted(await edited.read())}`;
    expect((await put(edited.one, { 'if-match': weak })).statusCode).toBe(200);
    expect((await put(edited.other, { 'if-match': 'nonsense' })).statusCode).toBe(412);
  });

  test('of two at the same moment one succeeds and the other gets 412', async () => {
    const seen = { 'if-match': quoted(await edited.read()) };
    const answers = await Promise.all([put(edited.one, seen), put(edited.other, seen)]);
    expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 412]);
  });
});

test('an unknown id stays 404 whatever If-Match says', async () => {
  const id = '019a0000-0000-7000-8000-000000000001';
  const payload = { name: 'x', timeZone: 'UTC' };
  const answer = await ask('PUT', `/api/admin/rates/municipalities/${id}`, payload, { 'if-match': '"x"' });
  expect(answer.statusCode).toBe(404);
});

describe('Every change is recorded with its author and source', () => {
  const changes = () => portal.log.filter(({ msg }) => msg === 'audited');
  const actions = async (work: () => Promise<unknown>) => {
    const before = changes().length;
    await work();
    return changes().slice(before);
  };

  test.each(Object.keys(makers))('%s', async (kind) => {
    const edited = await makers[kind]?.();
    if (edited === undefined) throw new Error(kind);
    const lines = await actions(async () => {
      const answer = await portal.app.inject({
        method: 'PUT',
        url: edited.url,
        headers: admin,
        payload: edited.one,
        remoteAddress: '192.0.2.9',
      });
      expect(answer.statusCode).toBe(200);
    });
    expect(lines).toEqual([
      expect.objectContaining({
        action: expect.stringMatching(/\.change/),
        actor: {
          kind: 'account',
          accountId: expect.any(String),
          sessionId: expect.any(String),
          sourceAddress: '192.0.2.9',
        },
      }),
    ]);
  });

  test('deletions, keys, sessions and passwords too; rejected changes and reads are not', async () => {
    await ask('PUT', '/api/branding', { logoUrl: 'https://example.com/logo.png' });
    const lines = await actions(async () => {
      const account = await createUser(portal, { email: 'audited@example.com' });
      const own = await portal.signIn(account);
      await ask('GET', '/api/users');
      await ask('PUT', `/api/users/${account.id}`, {});
      await portal.app.inject({
        method: 'POST',
        url: '/api/auth/me/change-password',
        headers: own,
        payload: { currentPassword: account.password, newPassword: 'Another-Pass-2' },
      });
      await ask('POST', `/api/users/${account.id}/reset-password`, { newPassword: 'Another-Pass-3' });
      await ask('POST', `/api/users/${account.id}/unlock`);
      await ask('DELETE', `/api/users/${account.id}`);
      const key = (await ask('POST', '/api/api-keys', { name: 'audited' })).json<{ id: string }>();
      await ask('DELETE', `/api/api-keys/${key.id}`);
      await ask('DELETE', '/api/branding/logo');
      await ask('DELETE', '/api/auth/sessions');
    });
    expect(lines.map(({ action }) => action)).toEqual([
      'session.begin',
      'user.create',
      'session.begin',
      'user.change-own-password',
      'user.reset-password',
      'user.unlock',
      'user.delete',
      'api-key.create',
      'api-key.revoke',
      'branding.remove-logo',
      'session.end-others',
    ]);
    expect(JSON.stringify(lines)).not.toMatch(/Pass-|pmk_/);
  });
});
