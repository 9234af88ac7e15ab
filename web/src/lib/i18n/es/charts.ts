import type { Translated } from '../message-types.ts';
import type { charts as english } from '../en/charts.ts';

export const charts: Translated<typeof english> = {
  legend: 'Series; cada una puede ocultarse',
  zoomIn: 'Acercar',
  zoomOut: 'Alejar',
  resetZoom: 'Mostrar todo',
  useAsRange: 'Usar como periodo',
  showTable: 'Mostrar como tabla',
  showChart: 'Mostrar como gráfico',
  csv: 'CSV',
  downloadCsv: 'Descargar como CSV',
  begin: 'Inicio',
  end: 'Fin',
  noReadings: 'Sin lecturas',
  sum: 'Total',
  others: '{count, plural, one {# más} other {# más}}',
  lowOf: '{name}, mínimo',
  highOf: '{name}, máximo',
  lowest: 'Mínimo',
  highest: 'Máximo',
  time: 'Hora',
  tableOf: '{title} como tabla',
  description:
    '{title}, {range}. Máximo: {highest}, {highestAt}. Mínimo: {lowest}, {lowestAt}. Las flechas leen los valores uno a uno; más y menos cambian la escala.',
  nothing: 'Nada',
  barsDescription:
    '{title}. Máximo: {highest}, {highestAt}. Mínimo: {lowest}, {lowestAt}. Las flechas leen los valores uno a uno.',
  heatDescription: '{title}. Máximo: {highest}, {highestAt}. Las flechas leen los valores uno a uno.',
  averages: 'Medias de {bucket}',
  bucket: {
    minute: '1 minuto',
    '5min': '5 minutos',
    '15min': '15 minutos',
    hour: '1 hora',
    day: '1 día',
    month: '1 mes',
  },
};
