import type { Translated } from '../message-types.ts';
import type { settingsConfiguration as english } from '../en/settings-configuration.ts';

export const settingsConfiguration: Translated<typeof english> = {
  description:
    'Einstellungen beim Start des Portals, aus der Umgebung oder der .env-Datei. Änderungen gelten nach einem Neustart.',
  search: 'Einstellungen suchen',
  columns: { name: 'Einstellung', value: 'Wert', source: 'Quelle' },
  sources: {
    environment: 'Umgebung',
    file: '.env-Datei',
    secretFile: 'Geheimnisdatei',
    default: 'Vorgabe',
    database: 'Erkannt',
  },
  secretSet: 'Gesetzt (verborgen)',
  notSet: 'Nicht gesetzt',
  empty: 'Leer',
  warnings: {
    plainHttp:
      'Unverschlüsselt: Passwörter und Sitzungen sind unterwegs lesbar. Nutzen Sie einen Proxy mit TLS und tragen Sie dessen https-Adresse ein.',
  },
  count: '{count, plural, one {# Einstellung} other {# Einstellungen}}',
  nothingTitle: 'Keine passenden Einstellungen',
  nothingText: 'Versuchen Sie eine andere Suche.',
};
