import type { BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import type { RunMode } from '../../shared/app.ts';
import { closePages, launchBrowser, openPage, type WatchedPage } from './browser.ts';
import { type RunningPortal, startPortal } from './portal.ts';
import { createTestDatabase } from './postgres.ts';
import { signIn } from './session.ts';

/** The setting of a file's browser tests: the real program on its own empty database, and a browser. */
export interface StageOfFile {
  readonly portal: RunningPortal;
  /** Of its database. */
  readonly connectionString: string;
  /** A page of the portal, as {@link openPage} has it. */
  open: (options?: BrowserContextOptions) => Promise<WatchedPage>;
  /** The same in a session of the administrator. */
  signedIn: (options?: BrowserContextOptions) => Promise<WatchedPage>;
}

/**
 * Exists from the first `beforeAll` of a file to its last `afterAll`. `settings` are those of the portal, except for its mode
 * and its database.
 */
export function stageOfFile(runMode: RunMode = 'Client', settings: Record<string, string> = {}): StageOfFile {
  const resources = new AsyncDisposableStack();
  let connectionString = '';
  let portal: RunningPortal | undefined;
  beforeAll(async () => {
    const database = resources.use(await createTestDatabase(runMode === 'Admin' ? 'admin' : 'client'));
    ({ connectionString } = database);
    const environment = { ...settings, Application__RunMode: runMode, Database__ConnectionString: connectionString };
    portal = resources.use(await startPortal({ environment }));
    const browser = await launchBrowser();
    resources.defer(() => closePages(browser));
  });
  afterAll(() => resources.disposeAsync());

  const standing = (): RunningPortal => {
    if (portal === undefined) throw new Error('The stage stands only while the tests of its file run.');
    return portal;
  };
  const open = async (options?: BrowserContextOptions) => openPage(await launchBrowser(), standing().url, options);
  return {
    get portal() {
      return standing();
    },
    get connectionString() {
      return connectionString;
    },
    open,
    signedIn: async (options) => {
      const opened = await open(options);
      await signIn(opened.page);
      return opened;
    },
  };
}
