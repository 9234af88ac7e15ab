import { afterAll, beforeAll } from 'vitest';
import { createAdminApp, createTestApp, type TestApp, type TestAppOptions } from './app.ts';

/** An application that is there from the first `beforeAll` of a file to its last `afterAll`. */
export function appOfFile(options?: TestAppOptions, create = createTestApp): TestApp {
  let made: TestApp | undefined;
  beforeAll(async () => {
    made = await create(options);
  });
  afterAll(() => made?.close());
  const there = (): TestApp => {
    if (made === undefined) throw new Error('The application is there only while the tests of its file run.');
    return made;
  };
  return {
    get app() {
      return there().app;
    },
    get config() {
      return there().config;
    },
    get database() {
      return there().database;
    },
    get engine() {
      return there().engine;
    },
    get log() {
      return there().log;
    },
    signIn: (account) => there().signIn(account),
    close: () => there().close(),
    [Symbol.asyncDispose]: () => there().close(),
  };
}

export const adminAppOfFile = (options?: TestAppOptions): TestApp => appOfFile(options, createAdminApp);
