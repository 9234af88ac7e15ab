import fc from 'fast-check';
import { expect, it } from 'vitest';
import { batchWaitMs, busyRowsPerSecond, IncomingRows } from './incoming-rows.ts';

/** Whether ingest is busy after this many requests of this many rows each, one every `everyMs`. */
function isBusyAfter(requests: number, rows: number, everyMs: number): boolean {
  const incoming = new IncomingRows();
  for (let one = 0; one < requests; one += 1) incoming.note(rows, one * everyMs);
  return incoming.quietInMs(requests * everyMs) > 0;
}

it('ingest is busy from 10,000 rows a second on, however many requests they are split into', () => {
  expect(busyRowsPerSecond).toBe(10_000);
  for (const rows of [10, 100, 1_000]) {
    expect(isBusyAfter(200, rows, rows / 11)).toBe(true);
    expect(isBusyAfter(200, rows, rows / 9)).toBe(false);
  }
});

it('ingest is quiet before the first row, and a second after the last at the latest', () => {
  const incoming = new IncomingRows();
  expect(incoming.quietInMs(0)).toBe(0);
  incoming.note(5_000, 100);
  expect(incoming.quietInMs(100)).toBe(500);
  incoming.note(1_000_000, 200);
  expect(incoming.quietInMs(200)).toBe(1_000);
  expect(incoming.quietInMs(1_199)).toBe(1);
  expect(incoming.quietInMs(1_200)).toBe(0);
});

const first = { batchesSent: 0, batchesOfRound: 3, elapsedMs: 0 };

it('a batch waits until ingest is quiet, but no longer', () => {
  expect(batchWaitMs({ ...first, quietInMs: 0, intervalMs: 30_000 })).toBe(0);
  expect(batchWaitMs({ ...first, quietInMs: 40, intervalMs: 30_000 })).toBe(40);
});

it('a batch is sent after five seconds even if rows never stop', () => {
  const waitMs = (elapsedMs: number, batchesSent: number) =>
    batchWaitMs({ ...first, quietInMs: 1e6, intervalMs: 3_600_000, elapsedMs, batchesSent });
  expect(waitMs(0, 0)).toBe(5_000);
  expect(waitMs(5_000, 0)).toBe(0);
  expect(waitMs(5_100, 1)).toBe(4_900);
});

it('if rows never stop, all batches of a round are sent within its interval, a quarter of it apart', () => {
  const starts = [0, 0, 0];
  for (const [batchesSent] of starts.entries()) {
    const elapsedMs = starts[batchesSent - 1] ?? 0;
    const turn = { batchesSent, batchesOfRound: 3, elapsedMs, quietInMs: 1_000, intervalMs: 1_000 };
    starts[batchesSent] = elapsedMs + batchWaitMs(turn);
  }
  expect(starts).toEqual([250, 500, 750]);
});

it('a round whose batches take long never waits beyond its interval', () => {
  const rounds = fc.record({
    quietInMs: fc.double({ min: 0, max: 1_000, noNaN: true }),
    intervalMs: fc.integer({ min: 1_000, max: 3_600_000 }),
    took: fc.array(fc.integer({ min: 0, max: 10_000 }), { minLength: 3, maxLength: 3 }),
  });
  fc.assert(
    fc.property(rounds, ({ quietInMs, intervalMs, took }) => {
      let elapsedMs = 0;
      for (const [batchesSent, ms] of took.entries()) {
        const waitMs = batchWaitMs({ quietInMs, elapsedMs, batchesSent, batchesOfRound: 3, intervalMs });
        expect(elapsedMs + waitMs).toBeLessThanOrEqual(Math.max(elapsedMs, (intervalMs * 3) / 4));
        elapsedMs += waitMs + ms;
      }
    }),
  );
});
