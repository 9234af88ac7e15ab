import type { RunMode } from '../../../shared/app.ts';
import type { WrittenSpec } from '../../../shared/dashboard-tool.ts';
import {
  bars,
  choicesOf,
  chosenIn,
  dashboardOf,
  figure,
  heatmap,
  series,
  stackedArea,
  table,
  totals,
} from './parts.ts';

/** Is today normal: what is drawn, used and paid, and where. */
export function overview(runMode: RunMode): WrittenSpec {
  const chosen = chosenIn(runMode);
  const part = runMode === 'Admin' ? 'customer' : 'site';
  const each = part === 'customer' ? 'customer' : 'site';
  const measured = (measure: 'energy' | 'demand' | 'cost') => totals({ measure, split: 'none', ...chosen });
  return dashboardOf({
    title: 'Overview',
    description: 'What is drawn, used and paid, and where.',
    duration: 'last24h',
    variables: choicesOf(runMode, []),
    rows: [
      [
        {
          width: 5,
          height: 4,
          panel: figure(
            { name: 'Power', description: 'Import minus export, and its course over the time range.' },
            'kW',
            series({ measure: 'power', split: 'none', ...chosen }),
          ),
        },
        {
          width: 5,
          height: 4,
          panel: figure(
            { name: 'Energy', description: 'What was imported in the time range.' },
            'kWh',
            measured('energy'),
          ),
        },
        {
          width: 5,
          height: 4,
          panel: figure(
            {
              name: 'Peak demand',
              description: 'The highest quarter-hour: the sum of what was drawn at the same time.',
            },
            'kW',
            measured('demand'),
          ),
        },
        {
          width: 9,
          height: 4,
          panel: figure(
            { name: 'Cost', description: 'By the tariffs, with fixed charges and VAT; each currency by itself.' },
            'money',
            measured('cost'),
          ),
        },
      ],
      [
        {
          width: 16,
          height: 9,
          panel: stackedArea(
            {
              name: 'Load curve',
              description: `Import minus export of each ${each}, one upon the other. Drag to zoom.`,
            },
            'kW',
            series({ measure: 'power', split: part, ...chosen }),
          ),
        },
        {
          width: 8,
          height: 9,
          panel: bars(
            { name: `Energy by ${each}`, description: 'Who used most in the time range.' },
            'kWh',
            totals({ measure: 'energy', split: part, ...chosen }),
          ),
        },
      ],
      [
        {
          width: 12,
          height: 7,
          panel: table(
            { name: `By ${each}`, description: 'Energy and highest quarter-hour of the time range.' },
            part,
            part === 'customer' ? 'Customer' : 'Site',
            [
              { header: 'Energy', unit: 'kWh', query: totals({ measure: 'energy', split: part, ...chosen }) },
              { header: 'Peak demand', unit: 'kW', query: totals({ measure: 'demand', split: part, ...chosen }) },
            ],
          ),
        },
        {
          width: 12,
          height: 7,
          panel: heatmap(
            { name: 'Load by hour', description: 'The average power of each hour; the darker, the more.' },
            { measure: 'power', ...chosen },
          ),
        },
      ],
    ],
  });
}
