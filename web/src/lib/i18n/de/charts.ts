import type { Translated } from '../message-types.ts';
import type { charts as english } from '../en/charts.ts';

export const charts: Translated<typeof english> = {
  legend: 'Legende: Reihen ein- und ausblenden',
  zoomIn: 'Vergrößern',
  zoomOut: 'Verkleinern',
  resetZoom: 'Zoom zurücksetzen',
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
  lowOf: '{name}, min.',
  highOf: '{name}, max.',
  lowest: 'Niedrigster',
  highest: 'Höchster',
  time: 'Zeit',
  tableOf: '{title} als Tabelle',
  description:
    '{title}, {range}. Höchstwert: {highest}, {highestAt}. Tiefstwert: {lowest}, {lowestAt}. Pfeiltasten lesen Werte vor, Plus und Minus zoomen.',
  nothing: 'Keine Daten',
  barsDescription:
    '{title}. Höchstwert: {highest}, {highestAt}. Tiefstwert: {lowest}, {lowestAt}. Pfeiltasten lesen Werte vor.',
  heatDescription: '{title}. Höchstwert: {highest}, {highestAt}. Pfeiltasten lesen Werte vor.',
  averages: 'Mittelwerte je {bucket}',
  bucket: {
    minute: '1 Minute',
    '5min': '5 Minuten',
    '15min': '15 Minuten',
    hour: '1 Stunde',
    day: '1 Tag',
    month: '1 Monat',
  },
};
