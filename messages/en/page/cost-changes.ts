export const costChanges = {
  title: 'Cost impact',
  months: '{count, plural, one {Changes the cost of one month.} other {Changes the cost of # months.}}',
  month: 'Month',
  total: 'Total',
  lessPriced: '{energy} would no longer be priced.',
  morePriced: '{energy} would now be priced.',
  save: 'Save anyway',
  failed: 'Couldn’t calculate the impact. {reason}',
  saveAnyway: 'Save anyway',
} as const;
