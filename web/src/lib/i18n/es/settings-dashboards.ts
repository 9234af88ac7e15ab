import type { Translated } from '../message-types.ts';
import type { settingsDashboards as english } from '../en/settings-dashboards.ts';

export const settingsDashboards: Translated<typeof english> = {
  description: 'Paneles del menú. Se crean en la herramienta de paneles.',
  new: 'Añadir panel',
  edit: 'Editar panel',
  title: 'Título',
  text: 'Descripción',
  textHint: 'Descripción emergente. Opcional.',
  path: 'Ruta',
  pathHint: 'Ruta del panel, bajo {prefix}',
  pathMissing: 'Introduzca una ruta bajo {prefix}.',
  up: 'Subir',
  down: 'Bajar',
  delete: 'Quitar del menú',
  deleteText: 'El panel en sí se conserva.',
  added: '{name} añadido al menú',
  deleted: '{name} quitado del menú',
  failed: 'No se ha podido guardar: {reason}',
  emptyTitle: 'No hay paneles en el menú',
  emptyText: 'Añada uno para mostrarlo en la página Paneles.',
};
