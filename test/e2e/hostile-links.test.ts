import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { admin } from '../support/session.ts';
import { stageOfFile } from '../support/stage.ts';

const stage = stageOfFile();
let siteId = '';
const endless = 'M'.repeat(200);

beforeAll(async () => {
  await using opened = await stage.signedIn();
  const { page } = opened;
  const municipalityId = await post(page, '/api/admin/rates/municipalities', {
    name: endless,
    timeZone: 'Asia/Kolkata',
  });
  siteId = await post(page, '/api/admin/sites', { name: endless, municipalityId });
  await post(page, '/api/admin/devices', { siteId, name: endless, externalId: 'endless' });
  await post(page, '/api/api-keys', { name: endless });
  await post(page, '/api/users', {
    email: `${'m'.repeat(200)}@example.com`,
    displayName: endless,
    password: 'Plain-User-1',
  });
  const rows = [{ externalId: 'endless', time: new Date().toISOString(), activePowerKw: 12.5 }];
  expect((await page.request.post('/api/ingest/measurements', { data: rows })).status()).toBe(200);
});

async function post(page: Page, url: string, data: object): Promise<string> {
  const answer = await page.request.post(url, { data });
  expect(answer.ok(), `${url}: ${await answer.text()}`).toBe(true);
  const created: { id: string } = await answer.json();
  return created.id;
}

const signInByForm = async (page: Page, { email, password }: typeof admin) => {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
};

it('sign-in leads nowhere but into this portal', async () => {
  await using opened = await stage.open();
  const { page, problems } = opened;
  // Other spellings of a foreign address are in web/src/lib/return-path.test.ts.
  const path = `/sign-in?returnTo=${encodeURIComponent('//evil.example')}`;
  await page.goto(path);
  await signInByForm(page, admin);
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  expect(page.url().startsWith(`${stage.portal.url}/dashboard`)).toBe(true);
  // A signed-in user is not led away either.
  await page.goto(path);
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  expect(problems).toEqual([]);
});

it.each([
  [
    'Overview',
    '/dashboard',
    [
      'range=last90d',
      'tz=Mars/Base',
      'tz=1&from=x&to=y',
      'group=evil',
      'from=2026-03-11T00:00:00Z&to=2026-03-10T00:00:00Z',
    ],
  ],
  ['Measurements', '/measurements', ['range=evil&tz=1', 'quantity=evil', 'devices=1', 'bucket=evil']],
])(
  'an old or mistyped link to %s opens all the same, and asks the server for nothing it refuses',
  async (name, path, links) => {
    await using opened = await stage.signedIn();
    const { page, problems } = opened;
    const refused: string[] = [];
    page.on('response', (answer) => {
      if (answer.status() === 400) refused.push(answer.url());
    });
    for (const link of links) {
      await page.goto(`${path}?${link}`);
      await page.getByRole('heading', { level: 1, name }).waitFor();
      await page.waitForLoadState('networkidle');
      expect(await page.getByText('crashed').count(), link).toBe(0);
      expect([refused, problems], link).toEqual([[], []]);
    }
  },
);

it('an invalid range in the URL has a message, the range form rejects it at its field, and years stay readable', async () => {
  await using opened = await stage.signedIn();
  const { page, problems } = opened;
  await page.goto('/dashboard?from=1900-01-01&to=1900-01-02');
  const note = page.getByText('This link has an invalid time range. Showing Today');
  await note.waitFor();
  await page.getByRole('button', { name: 'Today', exact: true }).click();
  await page.getByLabel('From').fill('1900-01-01T00:00');
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.getByText('Choose a date from 2000 to 2099.').waitFor();
  await page.getByRole('button', { name: 'Yesterday' }).click();
  await note.waitFor({ state: 'detached' });
  expect(new URL(page.url()).search).toBe('?range=yesterday');

  for (const [link, shown] of [
    ['dashboard?range=bogus', 'Today'],
    ['measurements?range=bogus', 'Today'],
    [`sites/${siteId}?range=bogus`, 'Today'],
    ['compare?range=yesterday&otherRange=bogus', /Showing \w{3}/],
    ['report?month=2026-13', /Showing \w+ \d{4}/],
  ] as const) {
    await page.goto(`/${link}`);
    const text = typeof shown === 'string' ? `Showing ${shown}` : shown;
    await page.getByText('This link has an invalid time range.').filter({ hasText: text }).waitFor();
  }

  await page.goto('/report?month=2026');
  await page.getByRole('heading', { level: 1, name: /2026/ }).waitFor();
  expect(new URL(page.url()).search).toBe('?month=2026');
  expect(problems).toEqual([]);
});

