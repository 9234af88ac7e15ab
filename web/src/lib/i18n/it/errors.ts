import type { Translated } from '../message-types.ts';
import type { errors as english } from '../en/errors.ts';

export const errors: Translated<typeof english> = {
  title: 'Caricamento non riuscito',
  unexpected: 'Qualcosa è andato storto. Riprovare; se succede ancora, avvisare l’amministratore.',
  offline: 'Il portale al momento non è raggiungibile.',
  sessionWasOver: 'La sessione era terminata. Riprovare.',
  brokenOff: 'La connessione si è interrotta prima che arrivasse tutto. Riprovare.',
  outdated:
    'Il portale ha risposto in un modo che questa pagina non capisce. Ricaricare la pagina per averne la versione più recente.',
  notFoundTitle: 'Questa pagina non esiste',
  notFoundText: 'L’indirizzo può contenere un errore, o la pagina è stata spostata.',
  goHome: 'Vai alla pagina iniziale',
  forbiddenTitle: 'Solo per amministratori',
  forbiddenText: 'Questo account non può aprire la pagina. Se serve, rivolgersi a un amministratore.',
  crashTitle: 'Questa pagina ha smesso di funzionare',
  reload: 'Ricarica la pagina',
  required: 'Questo campo non può restare vuoto.',
};
