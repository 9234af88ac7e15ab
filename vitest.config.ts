import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { describeBinaries } from './server/database/local/binaries.ts';
import { CountReporter } from './test/support/count-reporter.ts';
import { findCitusBinaries } from './test/support/citus-cluster.ts';
import { onCitusToo, runOnceBecause } from './test/support/engines.ts';
import { findExtendedBinaries } from './test/support/postgres-cluster.ts';
import { scratchFolder } from './test/support/scratch-folder.ts';
import { SlowestFirst } from './test/support/slowest-first.ts';

const countsFile = process.env['TEST_COUNTS_FILE'];

const extended = await findExtendedBinaries();
process.stderr.write(
  extended === undefined
    ? 'SKIPPED: the integration tests on TimescaleDB, because no PostgreSQL on this machine has the extension. They run on native partitions.\n'
    : `Integration tests run on native partitions and on ${describeBinaries(extended)}.\n`,
);

const distributed = await findCitusBinaries();
process.stderr.write(
  distributed === undefined
    ? 'SKIPPED: the tests of the fleet on Citus, because no PostgreSQL on this machine has the extension. CONTRIBUTING.md says how to add one.\n'
    : `Tests of the fleet run on Citus too, on ${describeBinaries(distributed)}.\n`,
);

// Of those that start databases of their own.
const env = { TMPDIR: scratchFolder() };

const onceOnly = Object.keys(runOnceBecause).map((name) => `test/integration/${name}`);

// One project a kind of test. Those that need a database, a browser or containers wait for them, so that two more than there are
// cores keep these busy. The others run first, and fail soon.
export default defineConfig({
  test: {
    // A test that asks for nothing else is given an ordinary process: real timers, real sockets, no DOM.
    environment: 'node',
    // Files change nothing that another could see. One process for many saves starting it and loading the portal for each file,
    // a third of what small ones cost.
    isolate: false,
    // An eighth of a worker's time went into collecting what hardly outlives a test.
    execArgv: ['--max-semi-space-size=64'],
    // What fails once in hundreds of runs refuses none; the end of the run names each test that needed the second try.
    retry: 1,
    // Of a machine that does much else a second is not enough.
    expect: { poll: { timeout: 45_000 } },
    maxWorkers: availableParallelism() + 2,
    sequence: { sequencer: SlowestFirst },
    reporters: ['default', ...(countsFile === undefined ? [] : [new CountReporter(countsFile)])],
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          // Property tests take long on a busy machine.
          testTimeout: 60_000,
          include: ['{shared,server,web,dashboards}/**/*.test.{ts,tsx}'],
          exclude: ['**/node_modules/**', '**/dist/**'],
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'lint',
          include: ['test/{lint,scripts,support}/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 120_000,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'integration',
          include: ['test/integration/**/*.test.ts'],
          globalSetup: ['test/support/postgres-cluster.ts'],
          env,
          testTimeout: 60_000,
          hookTimeout: 120_000,
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
                exclude: onceOnly,
                globalSetup: ['test/support/timescale-cluster.ts'],
                env,
                testTimeout: 60_000,
                hookTimeout: 120_000,
                sequence: { groupOrder: 2 },
              },
            },
          ]),
      ...(distributed === undefined
        ? []
        : [
            {
              extends: true as const,
              test: {
                name: 'citus',
                include: [...onCitusToo.map((name) => `test/integration/${name}`), 'test/citus/**/*.test.ts'],
                globalSetup: ['test/support/citus-cluster.ts'],
                env,
                testTimeout: 60_000,
                hookTimeout: 120_000,
                sequence: { groupOrder: 2 },
              },
            },
          ]),
      {
        extends: true,
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          globalSetup: ['test/support/postgres-cluster.ts'],
          env,
          testTimeout: 240_000,
          hookTimeout: 240_000,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'stack',
          include: ['test/stack/**/*.test.ts'],
          testTimeout: 300_000,
          // Not beside browsers: each network that comes or goes makes one give up its requests. It waits for half of its time.
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
