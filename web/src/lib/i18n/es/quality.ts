import type { Translated } from '../message-types.ts';
import type { quality as english } from '../en/quality.ts';

export const quality: Translated<typeof english> = {
  title: 'Calidad de los datos',
  states: { measured: 'Medido', interpolated: 'Interpolado', missing: 'Ausente' },
  quarters: '{count, plural, one {# cuarto de hora} other {# cuartos de hora}}',
  description:
    'Cuartos de hora, {range}: {measured} medidos, {interpolated} interpolados, {missing} ausentes. La tabla tiene todos los días.',
  table: 'Calidad de los datos por día',
  day: 'Día',
  daysIn: 'Días de {zone}.',
  siteDays: 'Días locales de cada sede',
  failure: 'La energía de {device} no se puede calcular desde {since}. Próximo intento: {next}.',
  height: 'Altura de la columna: número de cuartos de hora',
};
