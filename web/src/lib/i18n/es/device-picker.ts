import type { Translated } from '../message-types.ts';
import type { devicePicker as english } from '../en/device-picker.ts';

export const devicePicker: Translated<typeof english> = {
  all: 'Todos ({count, number})',
  some: '{count, number} equipos',
  sites: '{count, number} sedes ({devices, number} equipos)',
  none: 'Ninguno',
  nothingFound: 'Ningún equipo coincide',
  off: 'desactivado',
  hint: 'Pulse un nombre para ver solo ese equipo o esa sede, o su casilla para añadirlo.',
};
