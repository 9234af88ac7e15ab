import type { Dashboard } from '@grafana/grafana-foundation-sdk/dashboard';
import { dashboardOf } from './dashboard.ts';
import { powerByDevice } from './overview.ts';
import { bars, columns, inRange, ranking, summedInRange, table } from './panels.ts';

export const deviceComparison = (): Dashboard =>
  dashboardOf('device-comparison', 'Device comparison', 'The chosen devices side by side')
    .withPanel(
      ranking({
        title: 'Energy imported by device',
        description: 'The twenty with the most, in whole quarter-hours of the range.',
        unit: 'kwatth',
        width: 10,
        sql: `SELECT device AS "Device", sum(imported_kwh) AS "Energy" FROM reporting.quarter_hours(${inRange})
          GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 20`,
      }),
    )
    .withPanel(
      table({
        title: 'Devices',
        description:
          'Energy in whole quarter-hours of the range. The peak is the greatest mean power of a quarter-hour without estimated energy.',
        unit: 'kwatth',
        units: { 'Peak demand': 'kwatt', Share: 'percentunit' },
        width: 14,
        sql: `SELECT device AS "Device", site_name AS "Site", sum(imported_kwh) AS "Imported", sum(exported_kwh) AS "Exported",
            sum(estimated_imported_kwh + estimated_exported_kwh) AS "Estimated",
            max(imported_kwh) FILTER (WHERE imported_kwh > 0 AND estimated_imported_kwh = 0 AND estimated_exported_kwh = 0) * 4
              AS "Peak demand",
            sum(imported_kwh)
              / nullif((SELECT sum(imported_kwh) FROM reporting.quarter_hours(${summedInRange})), 0) AS "Share"
          FROM reporting.quarter_hours(${inRange}) GROUP BY 1, site_id, 2 ORDER BY 3 DESC, 1`,
      }),
    )
    .withPanel(
      bars({
        title: 'Energy imported, by device',
        description: 'The energy of each bucket, in whole quarter-hours.',
        unit: 'kwatth',
        width: 24,
        sql: `SELECT date_bin($__interval_ms * interval '1 millisecond', "time", 'epoch') AS "time", device AS metric,
            sum(imported_kwh) AS "Energy"
          FROM reporting.quarter_hours(${inRange}) GROUP BY 1, 2 ORDER BY 1, 2`,
      }),
    )
    .withPanel(powerByDevice(14))
    .withPanel(
      columns({
        title: 'A day of the chosen devices',
        description: 'Energy imported by hour of the local day, the mean of the days that have any.',
        unit: 'kwatth',
        width: 10,
        sql: `SELECT to_char("time" AT TIME ZONE time_zone, 'HH24:00') AS "Hour",
            sum(imported_kwh) / count(DISTINCT ("time" AT TIME ZONE time_zone)::date) AS "Energy"
          FROM reporting.quarter_hours(${summedInRange}) GROUP BY 1 ORDER BY 1`,
      }),
    )
    .build();
