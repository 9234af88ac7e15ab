import type { Translated } from '../message-types.ts';
import type { sitesSeveral as english } from '../en/sites-several.ts';

export const sitesSeveral: Translated<typeof english> = {
  choose: 'En choisir plusieurs',
  chooseOne: 'Choisir {name}',
  all: 'Tous',
  allFound: '{count, plural, one {Celui trouvé} other {Les # trouvés}}',
  chosen: '{count, plural, =0 {Aucun choisi} one {Un choisi} other {# choisis}}',
  noneChosen: 'Choisissez d’abord des appareils.',
  tooMany: 'Au plus {max} appareils sont modifiés à la fois.',
  off: 'Désactiver',
  on: 'Activer',
  move: 'Déplacer',
  settings: 'Réglages',
  offTitle: 'Désactiver {count, plural, one {un appareil} other {# appareils}}',
  onTitle: 'Activer {count, plural, one {un appareil} other {# appareils}}',
  moveTitle: 'Déplacer {count, plural, one {un appareil} other {# appareils}} vers un autre site',
  settingTitle: '{setting} : {count, plural, one {un appareil} other {# appareils}}',
  offText:
    'Ils ne comptent plus dans la puissance actuelle et leur silence n’est plus surveillé. Ce qu’ils envoient est enregistré malgré tout.',
  onText: 'Ils comptent de nouveau dans la puissance actuelle et leur silence est surveillé.',
  moveText: 'Leurs relevés les suivent, ceux du passé aussi : l’énergie et le coût des deux sites changent.',
  clear: 'Vider pour tous',
  settingText:
    'Cela vaut aussi pour les relevés du passé : l’énergie et le coût peuvent changer et sont recalculés en arrière-plan.',
  more: '{count, plural, one {et un autre} other {et # autres}}',
  torn: '{count, plural, one {Un appareil est lié} other {# appareils sont liés}} à ceux choisis comme compteur principal ou sous-compteur : {names}. De tels appareils se déplacent ensemble.',
  chooseTorn: '{count, plural, one {Le choisir aussi} other {Les choisir aussi}}',
  changed: '{count, plural, one {Un appareil est modifié} other {# appareils sont modifiés}}.',
};
