import type { Translated } from '../message-types.ts';
import type { devicePicker as english } from '../en/device-picker.ts';

export const devicePicker: Translated<typeof english> = {
  all: 'Alle apparaten ({count, number})',
  some: '{count, number} apparaten',
  sites: '{count, number} locaties ({devices, number} apparaten)',
  none: 'Geen',
  nothingFound: 'Geen apparaat gevonden',
  off: 'uitgeschakeld',
  hint: 'Klik op een naam om alleen dat apparaat of die locatie te zien, of op het vakje om toe te voegen.',
};
