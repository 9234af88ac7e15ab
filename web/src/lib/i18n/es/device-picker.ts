import type { Translated } from '../message-types.ts';
import type { devicePicker as english } from '../en/device-picker.ts';

export const devicePicker: Translated<typeof english> = {
  all: 'Todos ({count, number})',
  some: '{count, number} equipos',
  sites: '{count, number} sedes ({devices, number} equipos)',
  none: 'Ninguno',
  nothingFound: 'Ningún equipo coincide',
  off: 'inactivo',
  hint: 'Pulse un nombre para mostrar solo ese, o la casilla para añadirlo.',
};
