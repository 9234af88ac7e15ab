import type { Translated } from '../message-types.ts';
import type { settingsConfiguration as english } from '../en/settings-configuration.ts';

export const settingsConfiguration: Translated<typeof english> = {
  description:
    'Réglages au démarrage du portail, issus de l’environnement ou du fichier .env. Les modifications prennent effet au redémarrage.',
  search: 'Rechercher un réglage',
  columns: { name: 'Réglage', value: 'Valeur', source: 'Source' },
  sources: {
    environment: 'Environnement',
    file: 'Fichier .env',
    secretFile: 'Fichier secret',
    default: 'Par défaut',
    database: 'Détecté',
  },
  secretSet: 'Défini (masqué)',
  notSet: 'Non défini',
  empty: 'Vide',
  warnings: {
    plainHttp:
      'Non chiffré : mots de passe et sessions circulent en clair. Utilisez un proxy avec TLS et indiquez son adresse https.',
  },
  count: '{count, plural, one {# réglage} other {# réglages}}',
  nothingTitle: 'Aucun réglage correspondant',
  nothingText: 'Essayez une autre recherche.',
};
