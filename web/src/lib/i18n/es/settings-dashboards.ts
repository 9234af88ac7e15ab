import type { Translated } from '../message-types.ts';
import type { settingsDashboards as english } from '../en/settings-dashboards.ts';

export const settingsDashboards: Translated<typeof english> = {
  description: 'El menú de la página Paneles. Los paneles se hacen en la herramienta de paneles.',
  new: 'Añadir panel',
  edit: 'Editar panel',
  title: 'Título',
  text: 'Descripción',
  textHint: 'Se muestra cuando el puntero está sobre el título. Puede quedar vacía.',
  path: 'Ruta',
  pathHint: 'Dónde está el panel en la herramienta, bajo {prefix}.',
  pathMissing: 'Introduzca una ruta bajo {prefix}.',
  up: 'Subir',
  down: 'Bajar',
  delete: 'Quitar del menú',
  deleteText: 'Desaparece del menú. En la herramienta de paneles se conserva.',
  added: '{name} está en el menú.',
  deleted: '{name} ya no está en el menú.',
  failed: 'No ha funcionado: {reason}',
  emptyTitle: 'No hay paneles en el menú',
  emptyText: 'Añada uno y podrá elegirse en la página Paneles.',
};
