export const quality = {
  title: 'Data quality',
  states: { measured: 'Measured', interpolated: 'Interpolated', missing: 'Missing' },
  quarters: '{count, plural, one {# quarter-hour} other {# quarter-hours}}',
  description:
    'Quarter-hours, {range}: {measured} measured, {interpolated} interpolated, {missing} missing. The table has every day.',
  table: 'Data quality by day',
  day: 'Day',
  daysIn: 'Days in {zone}.',
  siteDays: 'Local days at each site',
  failure: 'Can’t calculate energy for {device} since {since}. Next attempt: {next}.',
  height: 'Column height: number of quarter-hours',
} as const;
