import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPage } from '../support/browser.ts';
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

it('the API page shows each operation under the content security policy and asks no other machine for anything', async () => {
  await using opened = await openPage(browser, portal.url);
  const { page, problems } = opened;
  const foreign: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(portal.url) && !request.url().startsWith('data:')) foreign.push(request.url());
  });
  await page.goto('/api/docs');
  await page.getByRole('heading', { name: /Power monitoring portal/ }).waitFor();
  await page.getByText(/^Store measurements; each row is validated/).click();
  await page.getByText('At most 32 MiB, decoded').first().waitFor();
  expect([foreign, problems]).toEqual([[], []]);
});
