import type { Translated } from '../message-types.ts';
import type { settingsIncoming as english } from '../en/settings-incoming.ts';

export const settingsIncoming: Translated<typeof english> = {
  description: 'Ultima lettura di ogni contatore. Aggiornata ogni 2 s.',
  search: 'Cerca contatori',
  columns: {
    meter: 'Contatore',
    measured: 'Misurato',
    lag: 'Ritardo',
    arrived: 'Ricevuto',
    sender: 'Chiave API',
  },
  verdicts: { accepted: 'Salvata', known: 'Duplicato', rejected: 'Rifiutata' },
  ahead: 'avanti di {duration}',
  body: 'Intera richiesta',
  noExternalId: 'Nessun ID esterno',
  administrator: 'Sessione utente',
  create: 'Crea questo dispositivo',
  createNamed: 'Crea questo dispositivo: {externalId}',
  since: 'Dispositivo creato. La prossima lettura sarà salvata.',
  emptyTitle: 'Nessuna lettura nelle ultime 24 ore',
  emptyText: 'Le letture compaiono qui quando un gateway le invia con una chiave API.',
  key: {
    openNamed: 'Richieste con {name}',
    title: 'Richieste con {name}',
    period: 'Ultime 24 ore',
    deliveries: 'Richieste',
    accepted: 'Salvate',
    known: 'Duplicati',
    rejected: 'Rifiutate',
    problems: 'Righe rifiutate',
    problemsHint: 'L’ultima per ID esterno e campo',
    noneTitle: 'Nessuna riga rifiutata',
    noneText: 'Tutte le righe sono state accettate.',
    nothingTitle: 'Nessuna richiesta',
    nothingText: 'Le richieste con chiavi non valide non si contano.',
  },
};
