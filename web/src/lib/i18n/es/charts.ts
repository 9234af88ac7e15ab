import type { Translated } from '../message-types.ts';
import type { charts as english } from '../en/charts.ts';

export const charts: Translated<typeof english> = {
  legend: 'Leyenda: mostrar u ocultar series',
  zoomIn: 'Acercar',
  zoomOut: 'Alejar',
  resetZoom: 'Restablecer zoom',
  useAsRange: 'Definir como periodo',
  showTable: 'Mostrar como tabla',
  showChart: 'Mostrar como gráfico',
  csv: 'CSV',
  downloadCsv: 'Descargar como CSV',
  begin: 'Inicio',
  end: 'Fin',
  noReadings: 'Sin lecturas',
  sum: 'Total',
  others: '{count, plural, one {# más} other {# más}}',
  lowOf: '{name} (mín.)',
  highOf: '{name} (máx.)',
  lowest: 'Mínimo',
  highest: 'Máximo',
  time: 'Hora',
  tableOf: '{title} como tabla',
  description:
    '{title}, {range}. Máximo: {highest}, {highestAt}. Mínimo: {lowest}, {lowestAt}. Flechas para leer valores, + y − para ampliar y reducir.',
  nothing: 'Sin datos',
  barsDescription: '{title}. Máximo: {highest}, {highestAt}. Mínimo: {lowest}, {lowestAt}. Flechas para leer valores.',
  heatDescription: '{title}. Máximo: {highest}, {highestAt}. Flechas para leer valores.',
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
