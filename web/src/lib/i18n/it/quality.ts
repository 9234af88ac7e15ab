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
  siteDays: 'Giorni secondo l’orologio di ogni sede.',
  failure:
    'L’energia di {device} non è calcolabile da {since}: ciò che è arrivato da allora manca nei suoi valori. Prossimo tentativo: {next}.',
  height: 'Più quarti d’ora conta una colonna, più è alta.',
};
