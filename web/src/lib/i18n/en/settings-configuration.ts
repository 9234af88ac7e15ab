export const settingsConfiguration = {
  description:
    'The settings with which the portal was started. They come from the environment or the .env file; changes take effect at the next start.',
  search: 'Search settings',
  columns: { name: 'Setting', value: 'Value', source: 'Source' },
  sources: {
    environment: 'Environment',
    file: '.env file',
    secretFile: 'Secret file',
    default: 'Default',
    database: 'Found',
  },
  secretSet: 'Secret, set',
  notSet: 'Not set',
  empty: 'Empty',
  warnings: {
    plainHttp:
      'Not encrypted: passwords and sessions travel in plain text. Put a proxy with TLS in front and set its https address.',
  },
  count: '{count, plural, one {# setting} other {# settings}}',
  nothingTitle: 'No setting matches',
  nothingText: 'Try another part of its name or value.',
} as const;
