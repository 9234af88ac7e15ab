import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkAccessibility } from '../support/browser.ts';
import { overflowOf } from '../support/every-page.ts';
import { type FakeTool, startFakeTool } from '../support/fake-tool.ts';
import { findFreePort } from '../support/ports.ts';
import { signIn } from '../support/session.ts';
import { stageOfFile } from '../support/stage.ts';

const toolPort = await findFreePort();
const stage = stageOfFile('Client', { Dashboard__Upstream: `http://127.0.0.1:${toolPort}` });
let tool: FakeTool;
const plain = { email: 'plain@example.com', password: 'Plain-User-1' };

beforeAll(async () => {
  await using opened = await stage.signedIn();
  await opened.page.request.post('/api/users', { data: { ...plain, displayName: 'Plain' } });
});
afterAll(() => tool?.[Symbol.asyncDispose]());

/** The request that reached the tool, as it shows in the frame. */
const framed = (page: Page, title: string, url: string) =>
  page.frameLocator(`iframe[title="${title}"]`).getByRole('heading', { name: url, exact: true }).waitFor();

// In this order: first there is no tool; then it starts and keeps running.
describe('Dashboards', () => {
  it('shows that the tool is unreachable, and continues when it is back', async () => {
    await using opened = await stage.open();
    const { page, problems } = opened;
    await signIn(page, plain);
    await page.goto('/dashboards');
    await page.getByRole('status').getByText('Dashboards aren’t running').waitFor();
    await page.getByText('contact your administrator').waitFor();
    await checkAccessibility(page);
    tool = await startFakeTool(toolPort);
    await framed(page, 'Overview', '/dash/dashboards/overview?theme=light');
    expect(problems).toEqual([]);
  });

  it.each([
    [1440, 'light'],
    [390, 'dark'],
  ] as const)('at %i px, %s: the menu changes the frame, which is as high as the page', async (width, colorScheme) => {
    const height = 800;
    await using opened = await stage.open({ viewport: { width, height }, colorScheme });
    const { page, problems } = opened;
    await signIn(page, plain);
    await page.goto('/dashboards');
    await framed(page, 'Overview', `/dash/dashboards/overview?theme=${colorScheme}`);
    if (width === 390) await page.getByRole('combobox', { name: 'Dashboards' }).selectOption('Power quality');
    else await page.getByRole('link', { name: 'Power quality' }).click();
    await framed(page, 'Power quality', `/dash/dashboards/power-quality?theme=${colorScheme}`);
    expect(new URL(page.url()).pathname).toBe('/dashboards/power-quality');
    expect(await overflowOf(page)).toBeLessThanOrEqual(0);
    const { y = 0, height: high = 0 } = (await page.locator('iframe').boundingBox()) ?? {};
    expect(high).toBeGreaterThan(height * 0.75);
    expect(y + high).toBeLessThanOrEqual(height);
    await checkAccessibility(page);
    await page.goBack();
    await framed(page, 'Overview', `/dash/dashboards/overview?theme=${colorScheme}`);
    expect(problems).toEqual([]);
  });

  it('an address opens its dashboard, also one that is not in the menu, and after signing in', async () => {
    await using opened = await stage.open();
    const { page } = opened;
    await page.goto('/dashboards/device-comparison');
    await page.getByLabel('Email').fill(plain.email);
    await page.getByLabel('Password', { exact: true }).fill(plain.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await framed(page, 'Device comparison', '/dash/dashboards/device-comparison?theme=light');
    await page.goto('/dashboards/mine');
    await framed(page, 'mine', '/dash/dashboards/mine?theme=light');
  });

  it('the dashboard stays visible while the tool is unreachable, with a note', async () => {
    await using opened = await stage.signedIn();
    const { page } = opened;
    await page.clock.install();
    await page.goto('/dashboards');
    await framed(page, 'Overview', '/dash/dashboards/overview?theme=light');
    await page.route('**/api/embedded-dashboards/status', (route) =>
      route.fulfill({
        json: {
          state: 'failed',
          since: '2026-01-01T00:00:00Z',
          reason: 'it ended (1): killed',
          failure: { code: 'ended', detail: 'killed' },
          path: '/dash',
        },
      }),
    );
    await page.clock.fastForward(61_000);
    await page.getByRole('status').getByText('Dashboards are unavailable (stopped: killed)').waitFor();
    await framed(page, 'Overview', '/dash/dashboards/overview?theme=light');
  });
});

describe('Settings → Embedded dashboards', () => {
  it('on a phone too an administrator adds, changes, moves and removes one', async () => {
    await using opened = await stage.signedIn({ viewport: { width: 390, height: 900 } });
    const { page, problems } = opened;
    // On a phone the settings are a list, and each page leads back to it.
    await page.goto('/settings');
    const sections = page.getByRole('navigation', { name: 'Settings sections' });
    await sections.getByRole('link', { name: 'Configuration' }).click();
    await sections.waitFor({ state: 'detached' });
    await page.getByRole('main').getByRole('link', { name: 'Settings' }).click();
    await checkAccessibility(page);
    await sections.getByRole('link', { name: 'Embedded dashboards' }).click();
    const title = 'Ours';
    const open = async (name: string, item: string) => {
      await page.getByRole('button', { name: `Actions for ${name}` }).click();
      await page.getByRole('menuitem', { name: item }).click();
      // It fades out, and is not a landmark.
      await page.getByRole('menu').waitFor({ state: 'hidden' });
    };
    await page.getByRole('button', { name: 'Add dashboard' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Title').fill(title);
    await dialog.getByLabel('Path').fill('/dash/../api');
    await dialog.getByRole('button', { name: 'Add' }).click();
    await dialog.getByText(/ust be a path under \/dash such as/).waitFor();
    await dialog.getByLabel('Path').fill('/dash/dashboards/ours');
    await checkAccessibility(page);
    await dialog.getByRole('button', { name: 'Add' }).click();
    const toast = page.getByText(`${title} added to the menu`).first();
    await toast.waitFor();
    // Above the navigation, also after its animation.
    const bottomOf = async () => {
      const { y = 0, height = 0 } = (await toast.boundingBox()) ?? {};
      return y + height;
    };
    const navigation = await page.getByRole('navigation', { name: 'Main navigation' }).boundingBox();
    await expect.poll(bottomOf).toBeLessThan(navigation?.y ?? 0);

    await open(title, 'Move up');
    const names = async () => (await page.request.get('/api/embedded-dashboards')).json();
    await expect.poll(names).toMatchObject([{}, {}, {}, { title }, { title: 'Device comparison' }]);
    await checkAccessibility(page);

    await open(title, 'Edit');
    await dialog.getByLabel('Description').fill('What is ours');
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText(`${title} saved`).first().waitFor();
    await page.getByText('What is ours').first().waitFor();

    await open(title, 'Remove from menu');
    await dialog.getByRole('textbox').fill(title);
    await dialog.getByRole('button', { name: 'Remove from menu' }).click();
    await page.getByText(`${title} removed from the menu`).first().waitFor();
    expect(await overflowOf(page)).toBeLessThanOrEqual(0);
    expect(problems).toEqual([]);
  });
});
