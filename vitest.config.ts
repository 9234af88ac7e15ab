import { defineConfig } from 'vitest/config';
import { describeBinaries } from './server/db/local/choose-binaries.ts';
import { CountReporter } from './test/support/count-reporter.ts';
import { findExtendedBinaries } from './test/support/postgres-cluster.ts';

const countsFile = process.env['TEST_COUNTS_FILE'];

const extended = await findExtendedBinaries();
process.stderr.write(
  extended === undefined
    ? 'SKIPPED: the integration tests on TimescaleDB, because no PostgreSQL on this machine has the extension. They run on native partitions.\n'
    : `Integration tests run on native partitions and on ${describeBinaries(extended)}.\n`,
);

// One project a kind of test; the groups run one after the other, because the machine that runs them may have two cores.
export default defineConfig({
  test: {
    // A test that asks for nothing else is given an ordinary process: real timers, real sockets, no DOM.
    environment: 'node',
    reporters: ['default', ...(countsFile === undefined ? [] : [new CountReporter(countsFile)])],
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['{shared,server,web}/**/*.test.{ts,tsx}'],
          exclude: ['**/node_modules/**', 'web/dist/**'],
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'lint',
          include: ['test/{lint,scripts,support}/**/*.test.ts'],
          testTimeout: 60_000,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'integration',
          include: ['test/integration/**/*.test.ts'],
          globalSetup: ['test/support/postgres-cluster.ts'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
          sequence: { groupOrder: 2 },
        },
      },
      ...(extended === undefined
        ? []
        : [
            {
              extends: true as const,
              test: {
                name: 'timescale',
                include: ['test/integration/**/*.test.ts', 'test/timescale/**/*.test.ts'],
                globalSetup: ['test/support/timescale-cluster.ts'],
                testTimeout: 30_000,
                hookTimeout: 60_000,
                sequence: { groupOrder: 3 },
              },
            },
          ]),
      {
        extends: true,
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          globalSetup: ['test/support/postgres-cluster.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          retry: 0,
          fileParallelism: false,
          sequence: { groupOrder: 4 },
        },
      },
    ],
  },
});
