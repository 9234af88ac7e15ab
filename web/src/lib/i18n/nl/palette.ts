import type { Translated } from '../message-types.ts';
import type { palette as english } from '../en/palette.ts';

export const palette: Translated<typeof english> = {
  open: 'Zoeken …',
  ctrl: 'Ctrl',
  title: 'Zoeken en opdrachten',
  placeholder: 'Wat zoekt u?',
  found: 'Gevonden',
  nothing: 'Niets heet zo.',
  count: '{count, plural, one {# gevonden} other {# gevonden}}',
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
    list: 'Deze lijst',
    onChart: 'In een grafiek',
    walk: 'Van waarde naar waarde',
    walkFast: 'Tien waarden tegelijk',
    ends: 'Eerste en laatste waarde',
    zoom: 'In- en uitzoomen',
    unzoom: 'Alles weer tonen',
    singleKeys: 'Sneltoetsen van één letter of teken',
    singleKeysHint: 'Zonder deze werken alleen die met Ctrl of ⌘.',
  },
};
