import type { Translated } from '../message-types.ts';
import type { charts as english } from '../en/charts.ts';

export const charts: Translated<typeof english> = {
  legend: 'Reeksen; elk kan worden verborgen',
  zoomIn: 'Inzoomen',
  zoomOut: 'Uitzoomen',
  resetZoom: 'Alles tonen',
  useAsRange: 'Als periode gebruiken',
  showTable: 'Als tabel tonen',
  showChart: 'Als grafiek tonen',
  csv: 'CSV',
  downloadCsv: 'Als CSV downloaden',
  begin: 'Begin',
  end: 'Einde',
  noReadings: 'Geen meetwaarden',
  sum: 'Totaal',
  others: '{count, plural, one {# andere} other {# andere}}',
  lowOf: '{name}, laagste',
  highOf: '{name}, hoogste',
  lowest: 'Laagste',
  highest: 'Hoogste',
  time: 'Tijd',
  tableOf: '{title} als tabel',
  description:
    '{title}, {range}. Hoogste: {highest} op {highestAt}. Laagste: {lowest} op {lowestAt}. Pijltoetsen lezen losse waarden, plus en min zoomen.',
  nothing: 'Niets',
  barsDescription:
    '{title}. Hoogste: {highest} op {highestAt}. Laagste: {lowest} op {lowestAt}. Pijltoetsen lezen losse waarden.',
  heatDescription: '{title}. Hoogste: {highest} op {highestAt}. Pijltoetsen lezen losse waarden.',
  averages: 'Gemiddelden over {bucket}',
  bucket: {
    minute: '1 minuut',
    '5min': '5 minuten',
    '15min': '15 minuten',
    hour: '1 uur',
    day: '1 dag',
    month: '1 maand',
  },
};
