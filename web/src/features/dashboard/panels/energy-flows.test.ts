import { expect, it } from 'vitest';
import type { DashboardSummary } from '../../../../../shared/dashboard.ts';
import type { Flow } from '../../../charts/sankey.ts';
import { energyFlows, netOfRow, shareOfRow, treeRows } from './energy-flows.ts';
import { deviceOf } from '../test-figures.ts';

const device = (
  deviceId: string,
  countedIn: string | null,
  energyImportedKwh: number,
  more: Partial<DashboardSummary['devices'][number]> = {},
) => deviceOf({ deviceId, countedIn, energyImportedKwh, ...more });
const devices = [
  device('gate', null, 1),
  device('hall', 'main', 60, { notSubMeteredKwh: 20 }),
  device('main', null, 100, { notSubMeteredKwh: 50 }),
  device('press', 'hall', 40),
  device('roof', 'main', 0, { energyExportedKwh: 10 }),
];

it('lists each site with its trees from the main meter down, every level ending with what no sub-meter measured', () => {
  expect(treeRows(devices).map(({ id, level, netKwh, share }) => [id, level, netKwh, share])).toEqual([
    ['s', 0, 101, null],
    ['gate', 1, 1, 1 / 101],
    ['main', 1, 100, 100 / 101],
    ['hall', 2, 60, 0.6],
    ['press', 3, 40, 40 / 60],
    ['hall rest', 3, 20, 20 / 60],
    ['roof', 2, -10, -0.1],
    ['main rest', 2, 50, 0.5],
  ]);
});

it('of a meter of which nothing is known the table tells neither energy nor share, of one that took nothing 0', () => {
  const silent = device('silent', 'main', 0, { measuredHours: 0 });
  const idle = device('idle', 'main', 0);
  const rows = treeRows([device('main', null, 100), silent, idle]);
  expect(rows.map((row) => [row.id, netOfRow(row), shareOfRow(row)])).toEqual([
    ['main', 100, null],
    ['silent', null, null],
    ['idle', 0, 0],
  ]);
});

it('a filter without the main meter has the trees that are left; a single one needs no site above it', () => {
  expect(treeRows([device('hall', null, 60), device('press', 'hall', 40)]).map(({ id }) => id)).toEqual([
    'hall',
    'press',
  ]);
});

it('energy flows down to who uses it, and up from who gives it; a balance that is exceeded has no rest', () => {
  expect(energyFlows(treeRows(devices)).flows).toEqual([
    { source: 's', target: 'main', amount: 100 },
    { source: 'main', target: 'hall', amount: 60 },
    { source: 'main', target: 'main rest', amount: 50 },
    { source: 'hall', target: 'press', amount: 40 },
    { source: 'hall', target: 'hall rest', amount: 20 },
    { source: 'roof', target: 'main', amount: 10 },
    { source: 's', target: 'gate', amount: 1 },
  ]);
  const exceeded = [device('main', null, 10, { notSubMeteredKwh: -2 }), device('hall', 'main', 12)];
  expect(energyFlows(treeRows(exceeded)).flows).toEqual([{ source: 'main', target: 'hall', amount: 12 }]);
});

const sumFrom = (flows: readonly Flow[], id: string) =>
  flows.filter(({ source }) => source === id).reduce((sum, { amount }) => sum + amount, 0);

it('draws the forty largest flows, and the others of each meter as one, so that it keeps its width', () => {
  const parts = Array.from({ length: 60 }, (_, at) => device(`d${at}`, 'main', at + 21));
  const many = [
    device('main', null, 5000, { notSubMeteredKwh: 1 }),
    ...parts,
    device('hall', 'main', 1000, { notSubMeteredKwh: 499 }),
    device('press', 'hall', 500),
    device('saw', 'hall', 1),
  ];
  const { nodes, flows, count, shownCount } = energyFlows(treeRows(many));
  // A single small part is drawn instead of "others", and unmetered energy is no part of the others.
  expect([count, shownCount, flows.length]).toEqual([65, 42, 43]);
  expect(sumFrom(flows, 'main')).toBe(1001 + parts.reduce((sum, one) => sum + one.energyImportedKwh, 0));
  expect(sumFrom(flows, 'hall')).toBe(1000);
  expect(flows.filter(({ target }) => target.startsWith('main '))).toEqual([
    {
      source: 'main',
      target: 'main others',
      amount: Array.from({ length: 23 }, (_, at) => at + 21).reduce((a, b) => a + b),
    },
    { source: 'main', target: 'main rest', amount: 1 },
  ]);
  expect(nodes.filter(({ othersCount }) => othersCount > 0).map(({ id, othersCount }) => [id, othersCount])).toEqual([
    ['main others', 23],
  ]);
  expect(nodes.at(-1)?.id).toBe('main others');
});

it('draws every site, with its meters that have no sub-meters and are too small as one flow', () => {
  const bySite = Array.from({ length: 15 }, (_, at) => {
    const own = { siteId: `s${at}` };
    return [
      device(`m${at}`, null, 100 * (15 - at), { ...own, notSubMeteredKwh: 30 * (15 - at) }),
      ...Array.from({ length: 14 }, (__, part) => device(`m${at} ${part}`, `m${at}`, 5 * (15 - at), own)),
      device(`gate ${at}`, null, 2, own),
      device(`roof ${at}`, null, 0, { ...own, energyExportedKwh: 1 }),
      device(`door ${at}`, null, 1, own),
    ];
  });
  const { nodes, flows } = energyFlows(treeRows(bySite.flat()));
  for (const at of bySite.keys()) {
    expect(flows).toContainEqual({ source: `s${at}`, target: `m${at}`, amount: 100 * (15 - at) });
    expect(flows).toContainEqual({ source: `s${at}`, target: `s${at} others`, amount: 3 });
    expect(flows).toContainEqual({ source: `roof ${at}`, target: `s${at}`, amount: 1 });
  }
  expect(nodes.slice(0, 3).map(({ id }) => id)).toEqual(['s0', 'm0', 'm0 0']);
  // If the parts of a meter are drawn, all of its energy is.
  expect(sumFrom(flows, 'm0')).toBe(1500);
});

it('draws the way to a part that is larger than what it is a part of', () => {
  const many = Array.from({ length: 50 }, (_, at) => device(`d${at}`, null, 10));
  const { flows } = energyFlows(treeRows([...many, device('main', null, 1), device('hall', 'main', 11)]));
  expect(flows).toContainEqual({ source: 's', target: 'main', amount: 1 });
});
