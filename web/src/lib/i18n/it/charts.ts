import type { Translated } from '../message-types.ts';
import type { charts as english } from '../en/charts.ts';

export const charts: Translated<typeof english> = {
  legend: 'Serie; ognuna può essere nascosta',
  zoomIn: 'Ingrandisci',
  zoomOut: 'Riduci',
  resetZoom: 'Mostra tutto',
  useAsRange: 'Usa come periodo',
  showTable: 'Mostra come tabella',
  showChart: 'Mostra come grafico',
  csv: 'CSV',
  downloadCsv: 'Scarica come CSV',
  begin: 'Inizio',
  end: 'Fine',
  noReadings: 'Nessuna lettura',
  sum: 'Totale',
  others: '{count, plural, one {# altro} other {altri #}}',
  lowOf: '{name}, minimo',
  highOf: '{name}, massimo',
  lowest: 'Minimo',
  highest: 'Massimo',
  time: 'Ora',
  tableOf: '{title} come tabella',
  description:
    '{title}, {range}. Massimo: {highest}, {highestAt}. Minimo: {lowest}, {lowestAt}. Le frecce leggono i singoli valori, più e meno ingrandiscono e riducono.',
  nothing: 'Niente',
  barsDescription:
    '{title}. Massimo: {highest}, {highestAt}. Minimo: {lowest}, {lowestAt}. Le frecce leggono i singoli valori.',
  heatDescription: '{title}. Massimo: {highest}, {highestAt}. Le frecce leggono i singoli valori.',
  averages: 'Medie su {bucket}',
  bucket: {
    minute: '1 minuto',
    '5min': '5 minuti',
    '15min': '15 minuti',
    hour: '1 ora',
    day: '1 giorno',
    month: '1 mese',
  },
};
