import type { Translated } from '../message-types.ts';
import type { errors as english } from '../en/errors.ts';

export const errors: Translated<typeof english> = {
  title: 'Échec du chargement',
  unexpected: 'Un problème est survenu. Réessayez. S’il persiste, contactez votre administrateur.',
  offline: 'Le portail est injoignable.',
  sessionWasOver: 'Votre session a expiré. Réessayez.',
  brokenOff: 'Connexion interrompue. Réessayez.',
  outdated: 'Cette page n’est plus à jour. Rechargez-la.',
  notFoundTitle: 'Page introuvable',
  notFoundText: 'Vérifiez l’adresse.',
  goHome: 'Aller à la page d’accueil',
  forbiddenTitle: 'Réservé aux administrateurs',
  forbiddenText: 'Vous n’avez pas accès. Adressez-vous à un administrateur.',
  crashTitle: 'Cette page a planté',
  reload: 'Recharger',
  required: 'Obligatoire',
};
