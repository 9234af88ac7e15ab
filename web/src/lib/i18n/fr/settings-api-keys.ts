import type { Translated } from '../message-types.ts';
import type { settingsApiKeys as english } from '../en/settings-api-keys.ts';

export const settingsApiKeys: Translated<typeof english> = {
  description: 'Avec une clé API, une passerelle envoie ses mesures sans se connecter.',
  new: 'Nouvelle clé API',
  columns: { created: 'Créée', lastUsed: 'Dernière utilisation' },
  emptyTitle: 'Pas encore de clés API',
  emptyText:
    'Créez-en une par passerelle, afin de pouvoir en révoquer une sans arrêter les autres. Vous recevez avec elle une commande prête à l’emploi.',
  nameHint: 'À quoi sert la clé : la passerelle ou son emplacement.',
  create: 'Créer la clé API',
  createdTitle: 'Clé API « {name} »',
  shownOnce: 'Copiez la clé maintenant. Elle n’est affichée que cette fois et ne pourra plus être relue.',
  key: 'Clé API',
  copyKey: 'Copier la clé',
  copyCommand: 'Copier la commande',
  notCopied: 'La clé n’a pas encore été copiée. Fermer quand même ?',
  deviceHint: 'Son identifiant externe figure dans les lignes.',
  chooseDevice: 'Choisissez un appareil',
  command: 'Envoyer des mesures avec elle',
  commandHint: 'Exécutez ceci là où se trouve la passerelle. Les heures exigent un décalage ou Z.',
  noDevices:
    'Il n’y a pas encore d’appareils, le portail rejette donc les lignes de cette commande. Ajoutez un appareil avec cet identifiant externe sous <link>Sites</link>.',
  test: {
    title: 'Envoyer une ligne d’essai',
    hint: 'Envoie une mesure par l’API avec cette clé. La ligne est réelle : elle est enregistrée, paraît dans les graphiques et les totaux, et ne peut être supprimée qu’avec son appareil.',
    timeHint: 'Vide : maintenant. Sinon une heure de {zone}.',
    powerMissing: 'Saisissez un nombre.',
    send: 'Envoyer la ligne d’essai',
    stored: 'Enregistré : {power} pour {device}, {time}.',
    duplicate: 'Accepté, mais pas enregistré à nouveau : {device} a déjà une mesure à {time}.',
    rejected: 'Rejeté : {reason}',
    counts: 'acceptées {accepted, number} · rejetées {rejected, number} · doublons {duplicates, number}',
    show: 'Afficher les relevés',
  },
  revoke: 'Révoquer',
  revokeTitle: 'Révoquer la clé API',
  revokeText: 'Tout envoi avec cette clé sera alors refusé. C’est irréversible.',
  revoked: 'La clé API {name} est révoquée.',
};
