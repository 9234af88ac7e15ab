import type { Translated } from '../message-types.ts';
import type { settingsIncoming as english } from '../en/settings-incoming.ts';

export const settingsIncoming: Translated<typeof english> = {
  description: 'Letzter Messwert jedes Zählers. Aktualisiert alle 2 s.',
  search: 'Zähler suchen',
  columns: {
    meter: 'Zähler',
    measured: 'Gemessen',
    lag: 'Verzögerung',
    arrived: 'Empfangen',
    sender: 'API-Schlüssel',
  },
  verdicts: { accepted: 'Gespeichert', known: 'Duplikat', rejected: 'Abgelehnt' },
  ahead: '{duration} voraus',
  body: 'Ganze Anfrage',
  noExternalId: 'Keine externe Kennung',
  administrator: 'Benutzersitzung',
  create: 'Dieses Gerät anlegen',
  createNamed: 'Dieses Gerät anlegen: {externalId}',
  since: 'Gerät angelegt. Der nächste Messwert wird gespeichert.',
  emptyTitle: 'Keine Messwerte in den letzten 24 Stunden',
  emptyText: 'Messwerte erscheinen hier, sobald ein Gateway sie mit einem API-Schlüssel sendet.',
  key: {
    openNamed: 'Anfragen mit {name}',
    title: 'Anfragen mit {name}',
    period: 'Letzte 24 Stunden',
    deliveries: 'Anfragen',
    accepted: 'Gespeichert',
    known: 'Duplikate',
    rejected: 'Abgelehnt',
    problems: 'Abgelehnte Zeilen',
    problemsHint: 'Die letzte je externer Kennung und Feld',
    noneTitle: 'Keine abgelehnten Zeilen',
    noneText: 'Alle Zeilen wurden angenommen.',
    nothingTitle: 'Keine Anfragen',
    nothingText: 'Anfragen mit ungültigen Schlüsseln werden nicht gezählt.',
  },
};
