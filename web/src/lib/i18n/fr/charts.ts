import type { Translated } from '../message-types.ts';
import type { charts as english } from '../en/charts.ts';

export const charts: Translated<typeof english> = {
  legend: 'Séries ; chacune peut être masquée',
  zoomIn: 'Zoom avant',
  zoomOut: 'Zoom arrière',
  resetZoom: 'Tout afficher',
  useAsRange: 'Prendre comme période',
  showTable: 'Afficher en tableau',
  showChart: 'Afficher en graphique',
  csv: 'CSV',
  downloadCsv: 'Télécharger en CSV',
  begin: 'Début',
  end: 'Fin',
  noReadings: 'Aucun relevé',
  sum: 'Total',
  others: '{count, plural, one {# autre} other {# autres}}',
  lowOf: '{name}, minimum',
  highOf: '{name}, maximum',
  lowest: 'Minimum',
  highest: 'Maximum',
  time: 'Heure',
  tableOf: '{title} en tableau',
  description:
    '{title}, {range}. Maximum : {highest} à {highestAt}. Minimum : {lowest} à {lowestAt}. Les flèches lisent les valeurs une à une, plus et moins zooment.',
  nothing: 'Rien',
  barsDescription:
    '{title}. Maximum : {highest}, {highestAt}. Minimum : {lowest}, {lowestAt}. Les flèches lisent les valeurs une à une.',
  heatDescription: '{title}. Maximum : {highest}, {highestAt}. Les flèches lisent les valeurs une à une.',
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
