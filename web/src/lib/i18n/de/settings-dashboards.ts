import type { Translated } from '../message-types.ts';
import type { settingsDashboards as english } from '../en/settings-dashboards.ts';

export const settingsDashboards: Translated<typeof english> = {
  description: 'Das Menü der Seite Dashboards. Die Dashboards selbst entstehen im Dashboard-Werkzeug.',
  new: 'Dashboard hinzufügen',
  edit: 'Dashboard bearbeiten',
  title: 'Titel',
  text: 'Beschreibung',
  textHint: 'Erscheint, wenn der Zeiger auf dem Titel ruht. Darf leer sein.',
  path: 'Pfad',
  pathHint: 'Wo das Dashboard im Werkzeug liegt, unter {prefix}.',
  pathMissing: 'Geben Sie einen Pfad unter {prefix} ein.',
  up: 'Nach oben',
  down: 'Nach unten',
  delete: 'Aus dem Menü nehmen',
  deleteText: 'Es verschwindet aus dem Menü. Im Dashboard-Werkzeug bleibt es.',
  added: '{name} steht im Menü.',
  deleted: '{name} steht nicht mehr im Menü.',
  failed: 'Das hat nicht funktioniert: {reason}',
  emptyTitle: 'Keine Dashboards im Menü',
  emptyText: 'Fügen Sie eines hinzu, dann kann man es auf der Seite Dashboards wählen.',
};
