import type { Translated } from '../message-types.ts';
import type { quality as english } from '../en/quality.ts';

export const quality: Translated<typeof english> = {
  title: 'Datakwaliteit',
  states: { measured: 'Gemeten', interpolated: 'Geïnterpoleerd', missing: 'Ontbrekend' },
  quarters: '{count, plural, one {# kwartier} other {# kwartieren}}',
  description:
    'Kwartieren, {range}: {measured} gemeten, {interpolated} geïnterpoleerd, {missing} ontbrekend. De tabel heeft elke dag.',
  table: 'Datakwaliteit per dag',
  day: 'Dag',
  daysIn: 'Dagen in {zone}.',
  siteDays: 'Dagen in lokale tijd van de locaties',
  failure: 'Energie van {device} sinds {since} niet te berekenen. Volgende poging: {next}.',
  height: 'Kolomhoogte: aantal kwartieren',
};
