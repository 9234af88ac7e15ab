import type { Translated } from '../message-types.ts';
import type { sitesSeveral as english } from '../en/sites-several.ts';

export const sitesSeveral: Translated<typeof english> = {
  choose: 'Sélectionner',
  chooseOne: 'Sélectionner {name}',
  all: 'Tous',
  allFound: '{count, plural, one {Le sélectionner} other {Sélectionner les #}}',
  chosen: '{count, plural, =0 {Aucun sélectionné} one {Un sélectionné} other {# sélectionnés}}',
  noneChosen: 'Sélectionnez d’abord des appareils.',
  tooMany: 'Modifiez au plus {max} appareils à la fois.',
  off: 'Désactiver',
  on: 'Activer',
  move: 'Déplacer',
  settings: 'Réglages',
  offTitle: 'Désactiver {count, plural, one {un appareil} other {# appareils}}',
  onTitle: 'Activer {count, plural, one {un appareil} other {# appareils}}',
  moveTitle: 'Déplacer {count, plural, one {un appareil} other {# appareils}} vers un autre site',
  settingTitle: '{setting} : {count, plural, one {un appareil} other {# appareils}}',
  offText: 'Exclus de la puissance actuelle et des alertes. Les données restent enregistrées.',
  onText: 'De nouveau inclus dans la puissance actuelle et les alertes.',
  moveText: 'Leurs relevés les suivent : énergie et coûts passés des deux sites changent.',
  clear: 'Vider pour tous',
  settingText: 'L’énergie et les coûts passés sont recalculés.',
  more: '{count, plural, one {et un autre} other {et # autres}}',
  torn: '{count, plural, one {{names} doit les suivre.} other {{names} doivent les suivre.}}',
  chooseTorn: '{count, plural, one {L’ajouter} other {Les ajouter}}',
  changed: '{count, plural, one {Un appareil modifié} other {# appareils modifiés}}',
};
