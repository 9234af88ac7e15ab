import type { Translated } from '../message-types.ts';
import type { quality as english } from '../en/quality.ts';

export const quality: Translated<typeof english> = {
  title: 'Datenqualität',
  states: { measured: 'Gemessen', interpolated: 'Interpoliert', missing: 'Fehlend' },
  quarters: '{count, plural, one {# Viertelstunde} other {# Viertelstunden}}',
  description:
    'Viertelstunden, {range}: {measured} gemessen, {interpolated} interpoliert, {missing} fehlend. Die Tabelle zeigt jeden Tag.',
  table: 'Datenqualität nach Tagen',
  day: 'Tag',
  daysIn: 'Tage in {zone}.',
  siteDays: 'Tage nach Ortszeit der Standorte',
  failure: 'Energie von {device} seit {since} nicht berechenbar. Nächster Versuch: {next}.',
  height: 'Säulenhöhe: Zahl der Viertelstunden',
};
