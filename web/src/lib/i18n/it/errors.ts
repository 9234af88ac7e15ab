import type { Translated } from '../message-types.ts';
import type { errors as english } from '../en/errors.ts';

export const errors: Translated<typeof english> = {
  title: 'Caricamento non riuscito',
  unexpected: 'Qualcosa è andato storto. Riprovare. Se succede ancora, contattare l’amministratore.',
  offline: 'Il portale non è raggiungibile.',
  sessionWasOver: 'La sessione è scaduta. Riprovare.',
  brokenOff: 'Connessione interrotta. Riprovare.',
  outdated: 'Questa pagina non è aggiornata. Ricaricarla.',
  notFoundTitle: 'Pagina non trovata',
  notFoundText: 'Controllare l’indirizzo.',
  goHome: 'Vai alla pagina iniziale',
  forbiddenTitle: 'Solo per amministratori',
  forbiddenText: 'Accesso non consentito. Rivolgersi a un amministratore.',
  crashTitle: 'Questa pagina si è bloccata',
  reload: 'Ricarica',
  required: 'Obbligatorio',
};
