import type { Translated } from '../message-types.ts';
import type { dashboards as english } from '../en/dashboards.ts';

export const dashboards: Translated<typeof english> = {
  menu: 'Dashboard del menu',
  gone: 'Lo strumento delle dashboard al momento non risponde ({reason}). Tenere aperta questa pagina: prosegue da sola.',
  reason: 'Motivo: {reason}.',
  reasons: {
    notBuilt: 'la sua pagina non è stata creata: {detail}',
    ended: 'è terminato: {detail}',
    noAnswer: 'nessuna risposta all’indirizzo in Dashboard__Upstream',
  },
  installingTitle: 'Lo strumento delle dashboard è in installazione',
  installingText:
    'I suoi pacchetti si scaricano una sola volta; ci vogliono uno o due minuti. Questa pagina prosegue da sola.',
  buildingTitle: 'Lo strumento delle dashboard è in costruzione',
  buildingText: 'Ci vuole circa un minuto, una volta e dopo un aggiornamento. Questa pagina prosegue da sola.',
  startingTitle: 'Lo strumento delle dashboard si sta avviando',
  startingText: 'Ci vogliono pochi secondi. Questa pagina prosegue da sola.',
  failedTitle: 'Lo strumento delle dashboard non funziona',
  failedText: 'Il portale riprova da solo; il suo log ha i dettagli. Tutto il resto funziona senza lo strumento.',
  offTitle: 'Non c’è lo strumento delle dashboard',
  offText:
    'Nulla risponde al percorso dello strumento delle dashboard. Avviare il suo servizio dietro lo stesso proxy, impostare Dashboard__Upstream al suo indirizzo, o farlo avviare dal portale con Dashboard__Start.',
  askAdmin: 'Se resta così, avvisare l’amministratore.',
};
