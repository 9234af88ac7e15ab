import type { Translated } from '../message-types.ts';
import type { charts as english } from '../en/charts.ts';

export const charts: Translated<typeof english> = {
  legend: 'Legenda: reeksen tonen of verbergen',
  zoomIn: 'Inzoomen',
  zoomOut: 'Uitzoomen',
  resetZoom: 'Zoom herstellen',
  useAsRange: 'Als periode instellen',
  showTable: 'Als tabel tonen',
  showChart: 'Als grafiek tonen',
  csv: 'CSV',
  downloadCsv: 'Als CSV downloaden',
  begin: 'Begin',
  end: 'Einde',
  noReadings: 'Geen meetwaarden',
  sum: 'Totaal',
  others: '{count, plural, one {# andere} other {# andere}}',
  lowOf: '{name} (min.)',
  highOf: '{name} (max.)',
  lowest: 'Laagste',
  highest: 'Hoogste',
  time: 'Tijd',
  tableOf: '{title} als tabel',
  description:
    '{title}, {range}. Hoogste: {highest} op {highestAt}. Laagste: {lowest} op {lowestAt}. Pijltoetsen lezen waarden, + en − zoomen.',
  nothing: 'Geen gegevens',
  barsDescription:
    '{title}. Hoogste: {highest} op {highestAt}. Laagste: {lowest} op {lowestAt}. Pijltoetsen lezen waarden.',
  heatDescription: '{title}. Hoogste: {highest} op {highestAt}. Pijltoetsen lezen waarden.',
  averages: 'Gemiddelden per {bucket}',
  bucket: {
    minute: '1 minuut',
    '5min': '5 minuten',
    '15min': '15 minuten',
    hour: '1 uur',
    day: '1 dag',
    month: '1 maand',
  },
};
