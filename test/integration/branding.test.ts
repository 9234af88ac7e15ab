import sharp from 'sharp';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../support/app.ts';
import { appOfFile } from '../support/app-of-file.ts';
import { createTestDatabase } from '../support/postgres.ts';

const whiteLabel = {
  applicationName: 'Acme Power',
  logoUrl: '/brand/acme.svg',
  primaryColor: '#101010',
  secondaryColor: '#202020',
  accentColor: '#303030',
  footerText: 'Acme Ltd.',
};
const settings = {
  WhiteLabel__ApplicationName: whiteLabel.applicationName,
  WhiteLabel__LogoUrl: whiteLabel.logoUrl,
  WhiteLabel__PrimaryColor: whiteLabel.primaryColor,
  WhiteLabel__SecondaryColor: whiteLabel.secondaryColor,
  WhiteLabel__AccentColor: whiteLabel.accentColor,
  WhiteLabel__FooterText: whiteLabel.footerText,
};
const own = {
  applicationName: 'Stadtwerke',
  logoUrl: 'https://example.com/logo.png?size=2',
  primaryColor: '#abc',
  secondaryColor: '#0B7285',
  accentColor: '#e8590c',
  footerText: 'Wir sind für Sie da.',
};
const portal = appOfFile({ environment: settings });
let admin: { cookie: string };

beforeAll(async () => {
  admin = await portal.signIn();
});
beforeEach(async () => {
  await put(whiteLabel);
});

const get = async (from: TestApp = portal) => (await from.app.inject({ url: '/api/branding' })).json<object>();
const put = (payload: object, headers: Record<string, string> = admin) =>
  portal.app.inject({ method: 'PUT', url: '/api/branding', headers, payload });

