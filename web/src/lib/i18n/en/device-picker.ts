export const devicePicker = {
  label: 'Devices',
  all: 'All devices ({count, number})',
  some: '{count, number} devices',
  sites: '{count, number} sites ({devices, number} devices)',
  siteDevices: '{count, plural, one {# device} other {# devices}}',
  more: '{count, number} more: type more of the name',
  none: 'None',
  search: 'Search devices and sites',
  nothingFound: 'No device matches',
  off: 'switched off',
  hint: 'Click a name to see only that device or site, or its box to add it.',
} as const;
