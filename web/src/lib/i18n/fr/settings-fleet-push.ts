import type { Translated } from '../message-types.ts';
import type { settingsFleetPush as english } from '../en/settings-fleet-push.ts';

export const settingsFleetPush: Translated<typeof english> = {
  description: 'Ce que ce portail envoie au parc : sites, appareils, communes, tarifs et mesures.',
  offTitle: 'Rien n’est envoyé',
  offText:
    'Définissez ces trois réglages pour le portail et redémarrez-le. L’exploitant du parc vous donne son adresse et un jeton.',
  offSettings: 'Réglages de l’envoi',
  copySettings: 'Copier les réglages',
  pushNow: 'Envoyer maintenant',
  pushing: 'Le prochain tour commence maintenant ; plus rien n’attend.',
  health: {
    off: 'Désactivé',
    refused: 'Refusé par le parc',
    waiting: 'En attente d’un nouvel essai',
    starting: 'Démarrage',
    catchingUp: 'Rattrapage',
    running: 'En marche',
  },
  every: 'un tour : {interval}',
  trouble: {
    unauthorized: 'Le parc refuse le jeton',
    refused: 'Le parc refuse ce qui est envoyé',
    unreachable: 'Le parc ne répond pas',
    busy: 'Le parc est occupé',
    broken: 'Le parc répond par une erreur',
    rejected: 'Le parc a rejeté des lignes',
  },
  mend: 'Demandez à l’exploitant du parc un nouveau jeton, ou si le client est désactivé. Définissez FleetIngest__Token et redémarrez le portail.',
  nothingLost: 'Rien n’est perdu : ce qui n’est pas envoyé attend ici.',
  since: 'Dernier envoi arrivé ({resource}) : {time}.',
  never: 'Aucun envoi n’est encore arrivé ({resource}).',
  failures:
    '{count, plural, one {# tentative a échoué} other {# tentatives ont échoué de suite}} ; la prochaine : {when}.',
  atNextRound: 'au prochain tour',
  backlog: 'En attente',
  backlogNote: '{count, plural, =0 {tout est envoyé} one {mesure à envoyer} other {mesures à envoyer}}',
  lastBatch: 'Dernier envoi',
  lastBatchNote: 'tous types confondus',
  noBatch: 'Aucun encore',
  sentUpTo: 'Envoyé jusqu’au',
  sentUpToNote: 'reçu par ce portail',
  walking: 'Les anciennes d’abord',
  walkingNote: 'ce qui était enregistré avant le début de l’envoi',
  rejected: 'Lignes rejetées',
  rejectedNote: 'que le parc n’a pas prises, depuis toujours',
  table: 'Ce qui est envoyé',
  cursor: 'Curseur des mesures :',
  columns: {
    resource: 'Quoi',
    error: 'Dernière erreur',
    size: 'Lignes par envoi',
  },
  states: { sent: 'Envoyé', waiting: 'En attente', none: 'Rien encore' },
  reconciliation: {
    title: 'Comparaison avec le parc',
    description:
      'Une fois par jour, le portail demande au parc ce qu’il a de chaque appareil et de chaque jour, et renvoie ce qui diffère. Tout est comparé toutes les quatre semaines.',
    now: 'Comparer maintenant',
    begun: 'Tout ce qui est enregistré est en cours de comparaison ; cela peut prendre des minutes.',
    health: {
      running: 'Comparaison en cours',
      waiting: 'En attente d’un nouvel essai',
      never: 'Pas encore comparé',
      differs: 'Concordant, sauf quelques jours',
      inStep: 'Concordant',
    },
    progress:
      '{compared, plural, one {# jour d’appareil comparé} other {# jours d’appareils comparés}}, {resent, plural, one {# renvoyé} other {# renvoyés}}',
    failed: 'La comparaison ne peut pas continuer',
    next: '{count, plural, one {# tentative a échoué} other {# tentatives ont échoué de suite}} ; la prochaine : {time}.',
    allSame: 'ce qui a été mesuré avant est identique des deux côtés',
    notYet: 'Pas encore',
    last: 'Dernière comparaison',
    found:
      '{compared, plural, one {# jour d’appareil} other {# jours d’appareils}}, {resent, plural, =0 {aucun écart} one {# différait et a été renvoyé} other {# différaient et ont été renvoyés}}',
    differ:
      '{count, plural, one {Ce jour diffère bien qu’il ait été renvoyé} other {Ces jours diffèrent bien qu’ils aient été renvoyés}} : le parc a des mesures que ce portail n’a pas, ou n’en prend pas certaines. {shown, plural, one {Le plus récent} other {Les # plus récents}} sur {count, number}.',
    table: 'Jours qui diffèrent',
    columns: { device: 'Appareil', day: 'Jour (UTC)', ownCount: 'Ici', fleetCount: 'Dans le parc' },
  },
};
