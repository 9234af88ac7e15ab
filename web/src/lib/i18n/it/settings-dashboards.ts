import type { Translated } from '../message-types.ts';
import type { settingsDashboards as english } from '../en/settings-dashboards.ts';

export const settingsDashboards: Translated<typeof english> = {
  description: 'Dashboard nel menu. Si creano nello strumento apposito.',
  new: 'Aggiungi dashboard',
  edit: 'Modifica dashboard',
  title: 'Titolo',
  text: 'Descrizione',
  textHint: 'Descrizione comandi. Facoltativo.',
  path: 'Percorso',
  pathHint: 'Percorso della dashboard, sotto {prefix}',
  pathMissing: 'Inserire un percorso sotto {prefix}.',
  up: 'Sposta su',
  down: 'Sposta giù',
  delete: 'Rimuovi dal menu',
  deleteText: 'La dashboard stessa resta.',
  added: '{name} aggiunta al menu',
  deleted: '{name} rimossa dal menu',
  failed: 'Salvataggio non riuscito: {reason}',
  emptyTitle: 'Nessuna dashboard nel menu',
  emptyText: 'Aggiungerne una per mostrarla nella pagina Dashboard.',
};
