import { writeFile } from 'node:fs/promises';
import type { Reporter, TestCase, TestModule, Vitest } from 'vitest/node';
import { describeBinaries, findBinaries } from '../../server/database/local/binaries.ts';

/** Writes the counts of a run as JSON, for the last lines of `npm test`. */
export class CountReporter implements Reporter {
  readonly #file: string;
  #isByName = false;

  constructor(file: string) {
    this.#file = file;
  }

  onInit({ config }: Vitest): void {
    this.#isByName = config.testNamePattern !== undefined;
  }

  async onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly { message: string }[]): Promise<void> {
    const counts = { passed: 0, failed: 0, skipped: 0 };
    const ran = { native: 0, timescale: 0 };
    const broken: string[] = [];
    const reasons = new Map<string, number>();
    const repeated: string[] = [];
    for (const module of modules) {
      const file = module.relativeModuleId;
      for (const test of module.children.allTests()) {
        const result = test.result();
        if (result.state === 'pending') {
          broken.push(`${file}: ${test.fullName} did not end`);
          continue;
        }
        counts[result.state] += 1;
        if (test.diagnostic()?.flaky === true)
          repeated.push(`${file}: ${test.fullName}: ${firstLine(result.errors?.[0]?.message ?? '')}`);
        if (result.state !== 'skipped') {
          if (module.project.name === 'integration') ran.native += 1;
          if (module.project.name === 'timescale') ran.timescale += 1;
          continue;
        }
        const unprepared = hasBrokenParent(test)
          ? 'what it needs could not be set up; the failure says why'
          : undefined;
        const unnamed = this.#isByName ? 'another name was asked for' : undefined;
        const said = result.note ?? test.meta().reason ?? unprepared ?? unnamed;
        const reason = `${file}: ${said ?? 'the test gives no reason of its own'}`;
        reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
      }
      const errors = [module, ...module.children.allSuites()].flatMap((suite) => suite.errors());
      broken.push(...errors.map(({ message }) => `${file}: ${firstLine(message)}`));
    }
    broken.push(...unhandledErrors.map(({ message }) => firstLine(message)));
    const skips = [...reasons].map(([reason, count]) => `${count} in ${reason}`);
    const timescaleDb = await describeTimescaleDb();
    await writeFile(this.#file, JSON.stringify({ ...counts, ran, broken, repeated, skips, timescaleDb }));
  }
}

/** Whether a `beforeAll` around the test failed, so that it was not run. */
function hasBrokenParent(test: TestCase): boolean {
  for (let { parent } = test; ; { parent } = parent) {
    if (parent.errors().length > 0) return true;
    if (parent.type === 'module') return false;
  }
}

/** The PostgreSQL of this machine that has TimescaleDB, or null. */
async function describeTimescaleDb(): Promise<string | null> {
  const found = await findBinaries(AbortSignal.timeout(20_000)).catch(() => []);
  const extended = found.find(({ timescaleDb }) => timescaleDb !== undefined);
  return extended === undefined ? null : describeBinaries(extended);
}

const firstLine = (text: string) => text.split('\n', 1)[0] ?? '';
