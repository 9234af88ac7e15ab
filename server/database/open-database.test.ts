import { createServer } from 'node:net';
import { expect, test, vi } from 'vitest';
import { createFleetClient } from '../push/fleet-client.ts';
import { Connections } from './connections.ts';
import { Database } from './pool.ts';
import { isReachable, waitUntilReachable } from './open-database.ts';
import { untilNameIsKnown } from './errors.ts';

/** A port that was free a moment ago: whoever connects is refused. */
async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

test('the start gives up on a database that stays unreachable, with the reason and the setting', async () => {
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
    /^The database was unreachable for 1 seconds \(connect ECONNREFUSED 127\.0\.0\.1:\d+\)\. Start it, or check Database__ConnectionString\.$/,
  );
  expect(performance.now() - started).toBeLessThan(3_000);
  expect(reasons).toEqual([expect.stringContaining('ECONNREFUSED')]);
  expect(await isReachable(database)).toBe(false);
});

test('the wait ends when the process is stopped', async () => {
  await using resources = new AsyncDisposableStack();
  const database = new Database(`postgres://127.0.0.1:${await closedPort()}/db`);
  resources.defer(() => database.close());
  const stop = new AbortController();
  setTimeout(() => stop.abort(), 100);
  const waiting = waitUntilReachable(database, { patienceMs: 60_000, signal: stop.signal, onWaiting: () => undefined });
  await expect(waiting).rejects.toThrow(/abort/i);
});

test('a temporarily unknown host name is retried, for the database and for the push', async () => {
  await using resources = new AsyncDisposableStack();
  const database = new Database(`postgres://u@127.0.0.1:${await closedPort()}/db`);
  resources.defer(() => database.close());
  const unknown = Object.assign(new Error('getaddrinfo EAI_AGAIN database'), { code: 'EAI_AGAIN' });
  const take = vi.spyOn(Connections.prototype, 'take').mockRejectedValueOnce(unknown).mockRejectedValueOnce(unknown);
  resources.defer(() => take.mockRestore());
  await expect(database.query({ text: 'SELECT 1' })).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });

  const fetch = vi.fn<typeof globalThis.fetch>(async () => Response.json({ accepted: 1, rejected: 0 }));
  fetch.mockRejectedValueOnce(new TypeError('fetch failed', { cause: unknown }));
  const client = createFleetClient({ url: 'http://fleet/', token: 'a', fetch, now: Date.now });
  const batch = { type: 'sites', cursor: '1', part: null, body: '[]' } as const;
  expect(await client.send(batch, new AbortController().signal)).toMatchObject({ kind: 'accepted' });
  expect(fetch).toHaveBeenCalledTimes(2);
});

test('an unknown host name fails after the patience, or when nobody waits; other errors are thrown at once', async () => {
  const work = vi.fn<() => Promise<never>>(async () =>
    Promise.reject(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' })),
  );
  await expect(untilNameIsKnown(work, undefined, [1, 1])).rejects.toThrow('no such name');
  expect(work).toHaveBeenCalledTimes(3);
  const leaves = new AbortController();
  const left = vi.fn<() => Promise<never>>(async () => {
    leaves.abort();
    return work();
  });
  await expect(untilNameIsKnown(left, leaves.signal)).rejects.toThrow('no such name');
  expect(left).toHaveBeenCalledTimes(1);
  const refused = vi.fn<() => Promise<never>>(async () =>
    Promise.reject(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })),
  );
  await expect(untilNameIsKnown(refused)).rejects.toThrow('refused');
  expect(refused).toHaveBeenCalledTimes(1);
});
