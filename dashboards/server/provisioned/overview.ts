import type { RunMode } from '../../../shared/app.ts';
import type { Measure, WrittenSpec } from '../../../shared/dashboard-tool.ts';
import {
  bars,
  choicesOf,
  chosenIn,
  dashboardOf,
  figure,
  heatmap,
  row,
  series,
  stackedArea,
  table,
  totals,
} from './parts.ts';

/** Whether today is normal: power, energy and cost, and where they arise. */
export function overview(runMode: RunMode): WrittenSpec {
  const chosen = chosenIn(runMode);
  const part = runMode === 'Admin' ? 'customer' : 'site';
  const total = (measure: Measure) => totals({ measure, split: 'none', ...chosen });
  const byPart = (measure: Measure) => totals({ measure, split: part, ...chosen });
  return dashboardOf({
    title: 'Overview',
    description: 'What is drawn, used and paid, and where.',
    duration: 'last24h',
    variables: choicesOf(runMode, []),
    rows: [
      row(
        4,
        figure(
          5,
          'Power',
          'Import minus export, and its course over the time range.',
          series({ measure: 'power', split: 'none', ...chosen }),
        ),
        figure(5, 'Energy', 'What was imported in the time range.', total('energy')),
        figure(
          5,
          'Peak demand',
          'The highest quarter-hour: the sum of what was drawn at the same time.',
          total('demand'),
        ),
        figure(9, 'Cost', 'By the tariffs, with fixed charges and VAT; each currency by itself.', total('cost')),
      ),
      row(
        9,
        stackedArea(
          16,
          'Load curve',
          `Import minus export of each ${part}, one upon the other. Drag to zoom.`,
          series({ measure: 'power', split: part, ...chosen }),
        ),
        bars(8, `Energy by ${part}`, 'Who used most in the time range.', byPart('energy')),
      ),
      row(
        7,
        table(12, `By ${part}`, 'Energy and highest quarter-hour of the time range.', {
          key: part,
          header: part === 'customer' ? 'Customer' : 'Site',
          columns: { Energy: byPart('energy'), 'Peak demand': byPart('demand') },
        }),
        heatmap(12, 'Load by hour', 'The average power of each hour; the darker, the more.', {
          measure: 'power',
          ...chosen,
        }),
      ),
    ],
  });
}
