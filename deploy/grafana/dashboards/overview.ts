import type { Dashboard } from '@grafana/grafana-foundation-sdk/dashboard';
import { dashboardOf } from './dashboard.ts';
import { bars, devices, inRange, lines, stat, summedInRange, table } from './panels.ts';

export const powerByDevice = (width: number) =>
  lines({
    title: 'Power by device',
    description: 'The mean of the readings of each bucket; export is negative.',
    unit: 'kwatt',
    width,
    sql: `SELECT "time", device AS metric, power_kw AS "Power"
          FROM reporting.measured(${inRange}, $__interval_ms) ORDER BY 1, 2`,
  });

/** How much of the energy panels is still missing. */
export const pending = (width: number) =>
  stat({
    title: 'Readings not counted yet',
    description:
      'Ranges of readings that are stored and not in the quarter-hours yet. The energy, demand and cost of this dashboard leave them out until the portal has computed them, usually within seconds; the pages of the portal have them at once.',
    unit: 'short',
    decimals: 0,
    width,
    sql: `SELECT count(*) AS "Ranges" FROM reporting.pending(${devices})`,
  });

export const peakDemand = (width: number) =>
  stat({
    title: 'Peak demand',
    description:
      'The greatest mean power of a quarter-hour of all chosen devices together. Quarter-hours with estimated energy are left out.',
    unit: 'kwatt',
    width,
    sql: `SELECT peak_kw AS "Peak" FROM reporting.peak_demand(${inRange})`,
  });

const energy = (title: string, description: string, column: string, width: number) =>
  stat({
    title,
    description,
    unit: 'kwatth',
    width,
    sql: `SELECT coalesce(sum(${column}), 0) AS "${title}" FROM reporting.quarter_hours(${summedInRange})`,
  });

export const imported = (width: number) =>
  energy('Energy imported', 'Whole quarter-hours of the range, what is estimated counted in.', 'imported_kwh', width);

export const overview = (): Dashboard =>
  dashboardOf('overview', 'Overview', 'Energy and power of the chosen sites and devices')
    .withPanel(imported(5))
    .withPanel(energy('Energy exported', 'Whole quarter-hours of the range.', 'exported_kwh', 5))
    .withPanel(
      energy(
        'Energy estimated',
        'The part of import and export that was spread over gaps between readings.',
        'estimated_imported_kwh + estimated_exported_kwh',
        5,
      ),
    )
    .withPanel(peakDemand(5))
    .withPanel(pending(4))
    .withPanel(powerByDevice(24))
    .withPanel(
      bars({
        title: 'Energy imported by site',
        description: 'The energy of each bucket, in whole quarter-hours.',
        unit: 'kwatth',
        width: 14,
        sql: `SELECT date_bin($__interval_ms * interval '1 millisecond', "time", 'epoch') AS "time", site_name AS metric,
            sum(imported_kwh) AS "Energy"
          FROM reporting.quarter_hours(${summedInRange}) GROUP BY 1, 2 ORDER BY 1, 2`,
      }),
    )
    .withPanel(
      table({
        title: 'Sites',
        description: 'Energy of each site in whole quarter-hours; what is estimated is counted in.',
        unit: 'kwatth',
        width: 10,
        sql: `SELECT site_name AS "Site", sum(imported_kwh) AS "Imported", sum(exported_kwh) AS "Exported",
            sum(estimated_imported_kwh + estimated_exported_kwh) AS "Estimated"
          FROM reporting.quarter_hours(${summedInRange}) GROUP BY site_id, 1 ORDER BY 2 DESC`,
      }),
    )
    .build();
