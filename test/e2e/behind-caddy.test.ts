import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adminAccount } from '../support/accounts.ts';
import { launchBrowser, openPage } from '../support/browser.ts';
import { findCaddy, startCaddy } from '../support/caddy.ts';
import { gateSecret, startTestTool } from '../support/dashboard-tool.ts';
import { startPortal } from '../support/portal.ts';
import { findFreePort } from '../support/ports.ts';
import { createTestDatabase } from '../support/postgres.ts';
import { onlyIf } from '../support/only-if.ts';

// Every browser resolves names under localhost to its own machine.
const host = 'acme.localhost';
const viewer = { email: 'viewer@example.com', displayName: 'Viewer', password: 'Viewer-Pass-1' };

describe(
  'the dashboard tool in a browser, behind Caddy',
  onlyIf((await findCaddy()) !== undefined, 'there is no caddy on this machine'),
  () => {
    const resources = new AsyncDisposableStack();
    const trusting: BrowserContextOptions = { ignoreHTTPSErrors: true };
    let browser: Browser;
    let address = '';

    beforeAll(async () => {
      const port = await findFreePort();
      address = `https://${host}:${port}`;
      const { connectionString } = resources.use(await createTestDatabase());
      const portal = resources.use(
        await startPortal({
          environment: {
            Application__PublicUrl: address,
            Application__TrustedProxies: '127.0.0.1',
            Dashboard__GateSecret: gateSecret,
            Database__ConnectionString: connectionString,
          },
        }),
      );
      const tool = await startTestTool(connectionString, { Application__PublicUrl: address });
      resources.defer(() => tool.stop());
      const caddy = resources.use(
        await startCaddy(port, [{ host, portals: [`127.0.0.1:${portal.port}`], tool: `127.0.0.1:${tool.port}` }]),
      );
      const post = (path: string, body: object, cookie = '') =>
        caddy.ask(host, path, {
          method: 'POST',
          headers: { 'content-type': 'application/json', cookie },
          body: JSON.stringify(body),
        });
      const { headers } = await post('/api/auth/login', adminAccount);
      await post('/api/users', viewer, headers['set-cookie']?.[0]?.split(';', 1)[0]);
      browser = await launchBrowser();
    }, 120_000);
    afterAll(() => resources.disposeAsync());

    const signIn = async (page: Page, { email, password }: { email: string; password: string }) => {
      await page.goto('/sign-in');
      await page.getByRole('textbox', { name: 'Email' }).fill(email);
      await page.getByLabel('Password', { exact: true }).fill(password);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.waitForURL((url) => url.pathname !== '/sign-in');
    };
    const frameOf = (page: Page) => page.frameLocator('iframe[title="Overview"]');

    it('nobody sees a dashboard without signing in', async () => {
      await using opened = await openPage(browser, address, trusting);
      const { page } = opened;
      expect((await page.goto('/dash/dashboards/overview'))?.status()).toBe(401);
    });

    it('an administrator changes a panel, saves, and finds it changed; others see it and cannot change it', async () => {
      await using opened = await openPage(browser, address, trusting);
      const { page, problems } = opened;
      await signIn(page, adminAccount);
      await page.getByRole('link', { name: 'Dashboards', exact: true }).click();
      const tool = frameOf(page);
      await tool.getByRole('button', { name: 'Edit', exact: true }).click();
      await tool.getByRole('button', { name: 'edit panel Load curve' }).click();
      await tool.getByRole('textbox', { name: 'Name' }).fill('Curve of today');
      await tool.getByRole('button', { name: 'Apply' }).click();
      await tool.getByRole('button', { name: 'Save', exact: true }).click();
      await tool.getByText('Saved', { exact: true }).waitFor();
      await page.reload();
      await tool.getByRole('heading', { name: 'Curve of today' }).waitFor();
      expect(problems).toEqual([]);

      await using other = await openPage(browser, address, { ...trusting, locale: 'en-US' });
      await signIn(other.page, viewer);
      await other.page.goto('/dashboards/overview');
      await frameOf(other.page).getByRole('heading', { name: 'Curve of today' }).waitFor();
      expect(await frameOf(other.page).getByRole('button', { name: 'Edit', exact: true }).count()).toBe(0);
      const trySaving = `(async () => {
      const address = '/dash/api/dashboards/overview';
      const { version, spec } = await (await fetch(address)).json();
      const headers = { 'content-type': 'application/json' };
      return (await fetch(address, { method: 'PUT', headers, body: JSON.stringify({ version, spec }) })).status;
    })()`;
      expect(await other.page.evaluate(trySaving)).toBe(403);
      expect(other.problems).toEqual([]);
    }, 240_000);
  },
);
