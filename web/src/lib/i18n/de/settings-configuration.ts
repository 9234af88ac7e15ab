import type { Translated } from '../message-types.ts';
import type { settingsConfiguration as english } from '../en/settings-configuration.ts';

export const settingsConfiguration: Translated<typeof english> = {
  description:
    'Die Einstellungen, mit denen das Portal gestartet wurde. Sie kommen aus der Umgebung oder aus der .env-Datei; Änderungen gelten ab dem nächsten Start.',
  search: 'Einstellungen suchen',
  columns: { name: 'Einstellung', value: 'Wert', source: 'Quelle' },
  sources: {
    environment: 'Umgebung',
    file: '.env-Datei',
    secretFile: 'Geheimnisdatei',
    default: 'Vorgabe',
    database: 'Vorgefunden',
  },
  secretSet: 'Geheim, gesetzt',
  notSet: 'Nicht gesetzt',
  empty: 'Leer',
  warnings: {
    plainHttp:
      'Nicht verschlüsselt: Passwörter und Sitzungen sind unterwegs lesbar. Stellen Sie einen Proxy mit TLS davor und tragen Sie dessen https-Adresse ein.',
  },
  count: '{count, plural, one {# Einstellung} other {# Einstellungen}}',
  nothingTitle: 'Keine Einstellung passt',
  nothingText: 'Versuchen Sie einen anderen Teil ihres Namens oder Werts.',
};
