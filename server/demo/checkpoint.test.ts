import { expect, test } from 'vitest';
import { addUp, readCheckpoint, writeCheckpoint } from './checkpoint.ts';
import { createWorld } from './world.ts';

const firstDay = Date.parse('2026-11-02') / 86_400_000;
const { signal } = new AbortController();
const start = { seed: 1, firstDay };

test('a checkpoint comes back from JSON as it was', async () => {
  const checkpoint = await addUp(createWorld(start), firstDay + 2, signal);
  const stored: unknown = JSON.parse(JSON.stringify(writeCheckpoint(checkpoint)));
  expect(readCheckpoint(stored)).toEqual(checkpoint);
});

test('readings are the same with a checkpoint and without, before it and after it', async () => {
  const checkpoint = await addUp(createWorld(start), firstDay + 3, signal);
  const second = (day: number) => (firstDay + day) * 86_400 + 43_210;
  for (const day of [4, 2, -1, -20]) {
    const without = createWorld(start).meters.map((meter) => meter.reading(second(day)));
    const withIt = createWorld(start, checkpoint).meters.map((meter) => meter.reading(second(day)));
    expect(withIt).toEqual(without);
  }
});

test.each([
  [null],
  [undefined],
  ['text'],
  [{}],
  [{ day: 'x', energies: {} }],
  [{ day: 1, energies: { a: [1] } }],
  [{ day: 1, energies: { a: 1 } }],
])('what is no checkpoint is none: %j', (stored) => {
  expect(readCheckpoint(stored)).toBeUndefined();
});
