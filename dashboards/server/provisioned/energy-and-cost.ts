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

/** The expected bill and its parts. */
export function energyAndCost(runMode: RunMode): WrittenSpec {
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
