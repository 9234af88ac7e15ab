import type { Translated } from '../message-types.ts';
import type { palette as english } from '../en/palette.ts';

export const palette: Translated<typeof english> = {
  open: 'Cerca …',
  ctrl: 'Ctrl',
  title: 'Ricerca e comandi',
  placeholder: 'Che cosa cerca?',
  found: 'Risultati',
  nothing: 'Niente si chiama così.',
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
    list: 'Questo elenco',
    onChart: 'In un grafico',
    walk: 'Da un valore all’altro',
    walkFast: 'Dieci valori alla volta',
    ends: 'Primo e ultimo valore',
    zoom: 'Ingrandisci e riduci',
    unzoom: 'Mostra di nuovo tutto',
    singleKeys: 'Scorciatoie di una sola lettera o segno',
    singleKeysHint: 'Senza di esse funzionano solo quelle con Ctrl o ⌘.',
  },
};
