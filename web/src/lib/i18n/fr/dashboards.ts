import type { Translated } from '../message-types.ts';
import type { dashboards as english } from '../en/dashboards.ts';

export const dashboards: Translated<typeof english> = {
  menu: 'Tableaux de bord du menu',
  gone: 'L’outil de tableaux de bord ne répond pas pour le moment ({reason}). Laissez cette page ouverte : elle reprendra d’elle-même.',
  reason: 'Motif : {reason}.',
  reasons: {
    notBuilt: 'sa page n’a pas pu être construite : {detail}',
    ended: 'il s’est arrêté : {detail}',
    noAnswer: 'rien ne répond à l’adresse indiquée dans Dashboard__Upstream',
  },
  installingTitle: 'L’outil de tableaux de bord s’installe',
  installingText:
    'Ses paquets sont téléchargés une seule fois ; cela prend une à deux minutes. Cette page continuera d’elle-même.',
  buildingTitle: 'L’outil de tableaux de bord se construit',
  buildingText: 'Cela prend environ une minute, une fois et après une mise à jour. Cette page continuera d’elle-même.',
  startingTitle: 'L’outil de tableaux de bord démarre',
  startingText: 'Cela prend quelques secondes. Cette page continuera d’elle-même.',
  failedTitle: 'L’outil de tableaux de bord ne fonctionne pas',
  failedText:
    'Le portail réessaie de lui-même ; son journal donne les détails. Tout le reste fonctionne sans cet outil.',
  offTitle: 'Il n’y a pas d’outil de tableaux de bord',
  offText:
    'Rien ne répond sous le chemin de l’outil de tableaux de bord. Démarrez son service derrière le même proxy, indiquez son adresse dans Dashboard__Upstream, ou laissez le portail le démarrer avec Dashboard__Start.',
  askAdmin: 'Si cela dure, prévenez votre administrateur.',
};
