export const settingsConfiguration = {
  description:
    'Settings this portal was started with, from the environment or the .env file. Changes take effect after a restart.',
  search: 'Search settings',
  columns: { name: 'Setting', value: 'Value', source: 'Source' },
  sources: {
    environment: 'Environment',
    file: '.env file',
    secretFile: 'Secret file',
    default: 'Default',
    database: 'Detected',
  },
  secretSet: 'Set (hidden)',
  notSet: 'Not set',
  empty: 'Empty',
  warnings: {
    plainHttp:
      'Not encrypted: passwords and sessions travel in plain text. Use a proxy with TLS, and set its https address.',
  },
  count: '{count, plural, one {# setting} other {# settings}}',
  nothingTitle: 'No matching settings',
  nothingText: 'Try a different search.',
} as const;
