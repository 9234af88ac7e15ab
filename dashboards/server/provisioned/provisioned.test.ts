import { describe, expect, it } from 'vitest';
import { dashboardSpec } from '../../../shared/dashboard-tool.ts';
import { provisionedFor } from './provisioned.ts';

const all = (['Client', 'Admin'] as const).flatMap((runMode) =>
  Object.entries(provisionedFor(runMode)).map(([name, written]) => ({ runMode, name, written })),
);

describe.each(all)('$name of a portal in $runMode mode', ({ runMode, written }) => {
  const parsed = dashboardSpec.parse(written);
  const questions = Object.values(parsed.panels).flatMap(({ spec }) => spec.queries ?? []);

  it('says of each panel what it shows and why', () => {
    for (const { spec } of Object.values(parsed.panels)) {
      expect(spec.display?.name).not.toBe('');
      expect(spec.display?.description?.length).toBeGreaterThan(10);
    }
  });

  it('places every panel once, within 24 columns, none upon another', () => {
    const items = parsed.layouts.flatMap(({ spec }) => spec.items);
    expect(items.map(({ content }) => content.$ref).toSorted()).toEqual(
      Object.keys(parsed.panels)
        .map((key) => `#/spec/panels/${key}`)
        .toSorted(),
    );
    const cells = items.flatMap(({ x, y, width, height }) =>
      Array.from({ length: width * height }, (_, index) => `${x + (index % width)},${y + Math.floor(index / width)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    for (const { x, width } of items) expect(x + width).toBeLessThanOrEqual(24);
  });

  it('asks only about what is chosen at its head', () => {
    const names = parsed.variables.map(({ spec }) => `$${spec.name}`);
    for (const { spec } of questions) {
      const { sites = [], devices = [], customers = [], currency } = spec.plugin.spec;
      for (const variable of [...sites, ...devices, ...customers, ...(currency === undefined ? [] : [currency])]) {
        expect(names).toContain(variable);
      }
      expect(sites).toEqual(['$site']);
      if (runMode === 'Admin') expect(customers).toEqual(['$customer']);
    }
  });
});

it('four dashboards ship, each worth a place in the menu', () => {
  expect(Object.keys(provisionedFor('Client'))).toEqual([
    'overview',
    'energy-and-cost',
    'power-quality',
    'device-comparison',
  ]);
});
