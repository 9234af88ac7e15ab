import type { Translated } from '../message-types.ts';
import type { quality as english } from '../en/quality.ts';

export const quality: Translated<typeof english> = {
  title: 'Qualità dei dati',
  states: { measured: 'Misurato', interpolated: 'Interpolato', missing: 'Mancante' },
  quarters: '{count, plural, one {# quarto d’ora} other {# quarti d’ora}}',
  description:
    'Quarti d’ora, {range}: {measured} misurati, {interpolated} interpolati, {missing} mancanti. La tabella ha ogni giorno.',
  table: 'Qualità dei dati per giorno',
  day: 'Giorno',
  daysIn: 'Giorni di {zone}.',
  siteDays: 'Giorni all’ora locale delle sedi',
  failure: 'Energia di {device} non calcolabile da {since}. Prossimo tentativo: {next}.',
  height: 'Altezza della colonna: numero di quarti d’ora',
};
