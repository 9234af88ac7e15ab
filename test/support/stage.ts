import type { Browser, BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import type { RunMode } from '../../shared/app.ts';
import { closePages, launchBrowser, openPage, type WatchedPage } from './browser.ts';
import { type RunningPortal, startPortal } from './portal.ts';
import { createTestDatabase } from './postgres.ts';
import { signIn } from './session.ts';

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

export interface StageOfFile {
  readonly portal: RunningPortal;
  readonly connectionString: string;
  /** A page of the portal, as {@link openPage} has it. */
  open: (options?: BrowserContextOptions) => Promise<WatchedPage>;
  /** The same in a session of the administrator. */
  signedIn: (options?: BrowserContextOptions) => Promise<WatchedPage>;
}

/** A stage that stands from the first `beforeAll` of a file to its last `afterAll`. */
export function stageOfFile(...like: Parameters<typeof openStage>): StageOfFile {
  let stage: Stage | undefined;
  beforeAll(async () => {
    stage = await openStage(...like);
  });
  afterAll(() => stage?.[Symbol.asyncDispose]());
  const standing = (): Stage => {
    if (stage === undefined) throw new Error('The stage stands only while the tests of its file run.');
    return stage;
  };
  const open = async (options?: BrowserContextOptions) => openPage(standing().browser, standing().portal.url, options);
  return {
    get portal() {
      return standing().portal;
    },
    get connectionString() {
      return standing().connectionString;
    },
    open,
    signedIn: async (options) => {
      const opened = await open(options);
      await signIn(opened.page);
      return opened;
    },
  };
}
