import type { Translated } from '../message-types.ts';
import type { errors as english } from '../en/errors.ts';

export const errors: Translated<typeof english> = {
  title: 'Le chargement a échoué',
  unexpected: 'Un problème est survenu. Réessayez ; s’il persiste, prévenez votre administrateur.',
  offline: 'Le portail est injoignable pour le moment.',
  sessionWasOver: 'La session avait pris fin. Réessayez.',
  brokenOff: 'La connexion s’est rompue avant la fin du transfert. Réessayez.',
  outdated:
    'Le portail a répondu d’une façon que cette page ne comprend pas. Rechargez la page pour obtenir sa dernière version.',
  notFoundTitle: 'Cette page n’existe pas',
  notFoundText: 'L’adresse est peut-être mal saisie, ou la page a été déplacée.',
  goHome: 'Aller à la page d’accueil',
  forbiddenTitle: 'Réservé aux administrateurs',
  forbiddenText:
    'Votre compte ne peut pas ouvrir cette page. Adressez-vous à un administrateur si vous en avez besoin.',
  crashTitle: 'Cette page s’est arrêtée',
  reload: 'Recharger la page',
  required: 'Ce champ ne doit pas être vide.',
};
