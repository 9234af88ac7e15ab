import type { Translated } from '../message-types.ts';
import type { settingsConfiguration as english } from '../en/settings-configuration.ts';

export const settingsConfiguration: Translated<typeof english> = {
  description:
    'Impostazioni all’avvio del portale, dall’ambiente o dal file .env. Le modifiche valgono dopo il riavvio.',
  search: 'Cerca impostazioni',
  columns: { name: 'Impostazione', value: 'Valore', source: 'Origine' },
  sources: {
    environment: 'Ambiente',
    file: 'File .env',
    secretFile: 'File segreto',
    default: 'Predefinito',
    database: 'Rilevato',
  },
  secretSet: 'Impostato (nascosto)',
  notSet: 'Non impostato',
  empty: 'Vuoto',
  warnings: {
    plainHttp:
      'Non cifrato: password e sessioni viaggiano in chiaro. Usare un proxy con TLS e impostarne l’indirizzo https.',
  },
  count: '{count, plural, one {# impostazione} other {# impostazioni}}',
  nothingTitle: 'Nessuna impostazione corrispondente',
  nothingText: 'Provare un’altra ricerca.',
};
