import type { Translated } from '../message-types.ts';
import type { quality as english } from '../en/quality.ts';

export const quality: Translated<typeof english> = {
  title: 'Qualité des données',
  states: { measured: 'Mesuré', interpolated: 'Interpolé', missing: 'Manquant' },
  quarters: '{count, plural, one {# quart d’heure} other {# quarts d’heure}}',
  description:
    'Quarts d’heure, {range} : {measured} mesurés, {interpolated} interpolés, {missing} manquants. Le tableau donne chaque jour.',
  table: 'Qualité des données par jour',
  day: 'Jour',
  daysIn: 'Jours de {zone}.',
  siteDays: 'Jours à l’heure locale des sites',
  failure: 'Énergie de {device} non calculable depuis {since}. Prochaine tentative : {next}.',
  height: 'Hauteur de colonne : nombre de quarts d’heure',
};
