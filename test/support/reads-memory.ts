import { existsSync, readFileSync } from 'node:fs';
import { createTestApp } from './app.ts';

// Forked by a test: requests one answer of a portal ten times at once in a separate process, and returns the answers and the
// peak growth of its memory. In the process of the tests, the garbage of others would count.
const [connectionString = '', url = ''] = process.argv.slice(2);
await using portal = await createTestApp({ connectionString });
const headers = await portal.signIn();
const ask = (at: string) => portal.app.inject({ method: 'GET', url: at, headers });
// What the first answer loads does not count.
await ask(`${new URL(url, 'http://portal').pathname}?from=1990-01-01T00:00:00Z&to=1990-01-02T00:00:00Z`);
globalThis.gc?.();
const before = process.memoryUsage.rss();
const answers = await Promise.all(Array.from({ length: 10 }, () => ask(url)));
const grownMib = (highestRss() - before) / 2 ** 20;
process.send?.({ grownMib, answers: answers.map(({ statusCode, body }) => ({ statusCode, body })) });
process.disconnect?.();

/** In bytes. On Linux `maxRSS` starts with the memory of the process that forked this one, which is the tests' own. */
function highestRss(): number {
  const status = '/proc/self/status';
  if (!existsSync(status)) return process.resourceUsage().maxRSS * 1024;
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(status, 'utf8'))?.[1]) * 1024;
}
