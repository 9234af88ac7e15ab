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
  series,
  table,
  totals,
  gauge,
  highest,
  lowest,
  figure,
  stackedBars,
  stackedArea,
} from './parts.ts';

/** The dashboards that ship with the tool, by name; those of an Admin also have a choice of customers. */
export const provisionedFor = (runMode: RunMode): Readonly<Record<string, WrittenSpec>> => ({
  overview: overview(runMode),
  'energy-and-cost': energyAndCost(runMode),
  'power-quality': powerQuality(runMode),
  'device-comparison': deviceComparison(runMode),
});

/** Devices side by side: which one is the odd one out. */
function deviceComparison(runMode: RunMode): WrittenSpec {
  const chosen = chosenIn(runMode, true);
  const byDevice = (measure: Measure) => totals({ measure, split: 'device', ...chosen });
  return dashboardOf({
    title: 'Device comparison',
    description: 'Select devices above to compare them.',
    duration: 'last7d',
    variables: choicesOf(runMode, ['device']),
    rows: [
      row(
        9,
        lines(
          24,
          'Power',
          'Net power of each device. Click a name to see it alone.',
          series({ measure: 'power', split: 'device', ...chosen }),
        ),
      ),
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
        heatmap(12, 'Load by hour', 'All selected devices; darker = more.', {
          measure: 'power',
          ...chosen,
        }),
      ),
    ],
  });
}

/** Whether the supply from the grid is as it should be, and how the devices load it. */
function powerQuality(runMode: RunMode): WrittenSpec {
  const chosen = chosenIn(runMode, true);
  const byDevice = (measure: Measure) => ({ measure, split: 'device' as const, ...chosen });
  const frequency = series({ measure: 'frequency', split: 'site', ...chosen });
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
          totals({ measure: 'powerFactor', split: 'none', ...chosen }),
        ),
        lowest(8, 'Lowest frequency', 'Per site, from the chart below.', frequency),
        highest(8, 'Highest frequency', 'Per site, from the chart below.', frequency),
      ),
      row(8, lines(24, 'Voltage', 'Per device. 230 V grids allow ±10 %: 207 V to 253 V.', series(byDevice('voltage')))),
      row(
        8,
        lines(12, 'Power factor', 'Per device; 1 is best.', series(byDevice('powerFactor'))),
        lines(12, 'Frequency', 'Per site; the same everywhere on one grid.', frequency),
      ),
      row(
        8,
        table(24, 'By device', 'Averages of the time range.', {
          key: 'device',
          header: 'Device',
          columns: {
            Voltage: totals(byDevice('voltage')),
            Frequency: totals(byDevice('frequency')),
            'Power factor': totals(byDevice('powerFactor')),
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
        figure(8, 'Energy', 'Imported energy.', totals(energy('none'))),
        figure(8, 'Cost', 'With fixed charges and VAT.', totals(cost('none'))),
        figure(
          8,
          'Peak demand',
          'The highest quarter-hour; many tariffs charge for it.',
          totals({ measure: 'demand', split: 'none', ...chosen }),
        ),
      ),
      row(
        8,
        stackedBars(
          12,
          'Energy by day',
          'Local days, by tariff period.',
          series({ ...energy('period'), bucket: 'day' }),
        ),
        stackedBars(
          12,
          'Cost by day',
          'Local days, by tariff period: peak-rate usage costs most.',
          series({ ...cost('period'), bucket: 'day' }),
        ),
      ),
      row(
        9,
        bars(8, 'Cost by tariff period', 'Cost by time of use.', totals(cost('period'))),
        bars(8, `Cost by ${part}`, 'With fixed charges and VAT.', totals(cost(part))),
        table(8, 'By device', 'Energy cost, without fixed charges.', {
          key: 'device',
          header: 'Device',
          columns: { Energy: totals(energy('device')), Cost: totals(cost('device')) },
        }),
      ),
      row(
        8,
        heatmap(24, 'When energy is used', 'kWh per hour: look for dark nights and weekends.', {
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
  const total = (measure: Measure) => totals({ measure, split: 'none', ...chosen });
  const byPart = (measure: Measure) => totals({ measure, split: part, ...chosen });
  return dashboardOf({
    title: 'Overview',
    description: 'Power, energy and cost by site.',
    duration: 'last24h',
    variables: choicesOf(runMode, []),
    rows: [
      row(
        4,
        figure(
          5,
          'Power',
          'Net of export, over the time range.',
          series({ measure: 'power', split: 'none', ...chosen }),
        ),
        figure(5, 'Energy', 'Imported energy.', total('energy')),
        figure(5, 'Peak demand', 'Highest quarter-hour of all devices together.', total('demand')),
        figure(9, 'Cost', 'With fixed charges and VAT, per currency.', total('cost')),
      ),
      row(
        9,
        stackedArea(
          16,
          'Load curve',
          `Net power of each ${part}, stacked. Drag to zoom.`,
          series({ measure: 'power', split: part, ...chosen }),
        ),
        bars(8, `Energy by ${part}`, 'Top consumers.', byPart('energy')),
      ),
      row(
        7,
        table(12, `By ${part}`, 'Energy and peak demand.', {
          key: part,
          header: part === 'customer' ? 'Customer' : 'Site',
          columns: { Energy: byPart('energy'), 'Peak demand': byPart('demand') },
        }),
        heatmap(12, 'Load by hour', 'Average power per hour; darker = more.', {
          measure: 'power',
          ...chosen,
        }),
      ),
    ],
  });
}
