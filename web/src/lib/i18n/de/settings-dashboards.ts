import type { Translated } from '../message-types.ts';
import type { settingsDashboards as english } from '../en/settings-dashboards.ts';

export const settingsDashboards: Translated<typeof english> = {
  description: 'Dashboards im Menü. Sie entstehen im Dashboard-Werkzeug.',
  new: 'Dashboard hinzufügen',
  edit: 'Dashboard bearbeiten',
  title: 'Titel',
  text: 'Beschreibung',
  textHint: 'Kurzinfo. Optional.',
  path: 'Pfad',
  pathHint: 'Pfad des Dashboards unter {prefix}',
  pathMissing: 'Geben Sie einen Pfad unter {prefix} ein.',
  up: 'Nach oben',
  down: 'Nach unten',
  delete: 'Aus dem Menü entfernen',
  deleteText: 'Das Dashboard selbst bleibt erhalten.',
  added: '{name} ins Menü aufgenommen',
  deleted: '{name} aus dem Menü entfernt',
  failed: 'Speichern fehlgeschlagen: {reason}',
  emptyTitle: 'Keine Dashboards im Menü',
  emptyText: 'Fügen Sie eines hinzu, um es auf der Seite Dashboards zu zeigen.',
};
