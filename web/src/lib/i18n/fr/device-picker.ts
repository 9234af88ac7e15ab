import type { Translated } from '../catalogue.ts';
import type { devicePicker as english } from '../en/device-picker.ts';

export const devicePicker: Translated<typeof english> = {
  label: 'Appareils',
  all: 'Tous les appareils ({count, number})',
  some: '{count, number} appareils',
  sites: '{count, number} sites ({devices, number} appareils)',
  siteDevices: '{count, plural, one {# appareil} other {# appareils}}',
  more: '{count, number} de plus : précisez le nom',
  none: 'Aucun',
  search: 'Rechercher appareils et sites',
  nothingFound: 'Aucun appareil ne correspond',
  off: 'désactivé',
  hint: 'Cliquez sur un nom pour ne voir que cet appareil ou ce site, ou sur sa case pour l’ajouter.',
};
