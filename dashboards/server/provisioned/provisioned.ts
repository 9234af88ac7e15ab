import type { RunMode } from '../../../shared/app.ts';
import type { WrittenSpec, Measure, Split } from '../../../shared/dashboard-tool.ts';
import {
  bars,
  choicesOf,
  chosenIn,
  dashboardOf,
  heatmap,
  lines,
  row,
  table,
  gauge,
  highest,
  latest,
  lowest,
  stackedBars,
  stackedArea,
  total,
} from './parts.ts';

/** The dashboards that ship with the tool, by name; those of an Admin also have a choice of customers. */
export const provisionedFor = (runMode: RunMode): Readonly<Record<string, WrittenSpec>> => ({
  overview: overview(runMode),
  'energy-and-cost': energyAndCost(runMode),
  'power-quality': powerQuality(runMode),
  'device-comparison': deviceComparison(runMode),
});

/** Devices side by side, so that one sees which of them differs. */
function deviceComparison(runMode: RunMode): WrittenSpec {
  const chosen = chosenIn(runMode, true);
  const byDevice = (measure: Measure) => ({ measure, split: 'device' as const, ...chosen });
  return dashboardOf({
    title: 'Device comparison',
    description: 'Select devices above to compare them.',
    duration: 'last7d',
    variables: choicesOf(runMode, ['device']),
    rows: [
      row(9, lines(24, 'Power', 'Net power of each device. Click a name to see it alone.', byDevice('power'))),
      row(
        8,
        bars(12, 'Energy', 'Energy of each device.', byDevice('energy')),
        bars(12, 'Peak demand', 'The highest quarter-hour of each device.', byDevice('demand')),
      ),
      row(
        8,
        table(12, 'Side by side', 'A high peak with a low average can be spread.', {
          key: 'device',
          header: 'Device',
          columns: {
            Energy: byDevice('energy'),
            Average: byDevice('power'),
            Peak: byDevice('demand'),
            'Power factor': byDevice('powerFactor'),
          },
        }),
        heatmap(12, 'Load by hour', 'All selected devices; the stronger the color, the more.', {
          measure: 'power',
          ...chosen,
        }),
      ),
    ],
  });
}

/** Whether the supply from the grid is good, and how the devices load it. */
function powerQuality(runMode: RunMode): WrittenSpec {
  const chosen = chosenIn(runMode, true);
  const byDevice = (measure: Measure) => ({ measure, split: 'device' as const, ...chosen });
  const frequency = { measure: 'frequency', split: 'site', ...chosen } as const;
  return dashboardOf({
    title: 'Power quality',
    description: 'Voltage, frequency and power factor.',
    duration: 'last24h',
    variables: choicesOf(runMode, ['device']),
    rows: [
      row(
        5,
        gauge(
          8,
          'Average power factor',
          'Average, net of export. Below 0.9 many grid operators charge for reactive power.',
          { measure: 'powerFactor', split: 'none', ...chosen },
        ),
        lowest(8, 'Lowest frequency', 'Per site, from the chart below.', frequency),
        highest(8, 'Highest frequency', 'Per site, from the chart below.', frequency),
      ),
      row(8, lines(24, 'Voltage', 'Per device. 230 V grids allow ±10 %: 207 V to 253 V.', byDevice('voltage'))),
      row(
        8,
        lines(12, 'Power factor', 'Per device; 1 is best.', byDevice('powerFactor')),
        lines(12, 'Frequency', 'Per site; the same everywhere on one grid.', frequency),
      ),
      row(
        8,
        table(24, 'By device', 'Averages of the time range.', {
          key: 'device',
          header: 'Device',
          columns: {
            Voltage: byDevice('voltage'),
            Frequency: byDevice('frequency'),
            'Power factor': byDevice('powerFactor'),
          },
        }),
      ),
    ],
  });
}

/** The expected bill and its parts. */
function energyAndCost(runMode: RunMode): WrittenSpec {
  const chosen = chosenIn(runMode);
  const part = runMode === 'Admin' ? 'customer' : 'site';
  const energy = (split: Split) => ({ measure: 'energy' as const, split, ...chosen });
  const cost = (split: Split) => ({ measure: 'cost' as const, split, ...chosen, currency: '$currency' });
  return dashboardOf({
    title: 'Energy and cost',
    description: 'What your bill is made of, in the selected currency.',
    duration: 'this-month',
    variables: choicesOf(runMode, ['currency']),
    rows: [
      row(
        4,
        total(12, 'Energy', 'Imported energy.', energy('none')),
        total(12, 'Peak demand', 'The highest quarter-hour; many tariffs charge for it.', {
          measure: 'demand',
          split: 'none',
          ...chosen,
        }),
      ),
      row(8, stackedBars(24, 'Energy by day', 'Local days, by tariff period.', { ...energy('period'), bucket: 'day' })),
      // Panels that depend on the chosen currency are in rows of their own.
      row(
        8,
        total(6, 'Cost', 'With fixed charges and VAT.', cost('none')),
        stackedBars(18, 'Cost by day', 'Local days, by tariff period: peak-rate usage costs most.', {
          ...cost('period'),
          bucket: 'day',
        }),
      ),
      row(
        9,
        bars(12, 'Cost by tariff period', 'Cost by time of use.', cost('period')),
        bars(12, `Cost by ${part}`, 'With fixed charges and VAT.', cost(part)),
      ),
      row(
        8,
        table(12, 'By device', 'Energy cost, without fixed charges.', {
          key: 'device',
          header: 'Device',
          columns: { Energy: energy('device'), Cost: { measure: 'cost', split: 'device', ...chosen } },
        }),
        heatmap(12, 'When energy is used', 'kWh per hour: look for strong colors at night and on weekends.', {
          measure: 'energy',
          ...chosen,
        }),
      ),
    ],
  });
}

/** Whether today is normal: power, energy and cost, and where they arise. */
function overview(runMode: RunMode): WrittenSpec {
  const chosen = chosenIn(runMode);
  const part = runMode === 'Admin' ? 'customer' : 'site';
  const all = (measure: Measure) => ({ measure, split: 'none' as const, ...chosen });
  const byPart = (measure: Measure) => ({ measure, split: part, ...chosen }) as const;
  return dashboardOf({
    title: 'Overview',
    description: 'Power, energy and cost by site.',
    duration: 'last24h',
    variables: choicesOf(runMode, []),
    rows: [
      row(
        4,
        latest(5, 'Power', 'Net of export, over the time range.', all('power')),
        total(5, 'Energy', 'Imported energy.', all('energy')),
        total(5, 'Peak demand', 'Highest quarter-hour of all devices together.', all('demand')),
        total(9, 'Cost', 'With fixed charges and VAT, per currency.', all('cost')),
      ),
      row(
        9,
        stackedArea(16, 'Load curve', `Net power of each ${part}, stacked. Drag to zoom.`, byPart('power')),
        bars(8, `Energy by ${part}`, 'Top consumers.', byPart('energy')),
      ),
      row(
        7,
        table(12, `By ${part}`, 'Energy and peak demand.', {
          key: part,
          header: part === 'customer' ? 'Customer' : 'Site',
          columns: { Energy: byPart('energy'), 'Peak demand': byPart('demand') },
        }),
        heatmap(12, 'Load by hour', 'Average power per hour; the stronger the color, the more.', {
          measure: 'power',
          ...chosen,
        }),
      ),
    ],
  });
}
