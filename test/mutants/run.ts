// `npm run mutants [words]`: plants one mistake of the list at a time in a copy of the project and expects its test to fail.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { createVitest, type Vitest } from 'vitest/node';
import { mutants } from './list.ts';
import type { Mutant } from './mutant.ts';
import { killedByVectors } from './vectors.ts';

const root = join(import.meta.dirname, '../..');
const words = process.argv.slice(2).map((word) => word.toLowerCase());

const say = (line: string) => process.stdout.write(`${line}\n`);

const isNoticedByAll = await main();
// Vitest sets it when a test fails, which is wanted here.
process.exitCode = isNoticedByAll ? 0 : 1;

async function main(): Promise<boolean> {
  const isWanted = (mutant: Mutant) => words.some((word) => searchedText(mutant).includes(word));
  const all = [...mutants, ...killedByVectors(mutants)];
  const chosen = words.length === 0 ? all : all.filter(isWanted);
  if (chosen.length === 0) {
    say(`No mutant has "${words.join('" or "')}" in its id, rule, file or test.`);
    return false;
  }
  const copy = copyProject();
  let vitest: Vitest | undefined;
  try {
    process.chdir(copy);
    vitest = await createVitest('test', {
      root: copy,
      watch: false,
      // The first failure is enough.
      retry: 0,
      bail: 1,
      cache: false,
      reporters: [{}],
      onConsoleLog: () => false,
    });
    await vitest.standalone();
    return await plantAll(vitest, copy, chosen);
  } finally {
    await vitest?.close();
    rmSync(copy, { recursive: true, force: true });
  }
}

function searchedText({ id, rule, file, test }: Mutant): string {
  return `${id} ${rule} ${file} ${test}`.toLowerCase();
}

/** A copy of the working folder, so that a run that is killed leaves no planted mistake behind. */
function copyProject(): string {
  const copy = mkdtempSync(join(tmpdir(), 'portal-mutants-'));
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root });
  for (const file of listed.toString().split('\0')) {
    if (file !== '' && existsSync(join(root, file))) cpSync(join(root, file), join(copy, file));
  }
  for (const folder of ['.', 'dashboards/page']) {
    const packages = join(root, folder, 'node_modules');
    if (existsSync(packages)) symlinkSync(packages, join(copy, folder, 'node_modules'));
  }
  return copy;
}

/** File by file, those without a database first. */
async function plantAll(vitest: Vitest, copy: string, chosen: readonly Mutant[]): Promise<boolean> {
  const unnoticed: string[] = [];
  let skipped = 0;
  const beganAt = performance.now();
  const isSlow = ({ test }: Mutant) => Number(test.startsWith('test/'));
  const byTest = Map.groupBy(
    chosen.toSorted((a, b) => isSlow(a) - isSlow(b)),
    ({ test }) => test,
  );
  for (const [test, own] of byTest) {
    say(test);
    if ((await vitest.globTestSpecifications([join(copy, test)])).length === 0) {
      say(
        `  SKIPPED ${own.map(({ id }) => id).join(', ')}: this machine does not run the test; the first line says why.`,
      );
      skipped += own.length;
      continue;
    }
    const problems = await problemsWithoutMutant(vitest, copy, test, own);
    for (const mutant of own) {
      const startedAt = performance.now();
      const verdict = problems.get(mutant.name) ?? (await plant(vitest, copy, mutant));
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
      if (!verdict.isNoticed) unnoticed.push(mutant.id);
      const word = verdict.isNoticed ? 'noticed' : 'UNNOTICED';
      say(`  ${word.padEnd(9)} ${mutant.id.padEnd(42)} ${seconds.padStart(5)} s  ${verdict.reason.slice(0, 100)}`);
    }
  }
  if (unnoticed.length > 0) say(`\nUnnoticed: ${unnoticed.join(', ')}`);
  say(`It took ${((performance.now() - beganAt) / 60_000).toFixed(1)} minutes.`);
  if (skipped > 0) say(`${skipped} skipped`);
  say(`${chosen.length - skipped - unnoticed.length} noticed, ${unnoticed.length} unnoticed`);
  return unnoticed.length === 0;
}

interface Verdict {
  isNoticed: boolean;
  reason: string;
}

/** By the name of a test: its error before anything is planted. */
async function problemsWithoutMutant(vitest: Vitest, copy: string, test: string, own: readonly Mutant[]) {
  const problems = new Map<string | undefined, Verdict>();
  for (const name of new Set(own.map((mutant) => mutant.name))) {
    const { failed, errors, passed } = await run(vitest, copy, test, name);
    const [problem = passed === 0 ? 'there is no such test' : undefined] = [...errors, ...failed];
    if (problem !== undefined) problems.set(name, { isNoticed: false, reason: `without the mutant: ${problem}` });
  }
  return problems;
}

async function plant(vitest: Vitest, copy: string, { file, from, to, test, name }: Mutant): Promise<Verdict> {
  const path = join(copy, file);
  const text = readFileSync(path, 'utf8');
  if (text.split(from).length !== 2) return { isNoticed: false, reason: `the text is not exactly once in ${file}` };
  const write = (content: string) => {
    writeFileSync(path, content);
    vitest.invalidateFile(path);
  };
  try {
    write(text.replace(from, () => to));
    const { failed, errors, passed } = await run(vitest, copy, test, name);
    const [first] = failed;
    if (first !== undefined) return { isNoticed: true, reason: first };
    // A file that does not even load proves nothing about a rule.
    return { isNoticed: false, reason: errors[0] ?? `${passed} tests passed` };
  } finally {
    write(text);
  }
}

/** The result of the tests whose full names contain the text. */
async function run(vitest: Vitest, copy: string, test: string, name: string | undefined) {
  // Failures of an earlier run would end this one, because they count for `bail`.
  vitest.state.filesMap.clear();
  vitest.state.idMap.clear();
  vitest.state.clearErrors();
  vitest.setGlobalTestNamePattern(new RegExp(RegExp.escape(name ?? '')));
  const [specification] = await vitest.globTestSpecifications([join(copy, test)]);
  if (specification === undefined) return { failed: [], errors: ['no project has this file'], passed: 0 };
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications([specification]);
  const tests = testModules.flatMap((module) => [...module.children.allTests()]);
  const namesOf = (state: string) => tests.filter((one) => one.result().state === state).map((one) => one.name);
  const errors = [...testModules.flatMap((module) => module.errors()), ...unhandledErrors].map((error) =>
    error instanceof Object && 'message' in error ? String(error.message) : String(error),
  );
  return { failed: namesOf('failed'), errors, passed: namesOf('passed').length };
}
