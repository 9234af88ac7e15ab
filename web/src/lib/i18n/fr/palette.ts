import type { Translated } from '../message-types.ts';
import type { palette as english } from '../en/palette.ts';

export const palette: Translated<typeof english> = {
  open: 'Rechercher …',
  ctrl: 'Ctrl',
  title: 'Recherche et commandes',
  placeholder: 'Que cherchez-vous ?',
  found: 'Résultats',
  nothing: 'Aucun résultat',
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
    list: 'Afficher les raccourcis',
    onChart: 'Dans un graphique',
    walk: 'Valeur précédente ou suivante',
    walkFast: 'Avancer de 10 valeurs',
    ends: 'Première et dernière valeur',
    zoom: 'Agrandir et réduire',
    unzoom: 'Réinitialiser le zoom',
    singleKeys: 'Raccourcis à une touche',
    singleKeysHint: 'Désactivez pour n’utiliser que les raccourcis Ctrl/⌘.',
  },
};
