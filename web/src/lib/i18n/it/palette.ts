import type { Translated } from '../message-types.ts';
import type { palette as english } from '../en/palette.ts';

export const palette: Translated<typeof english> = {
  open: 'Cerca …',
  ctrl: 'Ctrl',
  title: 'Ricerca e comandi',
  placeholder: 'Che cosa cerca?',
  found: 'Risultati',
  nothing: 'Nessun risultato',
  count: '{count, plural, one {# risultato} other {# risultati}}',
  kinds: {
    page: 'Pagine',
    action: 'Azioni',
    site: 'Sedi',
    device: 'Dispositivi',
    customer: 'Clienti',
    board: 'Pannelli',
  },
  actions: {
    site: 'Nuova sede',
    import: 'Importa sedi e dispositivi',
    key: 'Nuova chiave API',
    customer: 'Nuovo cliente',
    user: 'Nuovo utente',
    board: 'Aggiungi una dashboard incorporata',
  },
  shortcuts: {
    title: 'Scorciatoie da tastiera',
    everywhere: 'Ovunque',
    palette: 'Ricerca e comandi',
    list: 'Mostra le scorciatoie',
    onChart: 'In un grafico',
    walk: 'Valore precedente o successivo',
    walkFast: 'Salta 10 valori',
    ends: 'Primo e ultimo valore',
    zoom: 'Ingrandisci e riduci',
    unzoom: 'Reimposta zoom',
    singleKeys: 'Scorciatoie a tasto singolo',
    singleKeysHint: 'Disattivare per usare solo le scorciatoie con Ctrl/⌘.',
  },
};
