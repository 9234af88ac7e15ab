/** The names of states in pages, the dashboard tool and exports. In other languages a test compares them. */
export const deviceStateNames = {
  live: 'Online',
  late: 'Late',
  offline: 'Offline',
  never: 'No data yet',
  inactive: 'Inactive',
} as const;

export const customerStateNames = {
  silent: 'Silent',
  failing: 'Failing',
  unavailable: 'Unavailable',
  never: 'Never sent',
  late: 'Late',
  inactive: 'Inactive',
  sending: 'Sending',
} as const;
