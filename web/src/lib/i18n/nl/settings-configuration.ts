import type { Translated } from '../message-types.ts';
import type { settingsConfiguration as english } from '../en/settings-configuration.ts';

export const settingsConfiguration: Translated<typeof english> = {
  description:
    'Instellingen waarmee dit portaal is gestart, uit de omgeving of het .env-bestand. Wijzigingen gelden na een herstart.',
  search: 'Instellingen zoeken',
  columns: { name: 'Instelling', value: 'Waarde', source: 'Bron' },
  sources: {
    environment: 'Omgeving',
    file: '.env-bestand',
    secretFile: 'Geheim bestand',
    default: 'Standaard',
    database: 'Gevonden',
  },
  secretSet: 'Ingesteld (verborgen)',
  notSet: 'Niet ingesteld',
  empty: 'Leeg',
  warnings: {
    plainHttp:
      'Niet versleuteld: wachtwoorden en sessies zijn onderweg leesbaar. Gebruik een proxy met TLS en stel het https-adres ervan in.',
  },
  count: '{count, plural, one {# instelling} other {# instellingen}}',
  nothingTitle: 'Geen passende instellingen',
  nothingText: 'Probeer een andere zoekopdracht.',
};
