import type { Translated } from '../message-types.ts';
import type { settingsConfiguration as english } from '../en/settings-configuration.ts';

export const settingsConfiguration: Translated<typeof english> = {
  description:
    'Le impostazioni con cui il portale è stato avviato. Vengono dall’ambiente o dal file .env; le modifiche valgono dal prossimo avvio.',
  search: 'Cerca impostazioni',
  columns: { name: 'Impostazione', value: 'Valore', source: 'Origine' },
  sources: {
    environment: 'Ambiente',
    file: 'File .env',
    secretFile: 'File segreto',
    default: 'Predefinito',
    database: 'Rilevato',
  },
  secretSet: 'Segreto, impostato',
  notSet: 'Non impostato',
  empty: 'Vuoto',
  warnings: {
    plainHttp:
      'Non cifrato: password e sessioni viaggiano in chiaro. Mettere davanti un proxy con TLS e impostarne l’indirizzo https.',
  },
  count: '{count, plural, one {# impostazione} other {# impostazioni}}',
  nothingTitle: 'Nessuna impostazione corrisponde',
  nothingText: 'Provare un’altra parte del nome o del valore.',
};
