import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
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
