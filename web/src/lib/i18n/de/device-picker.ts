import type { Translated } from '../message-types.ts';
import type { devicePicker as english } from '../en/device-picker.ts';

export const devicePicker: Translated<typeof english> = {
  all: 'Alle Geräte ({count, number})',
  some: '{count, number} Geräte',
  sites: '{count, number} Standorte ({devices, number} Geräte)',
  none: 'Keine',
  nothingFound: 'Keine passenden Geräte',
  off: 'inaktiv',
  hint: 'Klick auf den Namen zeigt nur diesen Eintrag, das Kästchen fügt ihn hinzu.',
};
