import type { Translated } from '../message-types.ts';
import type { settingsConfiguration as english } from '../en/settings-configuration.ts';

export const settingsConfiguration: Translated<typeof english> = {
  description:
    'Les réglages avec lesquels le portail a démarré. Ils viennent de l’environnement ou du fichier .env ; les modifications prennent effet au prochain démarrage.',
  search: 'Rechercher un réglage',
  columns: { name: 'Réglage', value: 'Valeur', source: 'Source' },
  sources: {
    environment: 'Environnement',
    file: 'Fichier .env',
    secretFile: 'Fichier secret',
    default: 'Par défaut',
    database: 'Détecté',
  },
  secretSet: 'Secret, défini',
  notSet: 'Non défini',
  empty: 'Vide',
  warnings: {
    plainHttp:
      'Non chiffré : mots de passe et sessions circulent en clair. Placez un proxy avec TLS devant le portail et indiquez son adresse https.',
  },
  count: '{count, plural, one {# réglage} other {# réglages}}',
  nothingTitle: 'Aucun réglage ne correspond',
  nothingText: 'Essayez une autre partie de son nom ou de sa valeur.',
};
