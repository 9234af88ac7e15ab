export const devicePicker = {
  all: 'All devices ({count, number})',
  some: '{count, number} devices',
  sites: '{count, number} sites ({devices, number} devices)',
  none: 'None',
  nothingFound: 'No matching devices',
  off: 'inactive',
  hint: 'Click a name to show only it, or tick the box to add it.',
} as const;
