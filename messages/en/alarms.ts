/** What an alarm is about, by the kind of its rule. `{figure}` is its value with its unit. */
export const alarmTexts = {
  offline: '{subject}: no reading for {figure}',
  limit: '{subject}: {rule}, {figure}',
  push: 'The push to the fleet is failing',
  customerSilent: '{subject}: no batch for {figure}',
  customerFailing: '{subject}: batches are rejected',
  customerNeverSent: '{subject}: no batch yet, {figure} after it was created',
  tokenGraceEnds: '{subject}: the previous token is still in use and ends in {figure}',
} as const;
