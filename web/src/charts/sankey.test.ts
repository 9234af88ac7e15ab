import { expect, it } from 'vitest';
import { placeFlows } from './sankey.ts';

const flow = (source: string, target: string, amount: number) => ({ source, target, amount });

it('a tree fills the height: each node is as high as its flow, with its flows side by side', () => {
  const ids = ['main', 'hall', 'press', 'hall rest', 'main rest'];
  const flows = [
    flow('main', 'hall', 60),
    flow('main', 'main rest', 40),
    flow('hall', 'press', 45),
    flow('hall', 'hall rest', 15),
  ];
  const placed = placeFlows(ids, flows, 112);
  expect(placed.columns).toBe(3);
  const node = new Map(placed.nodes.map((one) => [one.id, one]));
  expect([...node.values()].map(({ id, column }) => [id, column])).toEqual([
    ['main', 0],
    ['hall', 1],
    ['main rest', 1],
    ['press', 2],
    ['hall rest', 2],
  ]);
  const perUnit = (node.get('main')?.height ?? 0) / 100;
  expect(perUnit).toBeCloseTo(1);
  for (const { source, target, amount, thickness, fromY, toY } of placed.flows) {
    expect(thickness).toBeCloseTo(amount * perUnit);
    const [from, to] = [node.get(source), node.get(target)];
    expect(fromY).toBeGreaterThanOrEqual((from?.y ?? 0) - 1e-9);
    expect(fromY + thickness).toBeLessThanOrEqual((from?.y ?? 0) + (from?.height ?? 0) + 1e-9);
    expect(toY + thickness).toBeLessThanOrEqual((to?.y ?? 0) + (to?.height ?? 0) + 1e-9);
  }
  for (const { y, height } of placed.nodes) {
    expect(y).toBeGreaterThanOrEqual(-1e-9);
    expect(y + height).toBeLessThanOrEqual(112 + 1e-9);
  }
});

it('a source is placed before its meter, and cycles end', () => {
  expect(
    placeFlows(['main', 'roof'], [flow('roof', 'main', 10)], 100).nodes.map(({ id, column }) => [id, column]),
  ).toEqual([
    ['roof', 0],
    ['main', 1],
  ]);
  expect(placeFlows(['a', 'b'], [flow('a', 'b', 1), flow('b', 'a', 1)], 100).nodes).toHaveLength(2);
});
