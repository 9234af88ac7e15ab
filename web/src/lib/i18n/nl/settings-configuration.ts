import type { Translated } from '../message-types.ts';
import type { settingsConfiguration as english } from '../en/settings-configuration.ts';

export const settingsConfiguration: Translated<typeof english> = {
  description:
    'De instellingen waarmee het portaal is gestart. Ze komen uit de omgeving of het .env-bestand; wijzigingen gelden vanaf de volgende start.',
  search: 'Instellingen zoeken',
  columns: { name: 'Instelling', value: 'Waarde', source: 'Bron' },
  sources: {
    environment: 'Omgeving',
    file: '.env-bestand',
    secretFile: 'Geheim bestand',
    default: 'Standaard',
    database: 'Gevonden',
  },
  secretSet: 'Geheim, ingesteld',
  notSet: 'Niet ingesteld',
  empty: 'Leeg',
  warnings: {
    plainHttp:
      'Niet versleuteld: wachtwoorden en sessies gaan als leesbare tekst. Zet er een proxy met TLS voor en stel het https-adres ervan in.',
  },
  count: '{count, plural, one {# instelling} other {# instellingen}}',
  nothingTitle: 'Geen instelling gevonden',
  nothingText: 'Probeer een ander deel van de naam of waarde.',
};
