import type { RunMode } from '../../../shared/app.ts';
import type { WrittenSpec } from '../../../shared/dashboard-tool.ts';
import { choicesOf, chosenIn, dashboardOf, figure, gauge, lines, series, table, totals } from './parts.ts';

/** Whether what comes from the grid is as it should be, and what the devices make of it. */
export function powerQuality(runMode: RunMode): WrittenSpec {
  const chosen = chosenIn(runMode, true);
  const frequency = series({ measure: 'frequency', split: 'site', ...chosen });
  return dashboardOf({
    title: 'Power quality',
    description: 'Voltage, frequency and power factor: trouble shows here before it shows on the bill.',
    duration: 'last24h',
    variables: choicesOf(runMode, ['device']),
    rows: [
      [
        {
          width: 8,
          height: 5,
          panel: gauge(
            {
              name: 'Average power factor',
              description:
                'Average of the time range, of import less export: what is fed in lowers it. Below 0.9 many grids charge for reactive power.',
            },
            'powerFactor',
            1,
            totals({ measure: 'powerFactor', split: 'none', ...chosen }),
          ),
        },
        {
          width: 8,
          height: 5,
          panel: figure(
            { name: 'Lowest frequency', description: 'Of each site, among the points of the chart below.' },
            'Hz',
            frequency,
            'min',
          ),
        },
        {
          width: 8,
          height: 5,
          panel: figure(
            { name: 'Highest frequency', description: 'Of each site, among the points of the chart below.' },
            'Hz',
            frequency,
            'max',
          ),
        },
      ],
      [
        {
          width: 24,
          height: 8,
          panel: lines(
            { name: 'Voltage', description: 'Of each device. A grid of 230 V may deviate by 10 %: 207 V to 253 V.' },
            'V',
            series({ measure: 'voltage', split: 'device', ...chosen }),
          ),
        },
      ],
      [
        {
          width: 12,
          height: 8,
          panel: lines(
            { name: 'Power factor', description: 'Of each device; 1 is best.' },
            'powerFactor',
            series({ measure: 'powerFactor', split: 'device', ...chosen }),
          ),
        },
        {
          width: 12,
          height: 8,
          panel: lines(
            { name: 'Frequency', description: 'Of each site; it should be the same everywhere on a grid.' },
            'Hz',
            series({ measure: 'frequency', split: 'site', ...chosen }),
          ),
        },
      ],
      [
        {
          width: 24,
          height: 8,
          panel: table({ name: 'By device', description: 'Averages of the time range.' }, 'device', 'Device', [
            { header: 'Voltage', unit: 'V', query: totals({ measure: 'voltage', split: 'device', ...chosen }) },
            { header: 'Frequency', unit: 'Hz', query: totals({ measure: 'frequency', split: 'device', ...chosen }) },
            {
              header: 'Power factor',
              unit: 'powerFactor',
              query: totals({ measure: 'powerFactor', split: 'device', ...chosen }),
            },
          ]),
        },
      ],
    ],
  });
}
