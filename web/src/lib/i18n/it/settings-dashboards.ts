import type { Translated } from '../message-types.ts';
import type { settingsDashboards as english } from '../en/settings-dashboards.ts';

export const settingsDashboards: Translated<typeof english> = {
  description: 'Il menu della pagina Dashboard. Le dashboard si creano nello strumento apposito.',
  new: 'Aggiungi dashboard',
  edit: 'Modifica dashboard',
  title: 'Titolo',
  text: 'Descrizione',
  textHint: 'Mostrata quando il puntatore è sul titolo. Può restare vuota.',
  path: 'Percorso',
  pathHint: 'Dove si trova la dashboard nello strumento, sotto {prefix}.',
  pathMissing: 'Inserire un percorso sotto {prefix}.',
  up: 'Sposta su',
  down: 'Sposta giù',
  delete: 'Togli dal menu',
  deleteText: 'Scompare dal menu. Nello strumento delle dashboard resta.',
  added: '{name} è nel menu.',
  deleted: '{name} non è più nel menu.',
  failed: 'Operazione non riuscita: {reason}',
  emptyTitle: 'Nessuna dashboard nel menu',
  emptyText: 'Aggiungerne una: si potrà scegliere nella pagina Dashboard.',
};
