import type { Translated } from '../message-types.ts';
import type { palette as english } from '../en/palette.ts';

export const palette: Translated<typeof english> = {
  open: 'Suchen …',
  ctrl: 'Strg',
  title: 'Suche und Befehle',
  placeholder: 'Wonach suchen Sie?',
  found: 'Gefunden',
  nothing: 'Nichts heißt so.',
  count: '{count, plural, one {# gefunden} other {# gefunden}}',
  kinds: {
    page: 'Seiten',
    action: 'Aktionen',
    site: 'Standorte',
    device: 'Geräte',
    customer: 'Kunden',
    board: 'Dashboards',
  },
  actions: {
    site: 'Neuer Standort',
    import: 'Standorte und Geräte importieren',
    key: 'Neuer API-Schlüssel',
    customer: 'Neuer Kunde',
    user: 'Neuer Benutzer',
    board: 'Eingebettetes Dashboard hinzufügen',
  },
  shortcuts: {
    title: 'Tastenkürzel',
    everywhere: 'Überall',
    palette: 'Suche und Befehle',
    list: 'Diese Liste',
    onChart: 'In einem Diagramm',
    walk: 'Von Wert zu Wert',
    walkFast: 'Zehn Werte auf einmal',
    ends: 'Erster und letzter Wert',
    zoom: 'Hinein- und herauszoomen',
    unzoom: 'Wieder alles zeigen',
    singleKeys: 'Kürzel aus einzelnen Buchstaben und Zeichen',
    singleKeysHint: 'Ohne sie wirken nur die mit Strg oder ⌘.',
  },
};
