import { describe, expect, test } from 'vitest';
import { meterTrees } from '../../test/support/meter-trees.ts';
import { listBalances, listOpenBalances, maxTreeLevels, placeInTree, refuseParent } from './device-tree.rules.ts';

const device = (id: string, parentDeviceId: string | null, siteId = 's') => ({
  id,
  siteId,
  parentDeviceId,
  name: `Meter ${id}`,
});
const countedIn = (devices: ReturnType<typeof placeInTree>) =>
  Object.fromEntries(devices.map((one) => [one.id, one.countedIn]));

describe('docs/energy.md, main meters and sub-meters', () => {
  test.each(meterTrees)('$id $what', ({ devices, asked, ...expected }) => {
    const all = devices.map((one) => ({ ...one, siteId: 's', parentDeviceId: one.partOf }));
    const placed = placeInTree(
      all.filter(({ id }) => asked.includes(id)),
      all.filter(({ parentDeviceId }) => parentDeviceId !== null),
    );
    expect(countedIn(placed)).toEqual(expected.countedIn);
    const summed = placed.filter((one) => one.countedIn === null);
    expect(summed.reduce((sum, one) => sum + one.importedKwh, 0)).toBe(expected.importedKwh);
    expect(summed.reduce((sum, one) => sum + one.exportedKwh, 0)).toBe(expected.exportedKwh);
    const balances = [...listBalances(placed, (one) => one)].map(([id, { notSubMeteredKwh, isExceeded }]) => [
      id,
      { notSubMeteredKwh, isExceeded },
    ]);
    expect(Object.fromEntries(balances)).toEqual(expected.balances);
  });

  test('devices of a fleet in a circle, or below a meter of another site, count individually', () => {
    const circle = [device('a', 'b'), device('b', 'a'), device('c', 'd'), device('d', null, 'other')];
    expect(countedIn(placeInTree(circle, circle))).toEqual({ a: null, b: null, c: null, d: null });
    expect(placeInTree(circle, circle).find(({ id }) => id === 'd')?.subMeterCount).toBe(0);
  });
});

describe('a balance of a main meter', () => {
  const site = [device('main', null), device('hall', 'main'), device('gate', null)];
  const open = (hallKwh: number, missing: Record<string, number>) => {
    const kwh = new Map(Object.entries({ main: 100, hall: hallKwh }));
    const placed = placeInTree(site, site);
    const balances = listBalances(placed, ({ id }) => ({ importedKwh: kwh.get(id) ?? 0, exportedKwh: 0 }));
    const listed = listOpenBalances(placed, balances, new Map(Object.entries(missing)));
    return listed.map((one) => [one.device.id, one.notSubMeteredKwh, one.isExceeded, one.missingSlots]);
  };

  test('closes if nothing is missing from it or a sub-meter, and the sub-meters did not measure more than it did', () => {
    expect(open(60, { gate: 4 })).toEqual([]);
    expect(open(60, { main: 1, hall: 2 })).toEqual([['main', 40, false, 3]]);
    expect(open(110, {})).toEqual([['main', -10, true, 0]]);
  });
});

describe('the parent of a device', () => {
  const site = [device('main', null), device('hall', 'main'), device('press', 'hall'), device('gate', null)];
  const judge = (id: string | null, parentDeviceId: string) => () => refuseParent(site, { id, parentDeviceId });

  test('is any device of the site that is not its sub-meter', () => {
    expect(judge(null, 'press')).not.toThrow();
    expect(judge('gate', 'hall')).not.toThrow();
    expect(judge('press', 'main')).not.toThrow();
  });

  test('is a device of the site', () => {
    expect(judge('gate', 'elsewhere')).toThrow('parentDeviceId: device elsewhere is not at this site');
  });

  test('is neither the device itself nor one of its sub-meters, at any level', () => {
    expect(judge('main', 'main')).toThrow('parentDeviceId: a device cannot be its own main meter');
    expect(judge('main', 'press')).toThrow('parentDeviceId: "Meter press" is a sub-meter of this device');
  });

  test(`leaves no more than ${maxTreeLevels} levels, including those below the device`, () => {
    const chain = Array.from({ length: maxTreeLevels }, (_, at) =>
      device(String(at), at === 0 ? null : String(at - 1)),
    );
    const deep = [...chain, device('x', null), device('y', 'x')];
    const fits = String(maxTreeLevels - 3);
    expect(() => refuseParent(deep, { id: 'x', parentDeviceId: fits })).not.toThrow();
    expect(() => refuseParent(deep, { id: 'x', parentDeviceId: String(maxTreeLevels - 2) })).toThrow(
      `parentDeviceId: at most ${maxTreeLevels} meter levels; got ${maxTreeLevels + 1}.`,
    );
    expect(() => refuseParent(deep, { id: null, parentDeviceId: String(maxTreeLevels - 1) })).toThrow('levels');
    const lowest = placeInTree(chain, chain).at(-1);
    expect(lowest?.countedIn).toBe(String(maxTreeLevels - 2));
  });
});
