import type { Translated } from '../message-types.ts';
import type { settingsFleetPush as english } from '../en/settings-fleet-push.ts';

export const settingsFleetPush: Translated<typeof english> = {
  description: 'Cosa invia questo portale alla flotta: sedi, dispositivi, comuni, tariffe e misurazioni.',
  offTitle: 'Non si invia nulla',
  offText:
    'Impostare questi tre valori per il portale e riavviarlo. Chi gestisce la flotta ne fornisce l’indirizzo e un token.',
  offSettings: 'Impostazioni dell’invio',
  copySettings: 'Copia le impostazioni',
  pushNow: 'Invia ora',
  pushing: 'Il prossimo giro inizia ora; nulla attende più.',
  health: {
    off: 'Disattivato',
    refused: 'Rifiutato dalla flotta',
    waiting: 'In attesa di riprovare',
    starting: 'In avvio',
    catchingUp: 'In recupero',
    running: 'In corso',
  },
  every: 'un giro ogni {interval}',
  trouble: {
    unauthorized: 'La flotta rifiuta il token',
    refused: 'La flotta rifiuta ciò che è inviato',
    unreachable: 'La flotta non risponde',
    busy: 'La flotta è occupata',
    broken: 'La flotta risponde con un errore',
    rejected: 'La flotta ha rifiutato righe',
  },
  mend: 'Chiedere a chi gestisce la flotta un nuovo token, o se il cliente è disattivato. Impostare FleetIngest__Token e riavviare il portale.',
  nothingLost: 'Nulla va perso: ciò che non è inviato attende qui.',
  since: 'Ultimo invio arrivato ({resource}): {time}.',
  never: 'Nessun invio ancora arrivato ({resource}).',
  failures:
    '{count, plural, one {# tentativo non riuscito} other {# tentativi non riusciti di seguito}}; il prossimo {when}.',
  atNextRound: 'con il prossimo giro',
  backlog: 'Da inviare',
  backlogNote: '{count, plural, =0 {tutto è inviato} one {misurazione da inviare} other {misurazioni da inviare}}',
  lastBatch: 'Ultimo invio',
  lastBatchNote: 'di qualsiasi tipo',
  noBatch: 'Ancora nessuno',
  sentUpTo: 'Inviato fino a',
  sentUpToNote: 'ricevuto da questo portale',
  walking: 'Prima i più vecchi',
  walkingNote: 'ciò che era salvato prima dell’inizio dell’invio',
  rejected: 'Righe rifiutate',
  rejectedNote: 'che la flotta non ha preso, in tutto',
  table: 'Cosa si invia',
  cursor: 'Cursore delle misurazioni:',
  columns: { resource: 'Cosa', error: 'Ultimo errore', size: 'Righe per invio' },
  states: { sent: 'Inviato', waiting: 'In attesa', none: 'Ancora nulla' },
  reconciliation: {
    title: 'Confronto con la flotta',
    description:
      'Una volta al giorno il portale chiede alla flotta cosa ha di ogni dispositivo e giorno, e invia di nuovo ciò che differisce. Tutto si confronta ogni quattro settimane.',
    now: 'Confronta ora',
    begun: 'Tutto ciò che è salvato viene confrontato; può richiedere minuti.',
    health: {
      running: 'Confronto in corso',
      waiting: 'In attesa di riprovare',
      never: 'Non ancora confrontato',
      differs: 'Allineato, salvo alcuni giorni',
      inStep: 'Allineato',
    },
    progress:
      '{compared, plural, one {# giorno di dispositivi confrontato} other {# giorni di dispositivi confrontati}}, {resent, plural, one {# inviato} other {# inviati}} di nuovo',
    failed: 'Il confronto non può proseguire',
    next: '{count, plural, one {# tentativo non riuscito} other {# tentativi non riusciti di seguito}}; il prossimo {time}.',
    allSame: 'ciò che è stato misurato prima è uguale da entrambe le parti',
    notYet: 'Non ancora',
    last: 'Ultimo confronto',
    found:
      '{compared, plural, one {# giorno} other {# giorni}} di dispositivi, {resent, plural, =0 {nessuna differenza} one {# differiva ed è stato inviato di nuovo} other {# differivano e sono stati inviati di nuovo}}',
    differ:
      '{count, plural, one {Questo giorno differisce anche se è stato inviato} other {Questi giorni differiscono anche se sono stati inviati}} di nuovo: la flotta ha misurazioni che questo portale non ha, o non ne prende alcune. {shown, plural, one {Il più recente} other {I # più recenti}} di {count, number}.',
    table: 'Giorni che differiscono',
    columns: { device: 'Dispositivo', day: 'Giorno (UTC)', ownCount: 'Qui', fleetCount: 'Nella flotta' },
  },
};
