import type { Translated } from '../message-types.ts';
import type { settingsHistory as english } from '../en/settings-history.ts';

export const settingsHistory: Translated<typeof english> = {
  description:
    'Letture del passato da un file CSV. Seguono la via di tutte le letture: ciò che è già salvato non si salva di nuovo, perciò un file si può inviare due volte.',
  choose: 'Scegli un file CSV',
  other: 'Un altro file',
  tooLarge: '{name} è di {size}; un file può essere al massimo di {max}.',
  workbook: '{name} è un file Excel. Salvarne prima il foglio come CSV.',
  noTable: '{name} non si legge come CSV: forse una virgoletta non è chiusa, o una riga non ha fine.',
  columns: 'Colonne',
  columnsHint: 'Sono ricordate in questo browser per il prossimo file con queste intestazioni.',
  noColumn: 'Nessuna',
  unnamed: 'Colonna {number, number}',
  fields: {
    time: 'Data e ora',
    clock: 'Ora del giorno, se a parte',
    externalId: 'ID esterno',
    activePowerKw: 'Potenza',
    importedPerInterval: 'Prelievo per intervallo',
    exportedPerInterval: 'Immissione per intervallo',
  },
  device: 'Dispositivo di tutte le righe',
  deviceHint: 'Nessuna colonna ha l’ID esterno.',
  timeZone: 'Fuso orario del file',
  timeZoneHint: 'Per ore senza scostamento.',
  dateOrder: 'Date',
  dateOrders: { dmy: 'Giorno prima del mese: 31.12.2026', mdy: 'Mese prima del giorno: 12/31/2026' },
  decimals: 'Decimali',
  decimalSeparators: { comma: 'Virgola: 1.234,5', point: 'Punto: 1,234.5' },
  unit: 'Potenza in',
  energyUnit: 'Energia in',
  interval: 'Intervallo',
  stamp: 'L’ora è',
  stamps: { start: 'l’inizio dell’intervallo', end: 'la fine dell’intervallo' },
  preview: 'Prime righe',
  line: 'Riga {line, number}',
  previewColumns: { line: 'Riga' },
  readable: 'Leggibile',
  problems: {
    notATime: 'Questa non è un’ora.',
    skipped: 'In primavera l’orologio salta quest’ora.',
    repeated:
      'In autunno l’orologio mostra quest’ora due volte, e la posizione non dice quale sia. Scriverla con uno scostamento.',
    noExternalId: 'Nessun ID esterno.',
    noPower: 'Nessuna potenza.',
    noEnergy: 'Nessuna energia.',
    notANumber: '{field}: questo non è un numero.',
    otherDecimals: '{field}: con questo separatore decimale può essere un altro numero; scelga quello del file.',
  },
  unknownDevice: 'Dispositivo sconosciuto',
  unknownDevices:
    '{count, plural, one {Un ID esterno non appartiene a nessun dispositivo; le sue righe verrebbero rifiutate. Creare prima il dispositivo, in una nuova scheda:} other {# ID esterni non appartengono a nessun dispositivo; le loro righe verrebbero rifiutate. Creare prima i dispositivi, ognuno in una nuova scheda:}}',
  andMore: 'e altri {count, number}',
  notARegister:
    '{field}: i valori di questa colonna salgono e scendono, come l’energia di ogni intervallo. Un registro può solo aumentare, e con questa colonna l’energia sarebbe sbagliata. Scegliere invece questa colonna come energia per intervallo.',
  intervalsHint:
    'L’energia per intervallo è salvata come la potenza che dà esattamente questa energia: più letture per ogni riga. Tra la prima e l’ultima lettura di un registro del dispositivo, la sua energia viene comunque dal registro; lì queste righe cambiano solo la potenza.',
  otherInterval:
    'La maggior parte delle ore di questo file dista {step}. Con un altro intervallo l’energia sarebbe sbagliata.',
  meanPowerHint:
    'Questo file non ha potenza. Ogni lettura riceve la potenza media dalla precedente, secondo i registri; l’energia viene dai registri stessi.',
  rejectedRows: 'Righe rifiutate',
  firstRejected: 'Le prime {shown, number} di {count, number} righe rifiutate:',
  incomplete:
    'Scegliere le colonne dell’ora e della potenza, di un registro o dell’energia per intervallo, e il dispositivo o la sua colonna.',
  start: 'Invia le letture',
  stop: 'Ferma',
  progress: '{percent, number,::percent} letto',
  stored: 'Salvate',
  known: 'Già note',
  rejected: 'Rifiutate',
  done: 'Il file è elaborato.',
  stopped: 'Fermato. Ciò che è salvato resta; inviare di nuovo il file per proseguire.',
  failed: 'Fermato per un errore. Ciò che è salvato resta; inviare di nuovo il file per proseguire. {reason}',
  repeated:
    '{count, plural, one {Un’ora locale che esiste due volte è stata distinta} other {# ore locali che esistono due volte sono state distinte}} per {count, plural, one {la sua} other {la loro}} posizione: prima ora legale, poi ora solare.',
  leaving: {
    title: 'Uscire durante l’invio del file?',
    text: '{stored, plural, =0 {Del file non è ancora stato salvato nulla.} one {# riga è salvata e resta.} other {# righe sono salvate e restano.}} Per continuare più tardi, invia di nuovo il file.',
    leave: 'Ferma ed esci',
    stay: 'Resta qui',
  },
  save: 'Salva le righe rifiutate',
  saveSome: 'Salva le prime {count, number} righe rifiutate',
  savedName: 'righe-rifiutate.csv',
  reason: 'Motivo',
};
