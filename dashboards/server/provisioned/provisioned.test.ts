import { describe, expect, it } from 'vitest';
import { dashboardSpec } from '../../../shared/dashboard-tool.ts';
import { languages } from '../../../shared/messages.ts';
import { shippedDashboards } from '../../../server/dashboards/embedded-dashboards.ts';
import { translator } from '../../page/src/shipped.ts';
import { provisionedFor } from './provisioned.ts';

const all = (['Client', 'Admin'] as const).flatMap((runMode) =>
  Object.entries(provisionedFor(runMode)).map(([name, written]) => ({ runMode, name, written })),
);

describe.each(all)('$name of a portal in $runMode mode', ({ runMode, written }) => {
  const parsed = dashboardSpec.parse(written);
  const questions = Object.values(parsed.panels).flatMap(({ spec }) => spec.queries ?? []);

  it('describes for each panel what it shows and why', () => {
    for (const { spec } of Object.values(parsed.panels)) {
      expect(spec.display?.name).not.toBe('');
      expect(spec.display?.description?.length).toBeGreaterThan(10);
    }
  });

  it('places every panel once, within 24 columns, without overlaps', () => {
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

  it('queries only what is chosen at its head', () => {
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

it.each(['Client', 'Admin'] as const)('the built-in dashboards (%s) are those of the menu', (runMode) => {
  expect(Object.keys(provisionedFor(runMode))).toEqual(Object.keys(shippedDashboards));
});

/** Every text that a reader sees. */
function textsOf(value: unknown, within = ''): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, one]: [string, unknown]) =>
    typeof one === 'string' && (key === 'header' || within === 'display') ? [one] : textsOf(one, key),
  );
}

describe.each(languages.filter((language) => language !== 'en'))('in the language %s', async (language) => {
  const { default: texts }: { default: { shipped: Record<string, string> } } = await import(
    `../../../messages/${language}/tool.json`,
    { with: { type: 'json' } }
  );
  const { shipped } = texts;
  const { shown, kept } = translator(shipped);

  it('every text of the dashboards is translated, and no translation is left over', () => {
    const texts = new Set(all.flatMap(({ written }) => textsOf(written)));
    expect(Object.keys(shipped).toSorted()).toEqual([...texts].toSorted());
  });

  it.each(all)('$name of $runMode is saved with its English texts', ({ written }) => {
    const before = structuredClone(written);
    expect(textsOf(shown(written))).not.toEqual(textsOf(written));
    expect(kept(shown(written))).toEqual(before);
  });

  it('texts of users, and names that are referenced, are not translated', () => {
    const own = {
      display: { name: 'constructor', description: 'Our own' },
      variables: [{ kind: 'ListVariable', spec: { name: 'Site', display: { name: 'Where' } } }],
      panels: { a: { spec: { plugin: { spec: { columnSettings: [{ name: 'Energy', header: 'My energy' }] } } } } },
    };
    expect(shown(own)).toEqual(own);
    expect(kept(own)).toEqual(own);
  });
});
