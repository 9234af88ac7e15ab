import type { Translated } from '../message-types.ts';
import type { dashboards as english } from '../en/dashboards.ts';

export const dashboards: Translated<typeof english> = {
  menu: 'Tableaux de bord',
  gone: 'Tableaux de bord indisponibles ({reason}). Reconnexion …',
  reason: 'Motif : {reason}.',
  reasons: {
    notBuilt: 'échec de la compilation : {detail}',
    ended: 'arrêté : {detail}',
    noAnswer: 'aucune réponse de Dashboard__Upstream',
  },
  installingTitle: 'Installation des tableaux de bord …',
  installingText: 'Paquets téléchargés une seule fois, en une à deux minutes. Cette page s’actualise seule.',
  buildingTitle: 'Compilation des tableaux de bord …',
  buildingText: 'Environ une minute, une fois et après chaque mise à jour. Cette page s’actualise seule.',
  startingTitle: 'Démarrage des tableaux de bord …',
  startingText: 'Quelques secondes. Cette page s’actualise seule.',
  failedTitle: 'Les tableaux de bord sont arrêtés',
  failedText: 'Le portail réessaie automatiquement ; voir son journal. Tout le reste fonctionne.',
  offTitle: 'Tableaux de bord non configurés',
  offText:
    'Démarrez le service des tableaux de bord derrière le même proxy et indiquez son adresse dans Dashboard__Upstream, ou laissez le portail le démarrer avec Dashboard__Start.',
  askAdmin: 'Si cela persiste, contactez votre administrateur.',
};
