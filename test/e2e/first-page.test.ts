import type { Browser, Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { languages } from '../../shared/languages.ts';
import { checkAccessibility, openPage } from '../support/browser.ts';
import type { RunningPortal } from '../support/portal.ts';
import { openStage, type Stage } from '../support/stage.ts';

let stage: Stage;
let portal: RunningPortal;
let browser: Browser;

beforeAll(async () => {
  stage = await openStage();
  ({ portal, browser } = stage);
});

afterAll(() => stage?.[Symbol.asyncDispose]());

it.each(['light', 'dark'] as const)(
  'whoever is not signed in is shown the sign-in page, which is accessible (%s)',
  async (colorScheme) => {
    await using opened = await openPage(browser, portal.url, { colorScheme });
    const { page, problems } = opened;
    await page.goto('/sites');
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/sign-in');
    await checkAccessibility(page);
    expect(problems).toEqual([]);
  },
);

it.each(languages)(
  'before any code has come, the sign-in page says where one is, and keeps the place of its form (%s)',
  async (locale) => {
    await using opened = await openPage(browser, portal.url, { locale });
    const { page, problems } = opened;
    const code = Promise.withResolvers<undefined>();
    await page.route(/\/assets\/[^/]+\.js$/, async (route) => {
      await code.promise;
      await route.continue();
    });
    await page.goto('/', { waitUntil: 'commit' });
    const saidFirst = () =>
      page.evaluate<string>("getComputedStyle(document.querySelector('.first-brand'), '::after').content");
    await expect.poll(saidFirst).toContain('Power Monitoring');
    const said: unknown = JSON.parse(await saidFirst());
    const blocks = await placesOf(page.locator('.first svg, .first i'));
    code.resolve(undefined);
    const heading = page.getByRole('heading', { level: 1 });
    await heading.waitFor();
    expect(said).toBe(await heading.innerText());
    const form = page.locator('main svg').first().or(page.locator('main input, main button[type=submit]'));
    expect(await placesOf(form)).toEqual(blocks);
    expect(problems).toEqual([]);
  },
);

/** Where the middles of elements are, in px from the top. */
async function placesOf(elements: Locator): Promise<number[]> {
  const boxes = await Promise.all((await elements.all()).map((element) => element.boundingBox()));
  return boxes.map((box) => Math.round((box?.y ?? NaN) + (box?.height ?? NaN) / 2));
}

it('whoever signs in comes to the page that was asked for', async () => {
  await using opened = await openPage(browser, portal.url);
  const { page, problems } = opened;
  await page.goto('/sites');
  await page.getByRole('textbox', { name: 'Email' }).fill('admin@example.com');
  await page.getByLabel('Password', { exact: true }).fill('ChangeMe123!');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Sites' }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/sites');
  expect(problems).toEqual([]);
});

it('the check of accessibility is not blind: it names what breaks a rule', async () => {
  await using opened = await openPage(browser, portal.url);
  const { page } = opened;
  await page.setContent(
    '<html lang="en"><title>A picture</title><main><h1>A picture</h1><img src="data:,"></main></html>',
  );
  await expect(checkAccessibility(page)).rejects.toThrow(/image-alt/);
});
