import type { Translated } from '../message-types.ts';
import type { devicePicker as english } from '../en/device-picker.ts';

export const devicePicker: Translated<typeof english> = {
  all: 'Alle apparaten ({count, number})',
  some: '{count, number} apparaten',
  sites: '{count, number} locaties ({devices, number} apparaten)',
  none: 'Geen',
  nothingFound: 'Geen passende apparaten',
  off: 'inactief',
  hint: 'Klik op een naam om alleen die te tonen, of op het vakje om toe te voegen.',
};
