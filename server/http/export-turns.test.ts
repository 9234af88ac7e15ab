import { expect, test } from 'vitest';
import { ExportTurns } from './export-turns.ts';

const { signal: never } = new AbortController();

/** Takes a turn and keeps it until it is told to end; `isRunning` says whether it has begun. */
function begin(turns: ExportTurns, account: string, signal = never) {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const run = { isRunning: false, end, done: Promise.resolve('') };
  run.done = turns.run(account, signal, async () => {
    run.isRunning = true;
    await ended;
    return account;
  });
  run.done.catch(() => undefined);
  return run;
}
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('four exports of one account run at once, six of all; the others wait for their turn, in their order', async () => {
  const turns = new ExportTurns();
  const own = Array.from({ length: 6 }, () => begin(turns, 'a'));
  const others = ['b', 'c', 'd', 'e'].map((account) => begin(turns, account));
  await settled();
  expect(own.map(({ isRunning }) => isRunning)).toEqual([true, true, true, true, false, false]);
  expect(others.map(({ isRunning }) => isRunning)).toEqual([true, true, false, false]);
  own[0]?.end();
  await settled();
  await settled();
  expect([own[4], own[5], others[2]].map((run) => run?.isRunning)).toEqual([true, false, false]);
  others[0]?.end();
  await settled();
  await settled();
  expect([own[5], others[2], others[3]].map((run) => run?.isRunning)).toEqual([false, true, false]);
  for (const run of [...own, ...others]) run.end();
  expect(await Promise.all([...own, ...others].map(({ done }) => done))).toHaveLength(10);
});

test('who waits too long is told when to come back, and who goes away waits no more; neither takes a turn', async () => {
  const turns = new ExportTurns(50);
  const running = Array.from({ length: 4 }, () => begin(turns, 'a'));
  const gone = new AbortController();
  const [late, left] = [begin(turns, 'a'), begin(turns, 'a', gone.signal)];
  gone.abort(new Error('gone'));
  await expect(left.done).rejects.toThrow('gone');
  await expect(late.done).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 10 });
  for (const run of running) run.end();
  await Promise.all(running.map(({ done }) => done));
  expect([late.isRunning, left.isRunning]).toEqual([false, false]);
  expect(await turns.run('a', never, async () => 'next')).toBe('next');
});

test('work that fails gives its turn back', async () => {
  const turns = new ExportTurns(50);
  for (let attempt = 0; attempt < 10; attempt += 1) {
    await expect(turns.run('a', never, () => Promise.reject(new Error('broke')))).rejects.toThrow('broke');
  }
});
