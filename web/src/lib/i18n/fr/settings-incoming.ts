import type { Translated } from '../message-types.ts';
import type { settingsIncoming as english } from '../en/settings-incoming.ts';

export const settingsIncoming: Translated<typeof english> = {
  description:
    'La dernière ligne de chaque compteur dès son arrivée, enregistrée ou rejetée. La page s’actualise toutes les deux secondes.',
  search: 'Rechercher des compteurs',
  columns: {
    meter: 'Compteur',
    measured: 'Mesuré',
    lag: 'En chemin',
    arrived: 'Arrivé',
    sender: 'Envoyé avec',
  },
  verdicts: { accepted: 'Enregistré', known: 'Déjà connu', rejected: 'Rejeté' },
  ahead: '{duration} en avance',
  body: 'Une requête entière',
  noExternalId: 'Pas d’identifiant externe',
  administrator: 'Connecté',
  create: 'Créer cet appareil',
  createNamed: 'Créer cet appareil : {externalId}',
  since: 'L’appareil existe désormais ; la prochaine ligne sera enregistrée.',
  emptyTitle: 'Rien n’est arrivé en 24 heures',
  emptyText: 'Dès qu’une passerelle envoie avec une clé API, ses lignes apparaissent ici.',
  key: {
    openNamed: 'Envois de {name}',
    title: 'Envois avec {name}',
    period: 'Ces dernières 24 heures.',
    deliveries: 'Envois',
    accepted: 'Enregistrées',
    known: 'Déjà connues',
    rejected: 'Rejetées',
    problems: 'Lignes rejetées',
    problemsHint: 'La dernière de chaque identifiant externe et champ.',
    noneTitle: 'Rien n’a été rejeté',
    noneText: 'Toutes les lignes arrivées avec cette clé ont été acceptées.',
    nothingTitle: 'Rien n’est arrivé avec cette clé',
    nothingText: 'Une requête avec une clé erronée ou révoquée est refusée et ne compte nulle part.',
  },
};
