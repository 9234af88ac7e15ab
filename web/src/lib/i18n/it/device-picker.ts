import type { Translated } from '../catalogue.ts';
import type { devicePicker as english } from '../en/device-picker.ts';

export const devicePicker: Translated<typeof english> = {
  label: 'Dispositivi',
  all: 'Tutti i dispositivi ({count, number})',
  some: '{count, number} dispositivi',
  sites: '{count, number} sedi ({devices, number} dispositivi)',
  siteDevices: '{count, plural, one {# dispositivo} other {# dispositivi}}',
  more: 'Altri {count, number}: digitare più lettere del nome',
  none: 'Nessuno',
  search: 'Cerca dispositivi e sedi',
  nothingFound: 'Nessun dispositivo corrisponde',
  off: 'disattivato',
  hint: 'Fare clic su un nome per vedere solo quel dispositivo o quella sede, o sulla casella per aggiungerli.',
};
