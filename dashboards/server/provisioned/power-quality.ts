import type { RunMode } from '../../../shared/app.ts';
import type { Measure, WrittenSpec } from '../../../shared/dashboard-tool.ts';
import {
  choicesOf,
  chosenIn,
  dashboardOf,
  gauge,
  highest,
  lines,
  lowest,
  row,
  series,
  table,
  totals,
} from './parts.ts';

/** Whether the supply from the grid is as it should be, and how the devices load it. */
export function powerQuality(runMode: RunMode): WrittenSpec {
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
