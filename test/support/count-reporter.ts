import { writeFile } from 'node:fs/promises';
import type { Reporter, TestModule } from 'vitest/node';
import { describeBinaries } from '../../server/db/local/choose-binaries.ts';
import { findBinaries } from '../../server/db/local/find-binaries.ts';

/** Writes the counts of a run as JSON, for the one line that `npm test` prints at its end. */
export class CountReporter implements Reporter {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  async onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly { message: string }[]): Promise<void> {
    const broken: string[] = [];
    const counts = { passed: 0, failed: 0, skipped: 0, broken };
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === 'pending') broken.push(`${test.fullName} did not end`);
        else counts[state] += 1;
      }
      const suites = [module, ...module.children.allSuites()];
      for (const error of suites.flatMap((suite) => suite.errors())) {
        broken.push(`${module.relativeModuleId}: ${firstLine(error.message)}`);
      }
    }
    for (const error of unhandledErrors) broken.push(firstLine(error.message));
    await writeFile(this.#file, JSON.stringify({ ...counts, timescaleDb: await describeTimescaleDb() }));
  }
}

/** The PostgreSQL of this machine that has TimescaleDB, or null. */
async function describeTimescaleDb(): Promise<string | null> {
  const found = await findBinaries(AbortSignal.timeout(20_000)).catch(() => []);
  const extended = found.find(({ timescaleDb }) => timescaleDb !== undefined);
  return extended === undefined ? null : describeBinaries(extended);
}

const firstLine = (text: string) => text.split('\n', 1)[0] ?? '';
