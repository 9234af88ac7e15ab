import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { refuse } from '../base/errors.ts';
import { createGroupedWriter } from './grouped-writer.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('writers that hang do not block the others forever', async () => {
  const groups: (readonly number[])[] = [];
  const write = createGroupedWriter({
    store: async (group: readonly number[]) => {
      groups.push(group);
      return groups.length <= 2 ? new Promise<number[]>(() => undefined) : [...group];
    },
    rowsOf: (rows) => rows,
  });
  void write(6_000);
  void write(6_001);
  const third = write(6_002);
  await vi.advanceTimersByTimeAsync(14_000);
  expect(groups).toEqual([[6_000], [6_001]]);
  await vi.advanceTimersByTimeAsync(2_000);
  await expect(third).resolves.toBe(6_002);
  await expect(write(1)).resolves.toBe(1);
});

test('what fails one request does not fail the others of its group', async () => {
  const write = createGroupedWriter({
    store: async (group: readonly number[]) => {
      await Promise.resolve();
      if (group.includes(13)) throw new Error('13');
      return group.map((rows) => rows * 2);
    },
    rowsOf: () => 1,
  });
  const answers = await Promise.allSettled([1, 2, 13, 3].map(write));
  expect(answers.map((answer) => (answer.status === 'fulfilled' ? answer.value : 'failed'))).toEqual([
    2,
    4,
    'failed',
    6,
  ]);
});

test('an unreachable database fails a group at once', async () => {
  let attempts = 0;
  const write = createGroupedWriter({
    store: async (_group: readonly number[]): Promise<number[]> => {
      attempts += 1;
      await Promise.resolve();
      throw refuse('databaseAway');
    },
    rowsOf: () => 1,
  });
  await Promise.allSettled([1, 2, 3].map(write));
  // The first alone, then those that arrived while it was written.
  expect(attempts).toBe(2);
});

test('where only some customers are out of reach, the others of the group are stored together', async () => {
  const groups: (readonly number[])[] = [];
  let isKnown = false;
  const write = createGroupedWriter({
    store: async (group: readonly number[]) => {
      groups.push(group);
      await Promise.resolve();
      if (group.includes(13)) throw refuse('databaseAway');
      return [...group];
    },
    rowsOf: () => 1,
    isAway: (one) => isKnown && one === 13,
    findAway: async () => (isKnown = await Promise.resolve(true)),
  });
  const answers = await Promise.allSettled([1, 2, 13, 3].map(write));
  expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
  expect(groups).toEqual([[1], [2, 13, 3], [2, 3]]);
});

test('a writer that hangs has the requests found that are out of reach', async () => {
  let asked = 0;
  const write = createGroupedWriter({
    store: () => new Promise<number[]>(() => undefined),
    rowsOf: () => 1,
    findAway: () => Promise.resolve((asked += 1) > 0),
  });
  void write(13);
  await vi.advanceTimersByTimeAsync(16_000);
  expect(asked).toBe(1);
});
