/** What an alarm is about, by the kind of its rule. `{figure}` is its value with its unit. */
export const alarmTexts = {
  offline: '{subject}: no reading for {figure}',
  limit: '{subject}: {rule}, {figure}',
  demandForecast: '{subject}: demand of the quarter-hour will be {figure}',
  unusual: '{subject}: consumption differs from usual by {figure}',
  baseLoad: '{subject}: base load of {figure}',
  budget: '{subject}: forecast cost of the month is {figure}',
  dataQuality: '{subject}: {figure} of the last 24 h missing',
  anomalies: '{subject}: {figure} anomalies in the last 24 h',
  delivery: '{subject}: nothing delivered for {figure}',
  rejected: '{subject}: {figure} of its rows rejected',
  push: 'The push to the fleet is failing',
  customerSilent: '{subject}: no readings for {figure}',
  customerFailing: '{subject}: batches are rejected',
  customerNeverSent: '{subject}: no batch yet, {figure} after it was created',
  tokenGraceEnds: '{subject}: the previous token is still in use and ends in {figure}',
} as const;
