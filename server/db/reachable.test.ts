import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { Database } from './pool.ts';
import { isReachable, waitUntilReachable } from './reachable.ts';

/** A port that was free a moment ago: whoever connects is refused. */
async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

test('a database that stays out of reach is given up, with the reason and the setting', async () => {
  await using resources = new AsyncDisposableStack();
  const database = new Database(`postgres://u:s3cret@127.0.0.1:${await closedPort()}/db`);
  resources.defer(() => database.close());
  const reasons: string[] = [];
  const options = {
    patienceMs: 1_200,
    signal: new AbortController().signal,
    onWaiting: (reason: string) => reasons.push(reason),
  };
  const started = performance.now();
  await expect(waitUntilReachable(database, options)).rejects.toThrow(
    /^The database was out of reach for 1 seconds \(connect ECONNREFUSED 127\.0\.0\.1:\d+\)\. Start it, or check Database__ConnectionString\.$/,
  );
  expect(performance.now() - started).toBeLessThan(3_000);
  expect(reasons).toEqual([expect.stringContaining('ECONNREFUSED')]);
  expect(await isReachable(database)).toBe(false);
});

test('the wait ends when the process is told to stop', async () => {
  await using resources = new AsyncDisposableStack();
  const database = new Database(`postgres://127.0.0.1:${await closedPort()}/db`);
  resources.defer(() => database.close());
  const stop = new AbortController();
  setTimeout(() => stop.abort(), 100);
  const waiting = waitUntilReachable(database, { patienceMs: 60_000, signal: stop.signal, onWaiting: () => undefined });
  await expect(waiting).rejects.toThrow(/abort/i);
});
