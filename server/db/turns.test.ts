import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { letOthersRun, noteNewcomer } from './turns.ts';

/** Counts the turns of the event loop until something is over. */
async function turnsUntil(work: Promise<unknown>): Promise<number> {
  const over = new AbortController();
  void work.finally(() => over.abort());
  let turns = 0;
  for (; !over.signal.aborted; turns += 1) await nextTurn();
  return turns;
}

test('of all that wait for a turn one has it at a time, each kind of work in turn', async () => {
  const order: string[] = [];
  const piece = async (name: string, kind: string) => {
    await letOthersRun(kind);
    order.push(name);
  };
  const turns = await turnsUntil(
    Promise.all([
      ...Array.from({ length: 8 }, (_, at) => piece(`body ${at}`, 'bodies')),
      piece('writer 0', 'writers'),
      piece('writer 1', 'writers'),
    ]),
  );
  expect(turns).toBeGreaterThanOrEqual(10);
  expect(order.indexOf('writer 1')).toBeLessThan(5);
  expect(order.filter((name) => name.startsWith('body'))).toEqual(Array.from({ length: 8 }, (_, at) => `body ${at}`));
});

test('whoever connects is let in before the next piece, but not for ever', async () => {
  const over = new AbortController();
  const connect = async () => {
    for (; !over.signal.aborted; await nextTurn()) noteNewcomer();
  };
  const connecting = connect();
  const turns = await turnsUntil(letOthersRun());
  over.abort();
  await connecting;
  expect(turns).toBeGreaterThan(20);
  expect(turns).toBeLessThan(200);
});