describe('a name without a place to break pushes nothing out of reach', () => {
  it.each([390, 1440])('at %i px', async (width) => {
    await using opened = await stage.signedIn({ viewport: { width, height: 900 } });
    const { page } = opened;
    for (const path of ['/sites', `/sites/${siteId}`, '/dashboard', '/settings/users', '/settings/api-keys']) {
      await page.goto(path);
      await page.getByText(endless).first().waitFor();
      const widths = await page.evaluate<number[]>('[document.documentElement.scrollWidth, window.innerWidth]');
      expect(widths[0], `${path} at ${width} px`).toBeLessThanOrEqual(widths[1] ?? 0);
      for (const table of await page.getByRole('table').all()) {
        const [inside, outside] = await Promise.all([table.boundingBox(), table.locator('xpath=..').boundingBox()]);
        expect(inside?.width ?? 0, `the table of ${path}`).toBeLessThanOrEqual((outside?.width ?? 0) + 1);
      }
    }
  });
});

it('the first reading of a range is drawn at once', async () => {
  await using opened = await stage.signedIn();
  const { page } = opened;
  const now = [{ externalId: 'endless', time: new Date().toISOString(), activePowerKw: 12.5 }];
  expect((await page.request.post('/api/ingest/measurements', { data: now })).status()).toBe(200);
  await page.goto('/dashboard');
  await page.getByText('12.5').first().waitFor();
  await page.waitForLoadState('networkidle');
  expect(await page.getByText('No readings in this time range').count()).toBe(0);
});

it('the zone of the times is named, and that of an address leads back to the own', async () => {
  await using opened = await stage.signedIn();
  const { page } = opened;
  await page.goto('/measurements?tz=Pacific%2FApia');
  await page.getByText(/^Times in (?:Apia|Samoa)/).waitFor();
  await page.getByRole('button', { name: 'Use your time zone' }).click();
  await page.getByRole('main').getByText('Times in India Standard Time').waitFor();
  expect(page.url()).not.toContain('tz=');
});

it('a key that is shown once is not lost by the Back button', async () => {
  await using opened = await stage.signedIn();
  const { page } = opened;
  await page.goto('/settings/profile');
  await page.getByRole('link', { name: 'API keys' }).click();
  await page.getByRole('button', { name: 'New API key' }).first().click();
  await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Second gateway');
  await page.getByRole('button', { name: 'Create API key' }).click();
  const key = page.getByRole('dialog').getByText(/^pmk_/).first();
  await key.waitFor();
  await page.evaluate('window.history.back()');
  await page.getByText('The key has not been copied yet').waitFor();
  expect(await key.isVisible()).toBe(true);
});

it('a lockout of one email leaves all others their say', async () => {
  await using opened = await stage.open();
  const { page } = opened;
  await page.goto('/sign-in');
  const submit = page.getByRole('button', { name: 'Sign in' });
  for (let attempt = 1; attempt <= 6 && !(await submit.isDisabled()); attempt += 1) {
    const answered = page.waitForResponse('**/api/auth/login');
    await signInByForm(page, { email: 'nobody@example.com', password: `wrong ${attempt}` });
    await answered;
    await page.getByRole('alert').waitFor();
  }
  await page.getByRole('alert').waitFor();
  expect(await submit.isDisabled()).toBe(true);
  await signInByForm(page, admin);
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
});
