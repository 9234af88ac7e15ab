export const devicePicker = {
  label: 'Devices',
  all: 'All devices ({count, number})',
  some: '{count, number} devices',
  none: 'None',
  search: 'Search devices and sites',
  nothingFound: 'No device matches',
  off: 'switched off',
  hint: 'Click a name to see only that device, or its box to add it.',
} as const;
