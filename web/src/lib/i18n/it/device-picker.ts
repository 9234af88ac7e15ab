import type { Translated } from '../message-types.ts';
import type { devicePicker as english } from '../en/device-picker.ts';

export const devicePicker: Translated<typeof english> = {
  all: 'Tutti ({count, number})',
  some: '{count, number} dispositivi',
  sites: '{count, number} sedi ({devices, number} dispositivi)',
  none: 'Nessuno',
  nothingFound: 'Nessun dispositivo corrispondente',
  off: 'inattivo',
  hint: 'Clic su un nome per mostrare solo quello, sulla casella per aggiungerlo.',
};
