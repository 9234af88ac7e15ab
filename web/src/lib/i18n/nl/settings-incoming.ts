import type { Translated } from '../message-types.ts';
import type { settingsIncoming as english } from '../en/settings-incoming.ts';

export const settingsIncoming: Translated<typeof english> = {
  description:
    'De laatste rij van elke meter zodra ze binnenkomt, opgeslagen of geweigerd. Elke twee seconden vernieuwd.',
  search: 'Meters zoeken',
  columns: {
    meter: 'Meter',
    measured: 'Gemeten',
    lag: 'Onderweg',
    arrived: 'Binnengekomen',
    sender: 'Verstuurd met',
  },
  verdicts: { accepted: 'Opgeslagen', known: 'Al bekend', rejected: 'Geweigerd' },
  ahead: '{duration} vooruit',
  body: 'Een heel verzoek',
  noExternalId: 'Geen externe ID',
  administrator: 'Aangemeld',
  create: 'Dit apparaat aanmaken',
  createNamed: 'Dit apparaat aanmaken: {externalId}',
  since: 'Het apparaat bestaat nu; de volgende rij wordt opgeslagen.',
  emptyTitle: 'In 24 uur is niets binnengekomen',
  emptyText: 'Zodra een gateway met een API-sleutel verstuurt, verschijnen de rijen hier.',
  key: {
    openNamed: 'Leveringen van {name}',
    title: 'Leveringen met {name}',
    period: 'In de laatste 24 uur.',
    deliveries: 'Leveringen',
    accepted: 'Opgeslagen',
    known: 'Al bekend',
    rejected: 'Geweigerd',
    problems: 'Geweigerde rijen',
    problemsHint: 'De laatste van elke externe ID en elk veld.',
    noneTitle: 'Er is niets geweigerd',
    noneText: 'Alle rijen die met deze sleutel kwamen, zijn aangenomen.',
    nothingTitle: 'Met deze sleutel kwam niets',
    nothingText: 'Een verzoek met een onjuiste of ingetrokken sleutel wordt geweigerd en telt nergens mee.',
  },
};
