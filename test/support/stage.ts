import type { Browser } from 'playwright-core';
import type { RunMode } from '../../shared/app.ts';
import { closePages, launchBrowser } from './browser.ts';
import { type RunningPortal, startPortal } from './portal.ts';
import { createTestDatabase } from './postgres.ts';

/** What a browser test plays on: the real program on an empty database of its own, and a browser. */
export interface Stage extends AsyncDisposable {
  portal: RunningPortal;
  /** Of its database. */
  connectionString: string;
  browser: Browser;
}

/** `settings` are those of the portal beside its mode and its database. */
export async function openStage(runMode: RunMode = 'Client', settings: Record<string, string> = {}): Promise<Stage> {
  const resources = new AsyncDisposableStack();
  try {
    const database = await createTestDatabase(runMode === 'Admin' ? 'admin' : 'client');
    resources.defer(() => database.drop());
    const { connectionString } = database;
    const environment = { ...settings, Application__RunMode: runMode, Database__ConnectionString: connectionString };
    const portal = resources.use(await startPortal({ environment }));
    const browser = await launchBrowser();
    resources.defer(() => closePages(browser));
    return { portal, connectionString, browser, [Symbol.asyncDispose]: () => resources.disposeAsync() };
  } catch (error) {
    await resources.disposeAsync();
    throw error;
  }
}
