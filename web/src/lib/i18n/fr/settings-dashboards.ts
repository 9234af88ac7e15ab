import type { Translated } from '../message-types.ts';
import type { settingsDashboards as english } from '../en/settings-dashboards.ts';

export const settingsDashboards: Translated<typeof english> = {
  description: 'Tableaux de bord du menu. Ils se créent dans l’outil de tableaux de bord.',
  new: 'Ajouter un tableau de bord',
  edit: 'Modifier le tableau de bord',
  title: 'Titre',
  text: 'Description',
  textHint: 'Infobulle. Facultatif.',
  path: 'Chemin',
  pathHint: 'Chemin du tableau de bord, sous {prefix}',
  pathMissing: 'Saisissez un chemin sous {prefix}.',
  up: 'Monter',
  down: 'Descendre',
  delete: 'Retirer du menu',
  deleteText: 'Le tableau de bord lui-même est conservé.',
  added: '{name} ajouté au menu',
  deleted: '{name} retiré du menu',
  failed: 'Échec de l’enregistrement : {reason}',
  emptyTitle: 'Aucun tableau de bord au menu',
  emptyText: 'Ajoutez-en un pour l’afficher sur la page Tableaux de bord.',
};
