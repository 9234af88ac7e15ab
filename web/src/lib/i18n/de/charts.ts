import type { Translated } from '../message-types.ts';
import type { charts as english } from '../en/charts.ts';

export const charts: Translated<typeof english> = {
  legend: 'Reihen, einzeln ausblendbar',
  zoomIn: 'Vergrößern',
  zoomOut: 'Verkleinern',
  resetZoom: 'Alles zeigen',
  useAsRange: 'Als Zeitraum übernehmen',
  showTable: 'Als Tabelle zeigen',
  showChart: 'Als Diagramm zeigen',
  csv: 'CSV',
  downloadCsv: 'Als CSV herunterladen',
  begin: 'Beginn',
  end: 'Ende',
  noReadings: 'Keine Messwerte',
  sum: 'Summe',
  others: '{count, plural, one {# weiteres} other {# weitere}}',
  lowOf: '{name}, unten',
  highOf: '{name}, oben',
  lowest: 'Niedrigster',
  highest: 'Höchster',
  time: 'Zeit',
  tableOf: '{title} als Tabelle',
  description:
    '{title}, {range}. Höchster Wert: {highest}, {highestAt}. Niedrigster Wert: {lowest}, {lowestAt}. Pfeiltasten lesen einzelne Werte vor, Plus und Minus vergrößern und verkleinern.',
  nothing: 'Nichts',
  barsDescription:
    '{title}. Höchstwert: {highest}, {highestAt}. Tiefstwert: {lowest}, {lowestAt}. Die Pfeiltasten lesen einzelne Werte vor.',
  heatDescription: '{title}. Höchstwert: {highest}, {highestAt}. Die Pfeiltasten lesen einzelne Werte vor.',
  averages: 'Mittelwerte über {bucket}',
  bucket: {
    minute: '1 Minute',
    '5min': '5 Minuten',
    '15min': '15 Minuten',
    hour: '1 Stunde',
    day: '1 Tag',
    month: '1 Monat',
  },
};
