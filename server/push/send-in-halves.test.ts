import { expect, it } from 'vitest';
import { failed, tooLarge } from './fleet-answer.ts';
import { type Batch, createSendInHalves } from './send-in-halves.ts';

/** A queue of records, sent to a fleet that accepts this many in a body and finds some too large on their own. */
function stage(records: number, fits: number, { maxSize = 5000, kept = null as number | null, oversized = -1 } = {}) {
  const [sizes, stored, leftOut]: [number[], (number | null)[], number[]] = [[], [], []];
  let at = 0;
  const sendInHalves = createSendInHalves({
    maxSize,
    successesToGrow: 10,
    keepSize: async (size) => stored.push(size),
  });
  const next = async (size: number): Promise<Batch | null> => {
    const count = Math.min(size, records - at);
    if (count === 0) return null;
    return {
      async send() {
        sizes.push(count);
        const hasOversized = oversized >= at && oversized < at + count;
        return count > fits || hasOversized ? tooLarge('413') : { kind: 'accepted', rejected: 0, reason: '' };
      },
      count: () => count,
      async acknowledge(_, batchSize) {
        at += count;
        stored.push(batchSize);
        return null;
      },
      async leaveOut() {
        leftOut.push(at);
        at += 1;
      },
    };
  };
  return { run: () => sendInHalves(kept, next), sizes, stored, leftOut };
}

it('specification, Push backoff: a 413 halves the batch until it fits, and each size is stored', async () => {
  const { run, sizes, stored } = stage(1300, 700);
  expect(await run()).toBeNull();
  // 1,300 are waiting; half is sent at a time.
  expect(sizes).toEqual([1300, 650, 650]);
  expect(stored).toEqual([650, 650, 650]);
});

it('a batch that is too large is halved down to a single record, which is then skipped', async () => {
  const { run, sizes, leftOut } = stage(5000, 5000, { oversized: 0 });
  await run();
  expect(sizes.slice(0, 13)).toEqual([5000, 2500, 1250, 625, 312, 156, 78, 39, 19, 9, 4, 2, 1]);
  expect(leftOut).toEqual([0]);
});

it('a halved batch doubles after each ten accepted in a row, up to the setting', async () => {
  const { run, sizes, stored } = stage(60_000, 5000, { kept: 700 });
  await run();
  const wanted = [...Array(10).fill(700), ...Array(10).fill(1400), ...Array(10).fill(2800)];
  expect(sizes.slice(0, 32)).toEqual([...wanted, 5000, 5000]);
  // Null: as configured.
  expect(stored.slice(28, 31)).toEqual([2800, null, null]);
});

it('another failure ends it, with the batches acknowledged so far', async () => {
  const failure = failed('busy', 'The fleet answered 503.', 7);
  const sendInHalves = createSendInHalves({ maxSize: 10, successesToGrow: 10, keepSize: async () => undefined });
  const nothing = async () => {
    throw new Error('Nothing was acknowledged.');
  };
  const batch: Batch = { send: async () => failure, count: () => 10, acknowledge: nothing, leaveOut: nothing };
  expect(await sendInHalves(null, async () => batch)).toBe(failure);
});
