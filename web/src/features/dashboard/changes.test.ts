import { expect, it } from 'vitest';
import { seriesColors } from '../../../../shared/charts/series-colors.ts';
import { deviceChanges, mostChanged, stackedChanges } from './changes.ts';
import { deviceOf } from './test-figures.ts';

const device = (deviceId: string, energyImportedKwh: number) => deviceOf({ deviceId, energyImportedKwh });

it('the devices that changed most come first, up or down; one that is new has no share, one that did not change is left out', () => {
  const current = { devices: [device('same', 5), device('up', 131), device('down', 20), device('new', 7)] };
  const previous = { devices: [device('same', 5), device('up', 100), device('down', 80), device('gone', 9)] };
  const found = deviceChanges(current, previous);
  expect(found.map((one) => [one.device.deviceId, one.differenceKwh, one.share])).toEqual([
    ['down', -60, -0.75],
    ['up', 31, 0.31],
    ['new', 7, null],
  ]);
});

it('the largest are stacked, without those that are in another one of them', () => {
  const devices = Array.from({ length: 12 }, (_, at) => ({
    ...device(`d${at}`, 100 - at),
    countedIn: at === 3 ? 'd1' : at === 4 ? 'd11' : null,
  }));
  const changes = deviceChanges({ devices }, { devices: [] });
  expect(mostChanged(changes, 10)).toEqual(['d0', 'd1', 'd2', 'd4', 'd5', 'd6', 'd7', 'd8', 'd9']);
});

it.each(['#0b7285', '#1f6feb', '#e8871e', '#555555'])('no two of a stack have the same color (%s)', (primaryColor) => {
  const series = seriesColors({ primaryColor }, 'light');
  const devices = Array.from({ length: 12 }, (_, at) => device(`d${at}`, 100 - at));
  const stacked = mostChanged(deviceChanges({ devices }, { devices: [] }), stackedChanges({ series }));
  expect(stacked.length).toBeGreaterThan(6);
  expect(new Set(stacked.map((_, at) => series[at % series.length])).size).toBe(stacked.length);
});