describe('the page as an installed application', () => {
  const manifest = async () => {
    const answer = await portal.app.inject({ url: '/manifest.webmanifest' });
    expect(answer.headers).toMatchObject({
      'content-type': 'application/manifest+json; charset=utf-8',
      'cache-control': 'no-cache',
    });
    return answer.json<object>();
  };

  test('has the name, color and logo of the branding, and a square icon beside the logo; open to everybody', async () => {
    await put({ ...own, applicationName: 'Stadt "Werke" </script>' });
    expect(await manifest()).toMatchObject({
      name: 'Stadt "Werke" </script>',
      start_url: '/',
      scope: '/',
      display: 'standalone',
      theme_color: own.primaryColor,
      icons: [{ src: own.logoUrl, sizes: 'any' }, { src: '/icon.svg' }, { src: '/icon.svg', purpose: 'maskable' }],
    });
  });

  test.each([
    ['#0b7285', '#ffffff'],
    ['#ffd43b', '#111418'],
    ['#fd0', '#111418'],
  ])('the icon is a bolt that stands out from the primary color %s', async (primaryColor, ink) => {
    await put({ ...own, primaryColor });
    const answer = await portal.app.inject({ url: '/icon.svg' });
    expect(answer.headers['content-type']).toBe('image/svg+xml; charset=utf-8');
    expect(answer.headers['content-security-policy']).toContain("default-src 'self'");
    expect(answer.body.match(/fill="[^"]*"/g)).toEqual([`fill="${primaryColor}"`, `fill="${ink}"`]);
  });

  test('an iPhone finds the same as a PNG of 180 pixels, open to everybody', async () => {
    await put({ ...own, primaryColor: '#fd0' });
    const answer = await portal.app.inject({ url: '/apple-touch-icon.png' });
    expect(answer.headers).toMatchObject({ 'content-type': 'image/png', 'cache-control': 'no-cache' });
    const image = await sharp(answer.rawPayload).raw().toBuffer({ resolveWithObject: true });
    expect(image.info).toMatchObject({ width: 180, height: 180, channels: 3 });
    const colorAt = (x: number, y: number) => [...image.data.subarray((y * 180 + x) * 3, (y * 180 + x) * 3 + 3)];
    const [ground, ink] = [
      [0xff, 0xdd, 0x00],
      [0x11, 0x14, 0x18],
    ];
    expect([colorAt(0, 0), colorAt(179, 179), colorAt(90, 90), colorAt(60, 60)]).toEqual([ground, ground, ink, ground]);
  });
});

describe('GET and PUT /api/branding', () => {
  test('everybody reads the six fields, as the sign-in page needs them', async () => {
    const answer = await portal.app.inject({ url: '/api/branding' });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual(whiteLabel);
  });

  test('an administrator writes them: 200 with the branding, at once for everyone', async () => {
    const answer = await put({ ...own, applicationName: `  ${own.applicationName} `, id: 1 });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual(own);
    expect(await get()).toEqual(own);
    expect((await portal.app.inject({ url: '/api/app/info' })).json()).toMatchObject({
      applicationName: own.applicationName,
    });
  });

  test.each(Object.keys(own))(
    'a blank %s falls back to the WhiteLabel setting: empty, blanks or null; one that is left out stays',
    async (field) => {
      const others = Object.fromEntries(Object.entries(own).filter(([name]) => name !== field));
      for (const blank of [{ [field]: '' }, { [field]: '  ' }, { [field]: null }]) {
        await put(own);
        const expected = {
          ...own,
          ...Object.fromEntries(Object.entries(whiteLabel).filter(([name]) => name === field)),
        };
        expect((await put({ ...others, ...blank })).json()).toEqual(expected);
        expect(await get()).toEqual(expected);
      }
      await put(own);
      const value = Object.entries(own).find(([name]) => name === field)?.[1];
      expect((await put(others)).json()).toEqual(own);
      expect((await put({ [field]: value })).json()).toEqual(own);
    },
  );

  test('an empty body changes nothing, and the document says that every field may be left out or null', async () => {
    await put(own);
    expect((await put({})).json()).toEqual(own);
    type Schema = { $ref?: string; required?: string[]; properties?: object };
    const { paths, components } = (await portal.app.inject({ url: '/api/openapi.json', headers: admin })).json<{
      paths: Record<string, { put?: { requestBody: { content: Record<string, { schema: Schema }> } } }>;
      components: { schemas: Record<string, Schema> };
    }>();
    const named = paths['/api/branding']?.put?.requestBody.content['application/json']?.schema;
    const body = named?.$ref === undefined ? named : components.schemas[named.$ref.split('/').at(-1) ?? ''];
    expect(body?.required ?? []).toEqual([]);
    expect(Object.keys(body?.properties ?? {})).toEqual(Object.keys(own));
    expect(JSON.stringify(body).match(/"null"/g)).toHaveLength(6);
  });

  test.each([
    ['primaryColor', 'red'],
    ['primaryColor', '#12345'],
    ['secondaryColor', '#1234567'],
    ['accentColor', '#ggg'],
    ['accentColor', 'url(javascript:alert(1))'],
    ['applicationName', 'x'.repeat(101)],
    ['applicationName', 'a\u0000b'],
    ['footerText', 'x'.repeat(501)],
    ['footerText', 7],
    ['logoUrl', 'javascript:alert(1)'],
    ['logoUrl', ' JavaScript:alert(1)'],
    ['logoUrl', 'data:image/svg+xml,<svg onload=alert(1)>'],
    ['logoUrl', '//evil.example/logo.png'],
    ['logoUrl', '/\\evil.example/logo.png'],
    ['logoUrl', 'https:evil'],
    ['logoUrl', 'https://a b'],
    ['logoUrl', 'ftp://example.com/logo.png'],
    ['logoUrl', 'logo.png'],
    ['logoUrl', '/uploads/../api/users'],
    ['logoUrl', '/uploads/%2e%2e/api/auth/me'],
    ['logoUrl', '/uploads/%2E%2e/brand/logo.png'],
    ['logoUrl', '/uploads/a%2f..%2f..%2fapi'],
    ['logoUrl', '/uploads/%5c%5cevil.example'],
    ['logoUrl', '/uploads/"onerror="alert(1)'],
    ['logoUrl', '/api/auth/me'],
    ['logoUrl', `https://example.com/${'x'.repeat(2_000)}`],
  ])('%s %j: 400 that names the field, and nothing changes', async (field, wrong) => {
    const answer = await put({ ...own, [field]: wrong });
    expect(answer.statusCode).toBe(400);
    expect(answer.json<{ error: string }>().error).toMatch(new RegExp(`^${field}: `));
    expect(await get()).toEqual(whiteLabel);
  });

  test.each(['http://intranet/logo.png', 'HTTPS://example.com/l.png', '/uploads/logo.png', whiteLabel.logoUrl])(
    'logoUrl %j is accepted',
    async (logoUrl) => {
      expect((await put({ ...own, logoUrl })).json()).toEqual({ ...own, logoUrl });
    },
  );

  test('SQL and HTML are stored and answered as they are', async () => {
    const texts = {
      applicationName: `'); DROP TABLE portal.branding;--`,
      footerText: '<script>alert("1")</script> \u202E',
    };
    await put({ ...own, ...texts });
    expect(await get()).toEqual({ ...own, ...texts });
  });
});

describe('Startup rule 5: seeded from the WhiteLabel settings once', () => {
  const restart = (environment: Record<string, string>) =>
    createTestApp({ connectionString: portal.config.database.connectionString ?? '', environment });

  test('edits survive a restart, and other settings do not change stored values', async () => {
    await put({ ...own, footerText: '' });
    await using restarted = await restart({ ...settings, WhiteLabel__ApplicationName: 'Other' });
    expect(await get(restarted)).toEqual({ ...own, footerText: whiteLabel.footerText });
  });

  test('seeded values that were never edited stay too; only blank ones follow the setting', async () => {
    await using database = await createTestApp({ environment: { ...settings, WhiteLabel__FooterText: '' } });
    await using restarted = await createTestApp({
      connectionString: database.config.database.connectionString ?? '',
      environment: {
        WhiteLabel__ApplicationName: 'Other',
        WhiteLabel__PrimaryColor: '#fff',
        WhiteLabel__FooterText: 'New',
      },
    });
    expect(await get(restarted)).toEqual({ ...whiteLabel, footerText: 'New' });
  });

  test('portals that start at the same moment seed it once', async () => {
    const portals = await Promise.all(Array.from({ length: 3 }, () => restart(settings)));
    const { rowCount } = await portal.database.query({ text: 'SELECT FROM portal.branding' });
    expect(rowCount).toBe(1);
    await Promise.all(portals.map((each) => each.close()));
  });
});

test('the answer of GET can be put back, even a first logo that the settings no longer name', async () => {
  await using database = await createTestDatabase();
  const before = await createTestApp({
    connectionString: database.connectionString,
    environment: { WhiteLabel__LogoUrl: '/brand/old.svg' },
  });
  await before.close();
  const after = await createTestApp({
    connectionString: database.connectionString,
    environment: { WhiteLabel__LogoUrl: '/brand/new.svg' },
  });
  const headers = await after.signIn();
  const shown = (await after.app.inject('/api/branding')).json();
  expect(shown).toMatchObject({ logoUrl: '/brand/old.svg' });
  const answer = await after.app.inject({ method: 'PUT', url: '/api/branding', headers, payload: shown });
  expect([answer.statusCode, answer.json()]).toEqual([200, shown]);
  await after.close();
});
