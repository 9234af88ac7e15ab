import type { Dashboard } from '@grafana/grafana-foundation-sdk/dashboard';
import { dashboardOf } from './dashboard.ts';
import { imported, peakDemand, pending } from './overview.ts';
import { bars, inRange, pie, stat, summedInRange, table } from './panels.ts';

const unrounded =
  'Exact amounts: the portal rounds each total once and shares what is left over among its parts, so its own pages may differ by a cent.';
const amounts = `sum(energy_cost) AS "Energy cost", sum(fixed_charge) AS "Fixed charge", sum(vat) AS "VAT",
  sum(energy_cost + fixed_charge + vat) AS "Total"`;

export const energyAndCost = (): Dashboard =>
  dashboardOf('energy-and-cost', 'Energy and cost', 'What the energy of the chosen sites and devices costs, and why')
    .withPanel(imported(6))
    .withPanel(peakDemand(6))
    .withPanel(
      stat({
        title: 'Energy without a tariff',
        description: 'Imported while no tariff was in force. It is in no cost.',
        unit: 'kwatth',
        width: 6,
        sql: `SELECT coalesce(sum(energy_kwh), 0) AS "Unpriced" FROM reporting.costs(${inRange}) WHERE currency IS NULL`,
      }),
    )
    .withPanel(pending(6))
    .withPanel(
      table({
        title: 'Cost before rounding, by currency',
        description: `Energy at its rates less the credit for export, fixed charges by day, and VAT. ${unrounded}`,
        unit: 'locale',
        decimals: 4,
        width: 12,
        sql: `SELECT currency AS "Currency", ${amounts} FROM reporting.costs(${inRange})
          WHERE currency IS NOT NULL GROUP BY 1 ORDER BY 1`,
      }),
    )
    .withPanel(
      table({
        title: 'Cost before rounding, by site',
        description: `Energy at its rates less the credit for export, fixed charges by day, and VAT. ${unrounded}`,
        unit: 'locale',
        decimals: 4,
        width: 12,
        sql: `SELECT site_name AS "Site", currency AS "Currency", ${amounts} FROM reporting.costs(${inRange})
          WHERE currency IS NOT NULL GROUP BY site_id, 1, 2 ORDER BY 1, 2`,
      }),
    )
    .withPanel(
      table({
        title: 'Lines of the energy cost, before rounding',
        description: `Import at one rate a line, and the credit for export; without fixed charges and VAT. ${unrounded}`,
        unit: 'locale',
        decimals: 4,
        units: { Energy: 'kwatth' },
        width: 14,
        sql: `SELECT line AS "Line", currency AS "Currency", rate_per_kwh AS "Rate per kWh", sum(energy_kwh) AS "Energy",
            sum(energy_cost) AS "Cost"
          FROM reporting.costs(${inRange}) WHERE rate_per_kwh IS NOT NULL GROUP BY 1, 2, 3 ORDER BY 2, 1, 3`,
      }),
    )
    .withPanel(
      pie({
        title: 'Energy imported, by line',
        description: 'The shares of the periods of the tariffs, and of energy without a tariff.',
        unit: 'kwatth',
        width: 10,
        sql: `SELECT line AS "Line", sum(energy_kwh) AS "Energy" FROM reporting.costs(${inRange})
          WHERE energy_kwh IS NOT NULL AND line <> 'Export' GROUP BY 1 ORDER BY 2 DESC`,
      }),
    )
    .withPanel(
      bars({
        title: 'Energy imported by local day',
        description: 'Each bar is a day in the time zone of its site, of 23 or 25 hours where clocks change.',
        unit: 'kwatth',
        width: 24,
        sql: `SELECT reporting.start_of_day(("time" AT TIME ZONE time_zone)::date, time_zone) AS "time", site_name AS metric,
            sum(imported_kwh) AS "Energy"
          FROM reporting.quarter_hours(${summedInRange}) GROUP BY 1, 2 ORDER BY 1, 2`,
      }),
    )
    .build();
