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
  stackedBars,
  table,
  totals,
} from './parts.ts';

/** What the bill will be, and what makes it. */
export function energyAndCost(runMode: RunMode): WrittenSpec {
  const chosen = chosenIn(runMode);
  const inCurrency = { ...chosen, currency: '$currency' };
  const part = runMode === 'Admin' ? 'customer' : 'site';
  return dashboardOf({
    title: 'Energy and cost',
    description: 'What the bill will be, and what makes it. Amounts are in the chosen currency.',
    duration: 'this-month',
    variables: choicesOf(runMode, ['currency']),
    rows: [
      [
        {
          width: 8,
          height: 4,
          panel: figure(
            { name: 'Energy', description: 'What was imported in the time range.' },
            'kWh',
            totals({ measure: 'energy', split: 'none', ...chosen }),
          ),
        },
        {
          width: 8,
          height: 4,
          panel: figure(
            { name: 'Cost', description: 'By the tariffs, with fixed charges and VAT.' },
            'money',
            totals({ measure: 'cost', split: 'none', ...inCurrency }),
          ),
        },
        {
          width: 8,
          height: 4,
          panel: figure(
            { name: 'Peak demand', description: 'The highest quarter-hour; many tariffs charge for it.' },
            'kW',
            totals({ measure: 'demand', split: 'none', ...chosen }),
          ),
        },
      ],
      [
        {
          width: 12,
          height: 8,
          panel: stackedBars(
            { name: 'Energy by day', description: 'Local days, by tariff period.' },
            'kWh',
            series({ measure: 'energy', split: 'period', bucket: 'day', ...chosen }),
          ),
        },
        {
          width: 12,
          height: 8,
          panel: stackedBars(
            {
              name: 'Cost by day',
              description: 'Local days, by tariff period: what is used when it is dear costs most.',
            },
            'money',
            series({ measure: 'cost', split: 'period', bucket: 'day', ...inCurrency }),
          ),
        },
      ],
      [
        {
          width: 8,
          height: 9,
          panel: bars(
            { name: 'Cost by tariff period', description: 'Which hours the money goes to.' },
            'money',
            totals({ measure: 'cost', split: 'period', ...inCurrency }),
          ),
        },
        {
          width: 8,
          height: 9,
          panel: bars(
            { name: `Cost by ${part}`, description: 'With fixed charges and VAT.' },
            'money',
            totals({ measure: 'cost', split: part, ...inCurrency }),
          ),
        },
        {
          width: 8,
          height: 9,
          panel: table(
            { name: 'By device', description: 'The cost of a device is that of its energy, without fixed charges.' },
            'device',
            'Device',
            [
              { header: 'Energy', unit: 'kWh', query: totals({ measure: 'energy', split: 'device', ...chosen }) },
              { header: 'Cost', unit: 'money', query: totals({ measure: 'cost', split: 'device', ...inCurrency }) },
            ],
          ),
        },
      ],
      [
        {
          width: 24,
          height: 8,
          panel: heatmap(
            { name: 'When energy is used', description: 'kWh of each hour: nights and weekends should be pale.' },
            { measure: 'energy', ...chosen },
          ),
        },
      ],
    ],
  });
}
