export const firstSteps = {
  title: 'First steps',
  done: '{done, number} of {all, number} done',
  isDone: 'Done',
  site: 'Create a site',
  tariff: 'Add a tariff',
  device: 'Add a meter',
  key: 'Create an API key',
  reading: 'Receive the first reading',
} as const;
