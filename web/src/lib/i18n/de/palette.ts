import type { Translated } from '../message-types.ts';
import type { palette as english } from '../en/palette.ts';

export const palette: Translated<typeof english> = {
  open: 'Suchen …',
  ctrl: 'Strg',
  title: 'Suche und Befehle',
  placeholder: 'Wonach suchen Sie?',
  found: 'Treffer',
  nothing: 'Keine Treffer',
  count: '{count, plural, one {# Treffer} other {# Treffer}}',
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
    list: 'Tastenkürzel anzeigen',
    onChart: 'In einem Diagramm',
    walk: 'Vorheriger oder nächster Wert',
    walkFast: '10 Werte springen',
    ends: 'Erster und letzter Wert',
    zoom: 'Hinein- und herauszoomen',
    unzoom: 'Zoom zurücksetzen',
    singleKeys: 'Einzeltasten-Kürzel',
    singleKeysHint: 'Ausschalten, um nur Kürzel mit Strg/⌘ zu nutzen.',
  },
};
