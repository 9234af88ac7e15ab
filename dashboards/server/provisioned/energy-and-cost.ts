import type { RunMode } from '../../../shared/app.ts';
import type { Split, WrittenSpec } from '../../../shared/dashboard-tool.ts';
import {
  bars,
  choicesOf,
  chosenIn,
  dashboardOf,
  figure,
  heatmap,
  row,
  series,
  stackedBars,
  table,
  totals,
} from './parts.ts';

/** What the bill will be, and what it consists of. */
export function energyAndCost(runMode: RunMode): WrittenSpec {
  const chosen = chosenIn(runMode);
  const part = runMode === 'Admin' ? 'customer' : 'site';
  const energy = (split: Split) => ({ measure: 'energy' as const, split, ...chosen });
  const cost = (split: Split) => ({ measure: 'cost' as const, split, ...chosen, currency: '$currency' });
  return dashboardOf({
    title: 'Energy and cost',
    description: 'What the bill will be, and what makes it. Amounts are in the chosen currency.',
    duration: 'this-month',
    variables: choicesOf(runMode, ['currency']),
    rows: [
      row(
        4,
        figure(8, 'Energy', 'What was imported in the time range.', totals(energy('none'))),
        figure(8, 'Cost', 'By the tariffs, with fixed charges and VAT.', totals(cost('none'))),
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
          'Local days, by tariff period: what is used when it is dear costs most.',
          series({ ...cost('period'), bucket: 'day' }),
        ),
      ),
      row(
        9,
        bars(8, 'Cost by tariff period', 'Which hours the money goes to.', totals(cost('period'))),
        bars(8, `Cost by ${part}`, 'With fixed charges and VAT.', totals(cost(part))),
        table(8, 'By device', 'The cost of a device is that of its energy, without fixed charges.', {
          key: 'device',
          header: 'Device',
          columns: { Energy: totals(energy('device')), Cost: totals(cost('device')) },
        }),
      ),
      row(
        8,
        heatmap(24, 'When energy is used', 'kWh of each hour: nights and weekends should be pale.', {
          measure: 'energy',
          ...chosen,
        }),
      ),
    ],
  });
}
