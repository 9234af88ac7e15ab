import type { Translated } from '../message-types.ts';
import type { charts as english } from '../en/charts.ts';

export const charts: Translated<typeof english> = {
  legend: 'Légende : afficher ou masquer les séries',
  zoomIn: 'Zoom avant',
  zoomOut: 'Zoom arrière',
  resetZoom: 'Réinitialiser le zoom',
  useAsRange: 'Définir comme période',
  showTable: 'Afficher en tableau',
  showChart: 'Afficher en graphique',
  csv: 'CSV',
  downloadCsv: 'Télécharger en CSV',
  begin: 'Début',
  end: 'Fin',
  noReadings: 'Aucun relevé',
  sum: 'Total',
  others: '{count, plural, one {# autre} other {# autres}}',
  lowOf: '{name} (min.)',
  highOf: '{name} (max.)',
  lowest: 'Minimum',
  highest: 'Maximum',
  time: 'Heure',
  tableOf: '{title} en tableau',
  description:
    '{title}, {range}. Maximum : {highest} à {highestAt}. Minimum : {lowest} à {lowestAt}. Flèches pour lire les valeurs, + et − pour zoomer.',
  nothing: 'Aucune donnée',
  barsDescription:
    '{title}. Maximum : {highest}, {highestAt}. Minimum : {lowest}, {lowestAt}. Flèches pour lire les valeurs.',
  heatDescription: '{title}. Maximum : {highest}, {highestAt}. Flèches pour lire les valeurs.',
  averages: 'Moyennes sur {bucket}',
  bucket: {
    minute: '1 minute',
    '5min': '5 minutes',
    '15min': '15 minutes',
    hour: '1 heure',
    day: '1 jour',
    month: '1 mois',
  },
};
