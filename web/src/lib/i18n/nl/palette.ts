import type { Translated } from '../message-types.ts';
import type { palette as english } from '../en/palette.ts';

export const palette: Translated<typeof english> = {
  open: 'Zoeken …',
  ctrl: 'Ctrl',
  title: 'Zoeken en opdrachten',
  placeholder: 'Wat zoekt u?',
  found: 'Resultaten',
  nothing: 'Geen resultaten',
  count: '{count, plural, one {# resultaat} other {# resultaten}}',
  kinds: {
    page: 'Pagina’s',
    action: 'Acties',
    site: 'Locaties',
    device: 'Apparaten',
    customer: 'Klanten',
    board: 'Dashboards',
  },
  actions: {
    site: 'Nieuwe locatie',
    import: 'Locaties en apparaten importeren',
    key: 'Nieuwe API-sleutel',
    customer: 'Nieuwe klant',
    user: 'Nieuwe gebruiker',
    board: 'Ingebed dashboard toevoegen',
  },
  shortcuts: {
    title: 'Sneltoetsen',
    everywhere: 'Overal',
    palette: 'Zoeken en opdrachten',
    list: 'Sneltoetsen tonen',
    onChart: 'In een grafiek',
    walk: 'Vorige of volgende waarde',
    walkFast: '10 waarden verder',
    ends: 'Eerste en laatste waarde',
    zoom: 'In- en uitzoomen',
    unzoom: 'Zoom herstellen',
    singleKeys: 'Sneltoetsen van één toets',
    singleKeysHint: 'Zet uit om alleen sneltoetsen met Ctrl/⌘ te gebruiken.',
  },
};
