import type { Translated } from '../message-types.ts';
import type { devicePicker as english } from '../en/device-picker.ts';

export const devicePicker: Translated<typeof english> = {
  all: 'Alle Geräte ({count, number})',
  some: '{count, number} Geräte',
  sites: '{count, number} Standorte ({devices, number} Geräte)',
  none: 'Keine',
  nothingFound: 'Kein Gerät gefunden',
  off: 'abgeschaltet',
  hint: 'Ein Klick auf den Namen zeigt nur dieses Gerät oder diesen Standort, einer auf das Kästchen nimmt es dazu.',
};
