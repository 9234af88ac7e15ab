import type { Translated } from '../message-types.ts';
import type { settingsDashboards as english } from '../en/settings-dashboards.ts';

export const settingsDashboards: Translated<typeof english> = {
  description: 'Dashboards in het menu. Ze worden in de dashboardtool gemaakt.',
  new: 'Dashboard toevoegen',
  edit: 'Dashboard bewerken',
  title: 'Titel',
  text: 'Beschrijving',
  textHint: 'Tooltip. Optioneel.',
  path: 'Pad',
  pathHint: 'Pad van het dashboard, onder {prefix}',
  pathMissing: 'Voer een pad onder {prefix} in.',
  up: 'Omhoog',
  down: 'Omlaag',
  delete: 'Uit het menu verwijderen',
  deleteText: 'Het dashboard zelf blijft bestaan.',
  added: '{name} toegevoegd aan het menu',
  deleted: '{name} verwijderd uit het menu',
  failed: 'Opslaan mislukt: {reason}',
  emptyTitle: 'Geen dashboards in het menu',
  emptyText: 'Voeg er een toe om het op de pagina Dashboards te tonen.',
};
