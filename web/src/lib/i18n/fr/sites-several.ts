import type { Translated } from '../catalogue.ts';
import type { sitesSeveral as english } from '../en/sites-several.ts';

export const sitesSeveral: Translated<typeof english> = {
  choose: 'En choisir plusieurs',
  end: 'Terminé',
  chooseOne: 'Choisir {name}',
  all: 'Tous',
  chosen: '{count, plural, =0 {Aucun choisi} one {Un choisi} other {# choisis}}',
  noneChosen: 'Choisissez d’abord des appareils.',
  off: 'Désactiver',
  on: 'Activer',
  move: 'Déplacer',
  offTitle: 'Désactiver {count, plural, one {un appareil} other {# appareils}}',
  onTitle: 'Activer {count, plural, one {un appareil} other {# appareils}}',
  moveTitle: 'Déplacer {count, plural, one {un appareil} other {# appareils}} vers un autre site',
  offText:
    'Ils ne comptent plus dans la puissance actuelle et leur silence n’est plus surveillé. Ce qu’ils envoient est enregistré malgré tout.',
  onText: 'Ils comptent de nouveau dans la puissance actuelle et leur silence est surveillé.',
  moveText: 'Leurs relevés les suivent, ceux du passé aussi : l’énergie et le coût des deux sites changent.',
  changed: '{count, plural, one {Un appareil est modifié} other {# appareils sont modifiés}}.',
};
