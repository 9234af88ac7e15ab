import type { Translated } from '../message-types.ts';
import type { report as english } from '../en/report.ts';

export const report: Translated<typeof english> = {
  print: 'Stampa o salva come PDF',
  month: 'Mese o anno del rapporto',
  months: 'Mesi',
  years: 'Anni',
  previous: 'Rapporto precedente',
  next: 'Rapporto successivo',
  allSites: 'Tutte le sedi ({sites, number}), {devices, plural, one {# dispositivo} other {# dispositivi}}',
  noDevices: 'Non ci sono dispositivi di questo tipo.',
  notBegun: 'Il periodo non è ancora iniziato',
  notBegunText: 'Scegliere un mese o un anno già iniziato.',
  figures: 'Dati principali',
  figure: 'Dato',
  change: 'da allora {change}',
  unpricedNow: 'ora in parte senza prezzo',
  unpricedThen: 'allora in parte senza prezzo',
  energyByDay: 'Energia per giorno',
  energyByMonth: 'Energia per mese',
  peak: 'Picco di potenza: {power} nel quarto d’ora con inizio il {time}',
  peakNote: 'Chi assorbiva di più in quel momento',
  cost: 'Costo per fascia tariffaria',
  costNote:
    'Le righe con lo stesso nome e prezzo in più sedi sono riunite. Ogni importo è arrotondato alla più piccola unità della valuta, e le righe sommate danno il totale.',
  bySite: 'Per sede',
  byDevice: 'Quota di ogni dispositivo',
  otherDevices: '{count, plural, one {altro # dispositivo} other {altri # dispositivi}}',
  otherSubMeters:
    '{count, plural, one {altro # sottocontatore, compreso nel contatore a cui appartiene} other {altri # sottocontatori, compresi nei contatori a cui appartengono}}',
  otherSites: '{count, plural, one {un’altra sede} other {altre # sedi}}',
  ownRemark: {
    add: 'Aggiungi un’osservazione',
    change: 'Modifica l’osservazione',
    label: 'Osservazione',
    hint: 'Compare in questo rapporto per tutti coloro che lo aprono o lo stampano. Al massimo {max} caratteri; vuota, scompare.',
    saved: 'L’osservazione è salvata.',
  },
  remarks: {
    title: 'Osservazioni',
    running:
      'Il periodo non è finito: tutti i dati arrivano fino a {until}, quelli degli altri periodi fino allo stesso punto.',
    nothing: 'Non è stato misurato nulla.',
    noneBefore: 'Non ci sono letture con cui confrontare nel periodo {range}.',
    measuredThen: 'Dell’energia di questo rapporto nel periodo {range} si misurava solo il {share}.',
    measuredNow: 'Dell’energia del periodo {range} in questo rapporto si misura solo il {share}.',
    estimated: '{energy} ({share}) sono stati distribuiti su lacune tra le letture.',
    unpriced: '{energy} non ha prezzo perché nessuna tariffa era in vigore; non è in nessun importo.',
    quiet:
      'Nessuna misura da {names}{more, plural, =0 {} one { e # altro dispositivo} other { e # altri dispositivi}}.',
    tariffs: '{site}: erano in vigore più tariffe, {tariffs}.',
    clocks: 'Cambio dell’ora: il {day} ha avuto {hours} ore.',
    readAt: 'Letto dal portale il {time}.',
  },
};
