import type { Translated } from '../message-types.ts';
import type { charts as english } from '../en/charts.ts';

export const charts: Translated<typeof english> = {
  legend: 'Legenda: mostra o nascondi le serie',
  zoomIn: 'Ingrandisci',
  zoomOut: 'Riduci',
  resetZoom: 'Reimposta zoom',
  useAsRange: 'Imposta come periodo',
  showTable: 'Mostra come tabella',
  showChart: 'Mostra come grafico',
  csv: 'CSV',
  downloadCsv: 'Scarica come CSV',
  begin: 'Inizio',
  end: 'Fine',
  noReadings: 'Nessuna lettura',
  sum: 'Totale',
  others: '{count, plural, one {# altro} other {altri #}}',
  lowOf: '{name} (min.)',
  highOf: '{name} (max.)',
  lowest: 'Minimo',
  highest: 'Massimo',
  time: 'Ora',
  tableOf: '{title} come tabella',
  description:
    '{title}, {range}. Massimo: {highest}, {highestAt}. Minimo: {lowest}, {lowestAt}. Frecce per leggere i valori, + e − per lo zoom.',
  nothing: 'Nessun dato',
  barsDescription:
    '{title}. Massimo: {highest}, {highestAt}. Minimo: {lowest}, {lowestAt}. Frecce per leggere i valori.',
  heatDescription: '{title}. Massimo: {highest}, {highestAt}. Frecce per leggere i valori.',
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
