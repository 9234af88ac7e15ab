export const quality = {
  title: 'Data quality',
  states: { measured: 'Measured', interpolated: 'Interpolated', missing: 'Missing' },
  quarters: '{count, plural, one {# quarter-hour} other {# quarter-hours}}',
  description:
    'Quarter-hours, {range}: {measured} measured, {interpolated} interpolated, {missing} missing. The table has every day.',
  table: 'Data quality by day',
  day: 'Day',
  daysIn: 'Days in {zone}.',
  siteDays: 'Days by each site’s clock.',
  failure:
    'The energy of {device} has not been computable since {since}: what came in since then is missing from its figures. Next attempt: {next}.',
  height: 'The more quarter-hours a column counts, the higher it is.',
} as const;
