import type { Translated } from '../message-types.ts';
import type { dashboards as english } from '../en/dashboards.ts';

export const dashboards: Translated<typeof english> = {
  menu: 'Dashboard',
  gone: 'Dashboard non disponibili ({reason}). Riconnessione …',
  reason: 'Motivo: {reason}.',
  reasons: {
    notBuilt: 'build non riuscita: {detail}',
    ended: 'terminato: {detail}',
    noAnswer: 'nessuna risposta da Dashboard__Upstream',
  },
  installingTitle: 'Installazione delle dashboard …',
  installingText: 'I pacchetti si scaricano una volta, in uno o due minuti. Questa pagina si aggiorna da sola.',
  buildingTitle: 'Build delle dashboard …',
  buildingText: 'Circa un minuto, una volta e dopo ogni aggiornamento. Questa pagina si aggiorna da sola.',
  startingTitle: 'Avvio delle dashboard …',
  startingText: 'Pochi secondi. Questa pagina si aggiorna da sola.',
  failedTitle: 'Le dashboard non sono in esecuzione',
  failedText: 'Il portale riprova automaticamente; dettagli nel suo log. Tutto il resto funziona.',
  offTitle: 'Dashboard non configurate',
  offText:
    'Avviare il servizio delle dashboard dietro lo stesso proxy e impostarne l’indirizzo in Dashboard__Upstream, o farlo avviare dal portale con Dashboard__Start.',
  askAdmin: 'Se persiste, contattare l’amministratore.',
};
