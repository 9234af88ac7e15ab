import { describe, expect, test } from 'vitest';
import { type Budget, Limiter, waitedFor } from './limiter.ts';

const isRefused = { kind: 'unavailable', retryAfterSeconds: 2 };

/** Work that ends when it is told to, and notes when it began. */
function stage(options: Omit<Budget, 'full'>) {
  const limiter = new Limiter('test', { full: 'manySignIns', ...options });
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const run = (name: string, asked: Parameters<Limiter['run']>[1] = {}) =>
    limiter.run(() => {
      begun.push(name);
      const { promise, resolve } = Promise.withResolvers<void>();
      ends.set(name, resolve);
      return promise;
    }, asked);
  const end = async (name: string) => {
    ends.get(name)?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { limiter, begun, run, end };
}

describe('Limiter', () => {
  test('runs up to the limit at once and the others in order of arrival', async () => {
    const { begun, run, end, limiter } = stage({ max: 2 });
    const all = ['a', 'b', 'c', 'd'].map((name) => run(name));
    await end('');
    expect(begun).toEqual(['a', 'b']);
    expect(limiter.load).toEqual({ running: 2, waiting: 2 });
    for (const name of ['b', 'a', 'c', 'd']) await end(name);
    expect(begun).toEqual(['a', 'b', 'c', 'd']);
    await Promise.all(all);
    expect(limiter.load).toEqual({ running: 0, waiting: 0 });
  });

  test('serves keys in turn: a flood of one does not delay another', async () => {
    const { begun, run, end } = stage({ max: 1 });
    const all = [...['a1', 'a2', 'a3', 'a4'].map((name) => run(name, { key: 'a' })), run('b1', { key: 'b' })];
    for (const name of ['', 'a1', 'a2', 'b1', 'a3', 'a4']) await end(name);
    expect(begun.indexOf('b1')).toBeLessThan(3);
    expect(begun.filter((name) => name.startsWith('a'))).toEqual(['a1', 'a2', 'a3', 'a4']);
    await Promise.all(all);
  });

  test('one key has no more than its share; others overtake those that wait', async () => {
    const { begun, run, end } = stage({ max: 3, maxPerKey: 1 });
    const all = [run('a1', { key: 'a' }), run('a2', { key: 'a' }), run('b1', { key: 'b' })];
    await end('');
    expect(begun).toEqual(['a1', 'b1']);
    for (const name of ['a1', 'a2', 'b1']) await end(name);
    await Promise.all(all);
  });

  test('weights add up; heavy work is not passed forever, and work above the limit runs alone', async () => {
    const { begun, run, end } = stage({ max: 10 });
    const all = [run('light', { weight: 6 }), run('heavy', { weight: 99 }), run('light too', { weight: 1, key: 'b' })];
    await end('');
    expect(begun).toEqual(['light']);
    await end('light');
    expect(begun).toEqual(['light', 'heavy']);
    await end('heavy');
    expect(begun).toEqual(['light', 'heavy', 'light too']);
    await end('light too');
    await Promise.all(all);
  });

  test('if too many wait, the newest of the key with the most waiting is rejected', async () => {
    const { begun, run, end } = stage({ max: 1, maxWaiting: 3 });
    const flood = ['a1', 'a2', 'a3', 'a4'].map((name) => run(name, { key: 'a' }));
    const other = run('b1', { key: 'b' });
    await expect(flood[3]).rejects.toMatchObject(isRefused);
    await expect(run('a5', { key: 'a' })).rejects.toMatchObject(isRefused);
    for (const name of ['', 'a1', 'a2', 'b1', 'a3']) await end(name);
    expect(begun.toSorted()).toEqual(['a1', 'a2', 'a3', 'b1']);
    await Promise.all([other, ...flood.slice(0, 3)]);
  });

  test('if a key has its share of waiting work, the next is rejected at once, but not of another key', async () => {
    const { begun, run, end } = stage({ max: 1, maxWaitingPerKey: 1 });
    const all = [run('a1', { key: 'a' }), run('a2', { key: 'a' }), run('b1', { key: 'b' })];
    await expect(run('a3', { key: 'a' })).rejects.toMatchObject(isRefused);
    for (const name of ['', 'a1', 'a2', 'b1', 'a2']) await end(name);
    expect(begun.toSorted()).toEqual(['a1', 'a2', 'b1']);
    await Promise.all(all);
  });

  test('an aborted signal ends the wait with its reason, and lets the next one through', async () => {
    const { begun, run, end, limiter } = stage({ max: 2 });
    const gone = new AbortController();
    const all = [run('a', { weight: 1 }), run('heavy', { weight: 2, signal: gone.signal }), run('b')];
    gone.abort(new Error('gone'));
    await expect(all[1]).rejects.toThrow('gone');
    await end('');
    expect(begun).toEqual(['a', 'b']);
    await end('a');
    await end('b');
    await expect(limiter.run(async () => 1, { signal: gone.signal })).rejects.toThrow('gone');
    expect(limiter.load).toEqual({ running: 0, waiting: 0 });
  });

  test('no wait exceeds the limit', async () => {
    const { run, limiter } = stage({ max: 1 });
    void run('a');
    const patience = new AbortController();
    const late = run('b', { patience: () => patience.signal });
    patience.abort();
    await expect(late).rejects.toMatchObject(isRefused);
    expect(limiter.load).toEqual({ running: 1, waiting: 0 });
  });

  test('work that fails makes room for the next', async () => {
    const { limiter } = stage({ max: 1 });
    await expect(limiter.run(() => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
    expect(await limiter.run(async () => 'next')).toBe('next');
  });

  test('growing work gets room before new work, but not the room reserved for new work', async () => {
    const { limiter, begun, run, end } = stage({ max: 10, reservedForNew: 2 });
    const { promise: growing, resolve: grow } = Promise.withResolvers<void>();
    const grown: string[] = [];
    const work = (name: string) =>
      limiter.run(async (more) => {
        await growing;
        await more(6);
        grown.push(name);
        await run(`end of ${name}`, { weight: 0 });
      });
    const all = [work('a'), work('b')];
    grow();
    await end('');
    expect(grown).toEqual(['a']);
    // 7 of 10 are taken, and b waits for 5 more.
    all.push(run('small', { weight: 1 }), run('other', { weight: 2 }));
    await end('');
    expect(begun).toEqual(['end of a', 'small']);
    await end('end of a');
    expect(grown).toEqual(['a', 'b']);
    await end('small');
    expect(begun).toContain('other');
    await end('other');
    await end('end of b');
    await Promise.all(all);
    expect(limiter.load).toEqual({ running: 0, waiting: 0 });
  });

  test.each([
    ['all', { max: 8 }],
    ['the share of a key', { max: 80, maxPerKey: 8 }],
  ])('if %s has grown and all of it waits for more, the newest is rejected', async (_, options) => {
    const { limiter } = stage(options);
    const turn = () => new Promise((resolve) => setImmediate(resolve));
    const work = () =>
      limiter.run(async (grow) => {
        await grow(4);
        await turn();
        await grow(8);
        await turn();
        return 'done';
      });
    const [first, second] = await Promise.allSettled([work(), work()]);
    expect(first).toMatchObject({ value: 'done' });
    expect(second).toMatchObject({ reason: isRefused });
    expect(limiter.load).toEqual({ running: 0, waiting: 0 });
  });

  test('reports whether others wait for room, and not for a share of their own', async () => {
    const { limiter, run, end } = stage({ max: 3, maxPerKey: 2 });
    const all = [run('a1', { key: 'a', weight: 2 }), run('a2', { key: 'a' })];
    await end('');
    expect(['a', 'b'].map((key) => limiter.isAwaited(key))).toEqual([true, false]);
    all.push(run('b1', { key: 'b' }), run('b2', { key: 'b' }));
    await end('');
    expect(['a', 'b'].map((key) => limiter.isAwaited(key))).toEqual([true, true]);
    for (const name of ['a1', 'a2', 'b1', 'b2']) await end(name);
    await Promise.all(all);
  });

  test('a held place is returned when its holder ends in any way; without waiting the next is rejected', async () => {
    const { limiter } = stage({ max: 1, maxWaiting: 0 });
    const { promise, reject } = Promise.withResolvers<void>();
    await limiter.hold(() => promise, { key: 'a' });
    await expect(limiter.hold(() => promise, { key: 'b' })).rejects.toMatchObject(isRefused);
    reject(new Error('the end'));
    await new Promise((resolve) => setImmediate(resolve));
    await limiter.hold(async () => undefined, { key: 'b' });
  });

  test('reports by the signal what the work waited for, and nothing if it began at once', async () => {
    const { run, end } = stage({ max: 1 });
    const [first, second] = [new AbortController(), new AbortController()];
    const all = [run('a', { signal: first.signal }), run('b', { signal: second.signal })];
    for (const name of ['', 'a', 'b']) await end(name);
    await Promise.all(all);
    expect([first, second].map(({ signal }) => [...waitedFor(signal)])).toEqual([[], ['test']]);
  });
});
