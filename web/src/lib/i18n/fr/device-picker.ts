import type { Translated } from '../message-types.ts';
import type { devicePicker as english } from '../en/device-picker.ts';

export const devicePicker: Translated<typeof english> = {
  all: 'Tous ({count, number})',
  some: '{count, number} appareils',
  sites: '{count, number} sites ({devices, number} appareils)',
  none: 'Aucun',
  nothingFound: 'Aucun appareil correspondant',
  off: 'inactif',
  hint: 'Cliquez sur un nom pour n’afficher que lui, ou cochez la case pour l’ajouter.',
};
