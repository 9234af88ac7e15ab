import type { Translated } from '../message-types.ts';
import type { settingsDashboards as english } from '../en/settings-dashboards.ts';

export const settingsDashboards: Translated<typeof english> = {
  description:
    'Le menu de la page Tableaux de bord. Les tableaux eux-mêmes se créent dans l’outil de tableaux de bord.',
  new: 'Ajouter un tableau de bord',
  edit: 'Modifier le tableau de bord',
  title: 'Titre',
  text: 'Description',
  textHint: 'Affichée quand le pointeur est sur le titre. Peut rester vide.',
  path: 'Chemin',
  pathHint: 'Où se trouve le tableau dans l’outil, sous {prefix}.',
  pathMissing: 'Saisissez un chemin sous {prefix}.',
  up: 'Monter',
  down: 'Descendre',
  delete: 'Retirer du menu',
  deleteText: 'Il disparaît du menu. Dans l’outil de tableaux de bord, il reste.',
  added: '{name} est au menu.',
  deleted: '{name} n’est plus au menu.',
  failed: 'Cela n’a pas fonctionné : {reason}',
  emptyTitle: 'Aucun tableau de bord au menu',
  emptyText: 'Ajoutez-en un : il pourra être choisi sur la page Tableaux de bord.',
};
