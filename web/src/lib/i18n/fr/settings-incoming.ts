import type { Translated } from '../message-types.ts';
import type { settingsIncoming as english } from '../en/settings-incoming.ts';

export const settingsIncoming: Translated<typeof english> = {
  description: 'Dernier relevé de chaque compteur. Actualisé toutes les 2 s.',
  search: 'Rechercher des compteurs',
  columns: {
    meter: 'Compteur',
    measured: 'Mesuré',
    lag: 'Délai',
    arrived: 'Reçu',
    sender: 'Clé API',
  },
  verdicts: { accepted: 'Enregistré', known: 'Doublon', rejected: 'Rejeté' },
  ahead: '{duration} en avance',
  body: 'Requête entière',
  noExternalId: 'Pas d’identifiant externe',
  administrator: 'Session utilisateur',
  create: 'Créer cet appareil',
  createNamed: 'Créer cet appareil : {externalId}',
  since: 'Appareil créé. Le prochain relevé sera enregistré.',
  emptyTitle: 'Aucun relevé ces dernières 24 heures',
  emptyText: 'Les relevés apparaissent ici dès qu’une passerelle les envoie avec une clé API.',
  key: {
    openNamed: 'Requêtes avec {name}',
    title: 'Requêtes avec {name}',
    period: 'Dernières 24 heures',
    deliveries: 'Requêtes',
    accepted: 'Enregistrées',
    known: 'Doublons',
    rejected: 'Rejetées',
    problems: 'Lignes rejetées',
    problemsHint: 'Dernière par identifiant externe et champ',
    noneTitle: 'Aucune ligne rejetée',
    noneText: 'Toutes les lignes ont été acceptées.',
    nothingTitle: 'Aucune requête',
    nothingText: 'Les requêtes avec une clé invalide ne sont pas comptées.',
  },
};
