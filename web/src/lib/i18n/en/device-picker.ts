export const devicePicker = {
  all: 'All devices ({count, number})',
  some: '{count, number} devices',
  sites: '{count, number} sites ({devices, number} devices)',
  none: 'None',
  nothingFound: 'No device matches',
  off: 'switched off',
  hint: 'Click a name to see only that device or site, or its box to add it.',
} as const;
