import { expect, it } from 'vitest';
import type { DashboardSummary } from '../../../../shared/dashboard.ts';
import { energyFlows, treeRows } from './energy-flows.ts';

const device = (
  deviceId: string,
  countedIn: string | null,
  energyImportedKwh: number,
  more: Partial<DashboardSummary['devices'][number]> = {},
): DashboardSummary['devices'][number] => ({
  deviceId,
  deviceName: deviceId,
  siteId: 's',
  siteName: 's',
  parentDeviceId: countedIn,
  countedIn,
  notSubMeteredKwh: null,
  energyImportedKwh,
  energyExportedKwh: 0,
  estimatedEnergyKwh: 0,
  averagePowerKw: null,
  peakPowerKw: null,
  peakAt: null,
  currentPowerKw: null,
  lastMeasuredAt: null,
  costs: [],
  ...more,
});
const devices = [
  device('gate', null, 1),
  device('hall', 'main', 60, { notSubMeteredKwh: 20 }),
  device('main', null, 100, { notSubMeteredKwh: 50 }),
  device('press', 'hall', 40),
  device('roof', 'main', 0, { energyExportedKwh: 10 }),
];

it('lists each tree from its main meter down, every level ending with what no sub-meter measured', () => {
  expect(treeRows(devices).map(({ id, level, netKwh, share }) => [id, level, netKwh, share])).toEqual([
    ['main', 0, 100, null],
    ['hall', 1, 60, 0.6],
    ['press', 2, 40, 40 / 60],
    ['hall rest', 2, 20, 20 / 60],
    ['roof', 1, -10, -0.1],
    ['main rest', 1, 50, 0.5],
  ]);
});

it('a filter without the main meter has the trees that are left, and none without any', () => {
  expect(treeRows([device('hall', null, 60), device('press', 'hall', 40)]).map(({ id }) => id)).toEqual([
    'hall',
    'press',
  ]);
  expect(treeRows([device('gate', null, 1)])).toEqual([]);
});

it('energy flows down to who uses it, and up from who gives it; a balance that is exceeded has no rest', () => {
  expect(energyFlows(treeRows(devices)).flows).toEqual([
    { source: 'main', target: 'hall', amount: 60 },
    { source: 'main', target: 'main rest', amount: 50 },
    { source: 'hall', target: 'press', amount: 40 },
    { source: 'hall', target: 'hall rest', amount: 20 },
    { source: 'roof', target: 'main', amount: 10 },
  ]);
  const exceeded = [device('main', null, 10, { notSubMeteredKwh: -2 }), device('hall', 'main', 12)];
  expect(energyFlows(treeRows(exceeded)).flows).toEqual([{ source: 'main', target: 'hall', amount: 12 }]);
});

it('draws the forty largest flows, and the others of each meter as one, so that it keeps its width', () => {
  const many = [
    device('main', null, 5000),
    ...Array.from({ length: 60 }, (_, at) => device(`d${at}`, 'main', at + 21)),
    device('hall', 'main', 1000),
    device('press', 'hall', 500),
    device('saw', 'hall', 1),
    device('small', null, 2),
    device('smaller', 'small', 1),
  ];
  const { nodes, flows, count, shownCount } = energyFlows(treeRows(many));
  // One that would be the only other is drawn.
  expect([count, shownCount, flows.length]).toEqual([64, 41, 42]);
  const sumOf = (id: string) =>
    flows.filter(({ source }) => source === id).reduce((sum, { amount }) => sum + amount, 0);
  expect(sumOf('main')).toBe(1000 + Array.from({ length: 60 }, (_, at) => at + 21).reduce((sum, one) => sum + one, 0));
  expect(sumOf('hall')).toBe(501);
  expect(flows.find(({ target }) => target === 'main others')?.amount).toBe(
    Array.from({ length: 22 }, (_, at) => at + 21).reduce((sum, one) => sum + one, 0),
  );
  expect(nodes.filter(({ othersCount }) => othersCount > 0).map(({ id, othersCount }) => [id, othersCount])).toEqual([
    ['main others', 22],
  ]);
  expect(nodes.at(-1)?.id).toBe('main others');
  expect(nodes.map(({ id }) => id)).not.toContain('small');
});
