import type { Translated } from '../message-types.ts';
import type { settingsDashboards as english } from '../en/settings-dashboards.ts';

export const settingsDashboards: Translated<typeof english> = {
  description: 'Het menu van de pagina Dashboards. De dashboards zelf worden in de dashboardtool gemaakt.',
  new: 'Dashboard toevoegen',
  edit: 'Dashboard bewerken',
  title: 'Titel',
  text: 'Beschrijving',
  textHint: 'Getoond als de aanwijzer op de titel rust. Mag leeg zijn.',
  path: 'Pad',
  pathHint: 'Waar het dashboard in de tool staat, onder {prefix}.',
  pathMissing: 'Voer een pad onder {prefix} in.',
  up: 'Omhoog',
  down: 'Omlaag',
  delete: 'Uit het menu halen',
  deleteText: 'Het verdwijnt uit het menu. In de dashboardtool blijft het.',
  added: '{name} staat in het menu.',
  deleted: '{name} staat niet meer in het menu.',
  failed: 'Dat is niet gelukt: {reason}',
  emptyTitle: 'Geen dashboards in het menu',
  emptyText: 'Voeg er een toe, en het kan op de pagina Dashboards worden gekozen.',
};
