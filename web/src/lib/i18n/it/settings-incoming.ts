import type { Translated } from '../message-types.ts';
import type { settingsIncoming as english } from '../en/settings-incoming.ts';

export const settingsIncoming: Translated<typeof english> = {
  description: 'L’ultima riga di ogni contatore appena arriva, salvata o rifiutata. Si aggiorna ogni due secondi.',
  search: 'Cerca contatori',
  columns: {
    meter: 'Contatore',
    measured: 'Misurato',
    lag: 'In viaggio',
    arrived: 'Arrivato',
    sender: 'Inviato con',
  },
  verdicts: { accepted: 'Salvata', known: 'Già nota', rejected: 'Rifiutata' },
  ahead: 'avanti di {duration}',
  body: 'Una richiesta intera',
  noExternalId: 'Nessun ID esterno',
  administrator: 'Sessione attiva',
  create: 'Crea questo dispositivo',
  createNamed: 'Crea questo dispositivo: {externalId}',
  since: 'Il dispositivo ora esiste; la prossima riga viene salvata.',
  emptyTitle: 'In 24 ore non è arrivato nulla',
  emptyText: 'Appena un gateway invia con una chiave API, le sue righe compaiono qui.',
  key: {
    openNamed: 'Invii di {name}',
    title: 'Invii con {name}',
    period: 'Nelle ultime 24 ore.',
    deliveries: 'Invii',
    accepted: 'Salvate',
    known: 'Già note',
    rejected: 'Rifiutate',
    problems: 'Righe rifiutate',
    problemsHint: 'L’ultima di ogni ID esterno e campo.',
    noneTitle: 'Nulla è stato rifiutato',
    noneText: 'Tutte le righe arrivate con questa chiave sono state accettate.',
    nothingTitle: 'Con questa chiave non è arrivato nulla',
    nothingText: 'Una richiesta con una chiave errata o revocata è rifiutata e non conta da nessuna parte.',
  },
};
