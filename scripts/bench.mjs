// `npm run bench [name] [--full]`: runs the benchmarks and keeps the newest output of each in bench/RESULTS.md.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { arch, cpus, release, totalmem, type } from 'node:os';
import { join } from 'node:path';
import { answerWords } from '../server/usage.mjs';
import { ensureInstalled } from './install.mjs';
import { exitCode, main, pinnedNode, pinnedVersion, root, say } from './project.mjs';

const folder = join(root, 'bench');
const results = join(folder, 'RESULTS.md');
const words = process.argv.slice(2);
const options = words.filter((word) => word.startsWith('--'));

await main(async () => {
  const known = listBenchmarks();
  const answered = answerWords(words, {
    call: 'npm run bench [-- words]',
    does: 'Runs the benchmarks that are named, or all of them; bench/RESULTS.md keeps what they print.',
    words: {
      ...Object.fromEntries(known.map((name) => [name, 'a benchmark'])),
      '--full': 'the long runs',
      '--native': 'on native partitions, also where the machine has TimescaleDB',
      '--small': 'raw-page: with fewer devices',
      '--customers=<numbers>': 'fleet-scale: sizes of the fleet, such as 1000,3000',
      '--workers=<number>': 'fleet-scale: workers of Citus, otherwise 2',
      '--shards=<number>': 'fleet-scale: shards of Citus, otherwise 8',
      '--quick': 'fleet-scale: for seconds instead of minutes',
      '--backlog=<rows>': 'push: how many rows wait',
    },
    more: 'They replay real meter data where ../shared/data lies beside the repository, else rows that the demo generates.',
  });
  if (answered !== undefined) return answered;
  const chosen = words.filter((word) => !word.startsWith('--'));
  await ensureInstalled();
  const failed = [];
  for (const name of chosen.length > 0 ? chosen : known) {
    say(`— ${name}`);
    const { code, output } = await runBenchmark(name);
    if (code === 0) keep(name, output);
    else failed.push(name);
  }
  if (failed.length > 0) say(`Failed and not stored: ${failed.join(', ')}.`);
  return failed.length === 0 ? 0 : 1;
});

/** One benchmark a file that lies in `bench/` itself; what they share lies in folders below. */
function listBenchmarks() {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((file) => file.endsWith('.ts'))
    .map((file) => file.slice(0, -'.ts'.length))
    .toSorted();
}

/**
 * @param {string} name
 * @returns {Promise<{ code: number, output: string }>}
 */
function runBenchmark(name) {
  return new Promise((resolve) => {
    let output = '';
    const child = spawn(pinnedNode, [join(folder, `${name}.ts`), ...options], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    child.stdout.setEncoding('utf8').on('data', (text) => {
      output += text;
      process.stdout.write(text);
    });
    child.on('error', () => resolve({ code: 127, output }));
    child.on('close', (code, signal) => resolve({ code: exitCode(code, signal), output }));
  });
}

/**
 * Replaces the entry of a benchmark; entries are sorted by name.
 * @param {string} name
 * @param {string} output
 */
function keep(name, output) {
  const [, ...entries] = existsSync(results) ? readFileSync(results, 'utf8').split(/^## /m) : [];
  const others = entries.map((entry) => entry.trimEnd()).filter((entry) => !entry.startsWith(`${name},`));
  const sorted = [...others, entryOf(name, output)].toSorted();
  writeFileSync(
    results,
    `# Benchmark results, the newest run of each\n\n${sorted.map((entry) => `## ${entry}\n`).join('\n')}`,
  );
}

/**
 * @param {string} name
 * @param {string} output
 */
function entryOf(name, output) {
  const processors = cpus();
  const memoryGib = Math.round(totalmem() / 2 ** 30);
  const machine = `${processors.length} x ${processors[0]?.model ?? 'unknown processor'}, ${memoryGib} GiB, ${type()} ${release()} ${arch()}`;
  const command = ['npm run bench --', name, ...options].join(' ');
  return [
    `${name}, ${new Date().toISOString().slice(0, 10)}`,
    '',
    `\`${command}\` · Node ${pinnedVersion()} · ${machine}`,
    '',
    '```',
    output.trimEnd(),
    '```',
  ].join('\n');
}
