import type { Translated } from '../message-types.ts';
import type { settingsIncoming as english } from '../en/settings-incoming.ts';

export const settingsIncoming: Translated<typeof english> = {
  description: 'Laatste meetwaarde van elke meter. Elke 2 s bijgewerkt.',
  search: 'Meters zoeken',
  columns: {
    meter: 'Meter',
    measured: 'Gemeten',
    lag: 'Vertraging',
    arrived: 'Ontvangen',
    sender: 'API-sleutel',
  },
  verdicts: { accepted: 'Opgeslagen', known: 'Duplicaat', rejected: 'Geweigerd' },
  ahead: '{duration} vooruit',
  body: 'Heel verzoek',
  noExternalId: 'Geen externe ID',
  administrator: 'Gebruikerssessie',
  create: 'Dit apparaat aanmaken',
  createNamed: 'Dit apparaat aanmaken: {externalId}',
  since: 'Apparaat aangemaakt. De volgende meetwaarde wordt opgeslagen.',
  emptyTitle: 'Geen meetwaarden in de laatste 24 uur',
  emptyText: 'Meetwaarden verschijnen hier zodra een gateway ze met een API-sleutel verstuurt.',
  key: {
    openNamed: 'Verzoeken met {name}',
    title: 'Verzoeken met {name}',
    period: 'Laatste 24 uur',
    deliveries: 'Verzoeken',
    accepted: 'Opgeslagen',
    known: 'Duplicaten',
    rejected: 'Geweigerd',
    problems: 'Geweigerde rijen',
    problemsHint: 'Laatste per externe ID en veld',
    noneTitle: 'Geen geweigerde rijen',
    noneText: 'Alle rijen zijn geaccepteerd.',
    nothingTitle: 'Geen verzoeken',
    nothingText: 'Verzoeken met ongeldige sleutels worden niet geteld.',
  },
};
