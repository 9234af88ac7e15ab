import type { Translated } from '../message-types.ts';
import type { report as english } from '../en/report.ts';

export const report: Translated<typeof english> = {
  print: 'Imprimer ou enregistrer en PDF',
  month: 'Mois ou année du rapport',
  months: 'Mois',
  years: 'Années',
  previous: 'Rapport précédent',
  next: 'Rapport suivant',
  allSites: 'Tous les sites ({sites, number}), {devices, plural, one {# appareil} other {# appareils}}',
  noDevices: 'Il n’y a pas de tels appareils.',
  notBegun: 'La période n’a pas encore commencé',
  notBegunText: 'Choisissez un mois ou une année qui a commencé.',
  figures: 'Chiffres clés',
  figure: 'Chiffre',
  change: 'depuis {change}',
  unpricedNow: 'à présent en partie sans prix',
  unpricedThen: 'alors en partie sans prix',
  energyByDay: 'Énergie par jour',
  energyByMonth: 'Énergie par mois',
  peak: 'Puissance de pointe : {power} pendant le quart d’heure à partir du {time}',
  peakNote: 'Ce qui consommait le plus à ce moment',
  cost: 'Coût par période tarifaire',
  costNote:
    'Les lignes de même nom et de même prix sur plusieurs sites sont réunies. Chaque montant est arrondi à la plus petite unité de la monnaie, et la somme des lignes donne le total.',
  bySite: 'Par site',
  byDevice: 'Part de chaque appareil',
  otherDevices: '{count, plural, one {# autre appareil} other {# autres appareils}}',
  otherSubMeters:
    '{count, plural, one {# autre sous-compteur, compris dans le compteur dont il dépend} other {# autres sous-compteurs, compris dans les compteurs dont ils dépendent}}',
  otherSites: '{count, plural, one {# autre site} other {# autres sites}}',
  ownRemark: {
    add: 'Ajouter une remarque',
    change: 'Modifier la remarque',
    label: 'Remarque',
    hint: 'Figure dans ce rapport pour tous ceux qui l’ouvrent ou l’impriment. Au plus {max} caractères ; vide, elle disparaît.',
    saved: 'La remarque est enregistrée.',
  },
  remarks: {
    title: 'Remarques',
    running:
      'La période n’est pas terminée : tous les chiffres vont jusqu’au {until}, ceux des autres périodes s’arrêtent au même point.',
    nothing: 'Rien n’a été mesuré.',
    noneBefore: 'Il n’y a aucun relevé à comparer pour la période {range}.',
    measuredThen: 'Seuls {share} de l’énergie de ce rapport étaient mesurés pour la période {range}.',
    measuredNow: 'Seuls {share} de l’énergie de la période {range} sont mesurés dans ce rapport.',
    estimated: '{energy} ({share}) ont été répartis sur des lacunes entre les relevés.',
    unpriced: '{energy} n’ont pas de prix, faute de tarif en vigueur ; ils ne figurent dans aucun montant.',
    quiet:
      'Aucune mesure de {names}{more, plural, =0 {} one { et de # autre appareil} other { et de # autres appareils}}.',
    tariffs: '{site} : plusieurs tarifs étaient en vigueur, {tariffs}.',
    clocks: 'Changement d’heure : le {day} avait {hours} heures.',
    readAt: 'Lu dans le portail le {time}.',
  },
};
