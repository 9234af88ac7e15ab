import { expect, it } from 'vitest';
import { checkAccessibility, launchBrowser, openPage } from '../support/browser.ts';
import { layCable } from '../support/cable.ts';
import { startPortal } from '../support/portal.ts';
import { findFreePort } from '../support/ports.ts';
import { createTestDatabase } from '../support/postgres.ts';

it.each([
  { width: 390, colorScheme: 'light' },
  { width: 390, colorScheme: 'dark' },
  { width: 1440, colorScheme: 'light' },
  { width: 1440, colorScheme: 'dark' },
] as const)(
  'a browser that arrives during the start sees a page that says so, then the requested page ($width px, $colorScheme)',
  async ({ width, colorScheme }) => {
    await using database = await createTestDatabase();
    await using cable = await layCable(database.connectionString, false);
    const port = await findFreePort();
    const environment = {
      Database__ConnectionString: cable.connectionString,
      WhiteLabel__ApplicationName: 'Acme & Söhne Power',
      WhiteLabel__PrimaryColor: '#7048e8',
      WhiteLabel__FooterText: 'Acme, Berlin',
    };
    const starting = startPortal({ port, environment });
    await using opened = await openPage(await launchBrowser(), `http://127.0.0.1:${port}`, { colorScheme });
    const { page, problems } = opened;
    await page.setViewportSize({ width, height: 844 });
    await expect
      .poll(() => page.goto('/sites?from=link').then((answer) => answer?.status(), String), patience)
      .toBe(503);
    await page.getByRole('heading', { name: 'The portal is starting' }).waitFor();
    expect(await page.title()).toBe('The portal is starting · Acme & Söhne Power');
    for (const text of ['Waiting for the database…', 'Acme & Söhne Power', 'Acme, Berlin'])
      expect(await page.getByText(text, { exact: true }).count()).toBe(1);
    await checkAccessibility(page);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    // Without a reload it shows the next step, and then opens the requested page.
    await cable.mend();
    await using portal = await starting;
    expect(portal.port).toBe(port);
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/sign-in');
    expect(problems).toEqual([]);
  },
  60_000,
);

const patience = { timeout: 20_000, interval: 100 };
