import { writeFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';

/** Writes the counts of a run as JSON, for the one line that `npm test` prints at its end. */
export class CountReporter implements Reporter {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly { message: string }[]): void {
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
    writeFileSync(this.#file, JSON.stringify(counts));
  }
}

const firstLine = (text: string) => text.split('\n', 1)[0] ?? '';
