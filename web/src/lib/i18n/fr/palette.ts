import type { Translated } from '../message-types.ts';
import type { palette as english } from '../en/palette.ts';

export const palette: Translated<typeof english> = {
  open: 'Rechercher …',
  ctrl: 'Ctrl',
  title: 'Recherche et commandes',
  placeholder: 'Que cherchez-vous ?',
  found: 'Résultats',
  nothing: 'Rien ne porte ce nom.',
  count: '{count, plural, one {# résultat} other {# résultats}}',
  kinds: {
    page: 'Pages',
    action: 'Actions',
    site: 'Sites',
    device: 'Appareils',
    customer: 'Clients',
    board: 'Tableaux',
  },
  actions: {
    site: 'Nouveau site',
    import: 'Importer des sites et des appareils',
    key: 'Nouvelle clé API',
    customer: 'Nouveau client',
    user: 'Nouvel utilisateur',
    board: 'Ajouter un tableau de bord intégré',
  },
  shortcuts: {
    title: 'Raccourcis clavier',
    everywhere: 'Partout',
    palette: 'Recherche et commandes',
    list: 'Cette liste',
    onChart: 'Dans un graphique',
    walk: 'D’une valeur à l’autre',
    walkFast: 'Dix valeurs à la fois',
    ends: 'Première et dernière valeur',
    zoom: 'Agrandir et réduire',
    unzoom: 'Tout afficher de nouveau',
    singleKeys: 'Raccourcis d’une seule lettre ou d’un seul signe',
    singleKeysHint: 'Sans eux, seuls ceux avec Ctrl ou ⌘ fonctionnent.',
  },
};
