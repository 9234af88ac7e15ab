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
