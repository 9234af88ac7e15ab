import type { Translated } from '../message-types.ts';
import type { devicePicker as english } from '../en/device-picker.ts';

export const devicePicker: Translated<typeof english> = {
  all: 'Tous ({count, number})',
  some: '{count, number} appareils',
  sites: '{count, number} sites ({devices, number} appareils)',
  none: 'Aucun',
  nothingFound: 'Aucun appareil ne correspond',
  off: 'désactivé',
  hint: 'Cliquez sur un nom pour ne voir que cet appareil ou ce site, ou sur sa case pour l’ajouter.',
};
