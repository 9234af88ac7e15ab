import type { Translated } from '../message-types.ts';
import type { settingsApiKeys as english } from '../en/settings-api-keys.ts';

export const settingsApiKeys: Translated<typeof english> = {
  description: 'Con una chiave API un gateway invia le sue misurazioni senza accedere.',
  new: 'Nuova chiave API',
  columns: { created: 'Creata', lastUsed: 'Ultimo uso' },
  emptyTitle: 'Ancora nessuna chiave API',
  emptyText:
    'Crearne una per ogni gateway, così da poterne revocare una senza fermare gli altri. Con essa si riceve un comando già pronto.',
  nameHint: 'A cosa serve la chiave: il gateway o il suo luogo.',
  create: 'Crea chiave API',
  createdTitle: 'Chiave API «{name}»',
  shownOnce: 'Copiare la chiave ora. È mostrata solo questa volta e non si potrà rileggere.',
  key: 'Chiave API',
  copyKey: 'Copia la chiave',
  copyCommand: 'Copia il comando',
  notCopied: 'La chiave non è ancora stata copiata. Chiudere comunque?',
  deviceHint: 'Il suo ID esterno va nelle righe.',
  chooseDevice: 'Scegliere un dispositivo',
  command: 'Inviare misurazioni con essa',
  commandHint: 'Eseguire questo dove si trova il gateway. Le ore richiedono uno scostamento o Z.',
  noDevices:
    'Non ci sono ancora dispositivi, perciò il portale rifiuta le righe di questo comando. Aggiungere un dispositivo con questo ID esterno in <link>Sedi</link>.',
  test: {
    title: 'Invia una riga di prova',
    hint: 'Invia una misurazione tramite l’API con questa chiave. La riga è reale: viene salvata, compare in grafici e totali e si può eliminare solo con il suo dispositivo.',
    timeHint: 'Vuoto: adesso. Altrimenti un’ora di {zone}.',
    powerMissing: 'Inserire un numero.',
    send: 'Invia riga di prova',
    stored: 'Salvato: {power} per {device}, {time}.',
    duplicate: 'Accettata, ma non salvata di nuovo: {device} ha già una misurazione del {time}.',
    rejected: 'Rifiutata: {reason}',
    counts: 'accettate {accepted, number} · rifiutate {rejected, number} · doppie {duplicates, number}',
    show: 'Mostra le letture',
  },
  revoke: 'Revoca',
  revokeTitle: 'Revoca chiave API',
  revokeText: 'Da quel momento tutto ciò che viene inviato con questa chiave è rifiutato. Non si può annullare.',
  revoked: 'La chiave API {name} è stata revocata.',
};
