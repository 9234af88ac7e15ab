import type { RunMode } from '../../../shared/app.ts';
import type { Measure, WrittenSpec } from '../../../shared/dashboard-tool.ts';
import { bars, choicesOf, chosenIn, dashboardOf, heatmap, lines, row, series, table, totals } from './parts.ts';

/** Devices side by side: which one is the odd one out. */
export function deviceComparison(runMode: RunMode): WrittenSpec {
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
