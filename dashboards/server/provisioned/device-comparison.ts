import type { RunMode } from '../../../shared/app.ts';
import type { WrittenSpec } from '../../../shared/dashboard-tool.ts';
import { bars, choicesOf, chosenIn, dashboardOf, heatmap, lines, series, table, totals } from './parts.ts';

/** Devices side by side: which one is the odd one out. */
export function deviceComparison(runMode: RunMode): WrittenSpec {
  const chosen = chosenIn(runMode, true);
  const byDevice = (measure: 'energy' | 'demand' | 'powerFactor' | 'power') =>
    totals({ measure, split: 'device', ...chosen });
  return dashboardOf({
    title: 'Device comparison',
    description: 'Devices side by side: choose some above to compare them.',
    duration: 'last7d',
    variables: choicesOf(runMode, ['device']),
    rows: [
      [
        {
          width: 24,
          height: 9,
          panel: lines(
            { name: 'Power', description: 'Import minus export of each device. Click a name below to see it alone.' },
            'kW',
            series({ measure: 'power', split: 'device', ...chosen }),
          ),
        },
      ],
      [
        {
          width: 12,
          height: 8,
          panel: bars(
            { name: 'Energy', description: 'What each device used in the time range.' },
            'kWh',
            byDevice('energy'),
          ),
        },
        {
          width: 12,
          height: 8,
          panel: bars(
            { name: 'Peak demand', description: 'The highest quarter-hour of each device.' },
            'kW',
            byDevice('demand'),
          ),
        },
      ],
      [
        {
          width: 12,
          height: 8,
          panel: table(
            { name: 'Side by side', description: 'A high peak beside a low average is a load that could be spread.' },
            'device',
            'Device',
            [
              { header: 'Energy', unit: 'kWh', query: byDevice('energy') },
              { header: 'Average', unit: 'kW', query: byDevice('power') },
              { header: 'Peak', unit: 'kW', query: byDevice('demand') },
              { header: 'Power factor', unit: 'powerFactor', query: byDevice('powerFactor') },
            ],
          ),
        },
        {
          width: 12,
          height: 8,
          panel: heatmap(
            { name: 'Load by hour', description: 'Of the chosen devices together; the darker, the more.' },
            { measure: 'power', ...chosen },
          ),
        },
      ],
    ],
  });
}
