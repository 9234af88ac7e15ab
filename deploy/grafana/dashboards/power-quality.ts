import type { Dashboard } from '@grafana/grafana-foundation-sdk/dashboard';
import { dashboardOf } from './dashboard.ts';
import { inRange, lines, table } from './panels.ts';

const measured = (about: { title: string; description: string; unit: string; decimals: number; column: string }) =>
  lines({
    ...about,
    width: 12,
    sql: `SELECT "time", device AS metric, ${about.column} AS "${about.title}"
      FROM reporting.measured(${inRange}, $__interval_ms) WHERE ${about.column} IS NOT NULL ORDER BY 1, 2`,
  });

export const powerQuality = (): Dashboard =>
  dashboardOf('power-quality', 'Power quality', 'Voltage, frequency and power factor, and what was odd in the readings')
    .withPanel(
      measured({
        title: 'Voltage',
        description: 'The mean of the readings of each bucket.',
        unit: 'volt',
        decimals: 1,
        column: 'voltage_v',
      }),
    )
    .withPanel(
      measured({
        title: 'Frequency',
        description: 'The mean of the readings of each bucket.',
        unit: 'hertz',
        decimals: 3,
        column: 'frequency_hz',
      }),
    )
    .withPanel(
      measured({
        title: 'Power factor',
        description: 'Of the sums of active and reactive power of each bucket, never a mean of power factors.',
        unit: 'none',
        decimals: 3,
        column: 'power_factor',
      }),
    )
    .withPanel(
      measured({
        title: 'Reactive power',
        description: 'The mean of the readings of each bucket that have it.',
        unit: 'kvoltampreact',
        decimals: 1,
        column: 'reactive_power_kvar',
      }),
    )
    .withPanel(
      table({
        title: 'Extremes by device',
        description: 'Of all single readings of the range.',
        unit: 'volt',
        units: { Readings: 'none', 'Least power': 'kwatt', 'Most power': 'kwatt' },
        width: 12,
        sql: `SELECT device AS "Device", sum(samples)::bigint AS "Readings", min(least_voltage_v) AS "Lowest voltage",
            max(most_voltage_v) AS "Highest voltage", min(least_power_kw) AS "Least power", max(most_power_kw) AS "Most power"
          FROM reporting.measured(${inRange}, 86400000) GROUP BY 1 ORDER BY 1`,
      }),
    )
    .withPanel(
      table({
        title: 'Findings in the readings',
        description:
          'Gaps, energy spread over gaps, and registers that jumped, turned over or began again. The newest thousand.',
        unit: 'kwatth',
        width: 12,
        sql: `SELECT "time" AS "Time", device AS "Device", kind AS "Kind", direction AS "Direction", until AS "Until",
            energy_kwh AS "Energy"
          FROM reporting.findings(${inRange}) ORDER BY 1 DESC, 2, 3, 4 LIMIT 1000`,
      }),
    )
    .build();
