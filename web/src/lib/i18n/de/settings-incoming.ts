import type { Translated } from '../message-types.ts';
import type { settingsIncoming as english } from '../en/settings-incoming.ts';

export const settingsIncoming: Translated<typeof english> = {
  description:
    'Von jedem Zähler die letzte Zeile, wie sie ankommt, ob gespeichert oder abgelehnt. Die Liste erneuert sich alle zwei Sekunden.',
  search: 'Zähler suchen',
  columns: {
    meter: 'Zähler',
    measured: 'Gemessen',
    lag: 'Unterwegs',
    arrived: 'Angekommen',
    sender: 'Gesendet mit',
  },
  verdicts: { accepted: 'Gespeichert', known: 'Schon bekannt', rejected: 'Abgelehnt' },
  ahead: '{duration} voraus',
  body: 'Eine ganze Anfrage',
  noExternalId: 'Keine externe Kennung',
  administrator: 'Angemeldet',
  create: 'Dieses Gerät anlegen',
  createNamed: 'Dieses Gerät anlegen: {externalId}',
  since: 'Inzwischen gibt es ein Gerät; die nächste Zeile wird gespeichert.',
  emptyTitle: 'In den letzten 24 Stunden ist nichts angekommen',
  emptyText: 'Sobald ein Gateway mit einem API-Schlüssel sendet, erscheinen seine Zeilen hier.',
  key: {
    openNamed: 'Lieferungen von {name}',
    title: 'Lieferungen mit {name}',
    period: 'In den letzten 24 Stunden.',
    deliveries: 'Lieferungen',
    accepted: 'Gespeichert',
    known: 'Schon bekannt',
    rejected: 'Abgelehnt',
    problems: 'Abgelehnte Zeilen',
    problemsHint: 'Die letzte je externer Kennung und Feld.',
    noneTitle: 'Nichts wurde abgelehnt',
    noneText: 'Alle Zeilen, die mit diesem Schlüssel kamen, wurden angenommen.',
    nothingTitle: 'Mit diesem Schlüssel kam nichts',
    nothingText: 'Eine Anfrage mit falschem oder widerrufenem Schlüssel wird abgewiesen und nirgends gezählt.',
  },
};
