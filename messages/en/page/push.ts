/** The push to the fleet, as both ends show it. */
export const push = {
  trouble: {
    unauthorized: 'Token rejected',
    refused: 'Rejected',
    unreachable: 'Fleet unreachable',
    busy: 'Fleet busy',
    broken: 'Server error',
    rejected: 'Rows rejected',
  },
  copySettings: 'Copy settings',
  comparison: {
    running: 'Comparing',
    waiting: 'Waiting to retry',
    never: 'Not compared yet',
    differs: 'Some days differ',
    inStep: 'In sync',
  },
} as const;
