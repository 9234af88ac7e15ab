import type { Translated } from '../catalogue.ts';
import type { report as english } from '../en/report.ts';

export const report: Translated<typeof english> = {
  print: 'Drucken oder als PDF sichern',
  month: 'Monat oder Jahr des Berichts',
  months: 'Monate',
  years: 'Jahre',
  previous: 'Bericht davor',
  next: 'Nächster Bericht',
  allSites: 'Alle Standorte ({sites, number}), {devices, plural, one {# Gerät} other {# Geräte}}',
  noDevices: 'Solche Geräte gibt es nicht.',
  notBegun: 'Der Zeitraum hat noch nicht begonnen',
  notBegunText: 'Wählen Sie einen Monat oder ein Jahr, das begonnen hat.',
  figures: 'Kennzahlen',
  figure: 'Kennzahl',
  change: 'seither {change}',
  unpricedNow: 'jetzt teils ohne Preis',
  unpricedThen: 'damals teils ohne Preis',
  energyByDay: 'Energie je Tag',
  energyByMonth: 'Energie je Monat',
  peak: 'Spitzenlast: {power} in der Viertelstunde ab {time}',
  peakNote: 'Wer dann am meisten bezog',
  cost: 'Kosten je Tarifzeit',
  costNote:
    'Zeilen mit gleichem Namen und Preis an mehreren Standorten stehen zusammen. Jeder Betrag ist auf die kleinste Einheit der Währung gerundet, und die Zeilen ergeben die Summe.',
  bySite: 'Je Standort',
  byDevice: 'Anteil der Geräte',
  otherDevices: '{count, plural, one {# weiteres Gerät} other {# weitere Geräte}}',
  otherSubMeters:
    '{count, plural, one {# weiterer Unterzähler, im zugehörigen Zähler enthalten} other {# weitere Unterzähler, in den zugehörigen Zählern enthalten}}',
  otherSites: '{count, plural, one {# weiterer Standort} other {# weitere Standorte}}',
  ownRemark: {
    add: 'Anmerkung hinzufügen',
    change: 'Anmerkung ändern',
    label: 'Anmerkung',
    hint: 'Steht in diesem Bericht für alle, die ihn öffnen oder drucken. Höchstens {max} Zeichen; leer entfernt sie.',
    saved: 'Die Anmerkung ist gespeichert.',
  },
  remarks: {
    title: 'Anmerkungen',
    running:
      'Der Zeitraum ist noch nicht vorbei: Alle Zahlen reichen bis {until}, die danebenstehenden ebenso weit in den ihren.',
    nothing: 'Es wurde nichts gemessen.',
    noneBefore: 'Für {range} gibt es keine Messwerte zum Vergleichen.',
    measuredThen: 'Von der Energie dieses Berichts wurden für {range} nur {share} gemessen.',
    measuredNow: 'Von der Energie für {range} sind in diesem Bericht nur {share} gemessen.',
    estimated: '{energy} ({share}) wurden über Lücken zwischen Messwerten verteilt.',
    unpriced: '{energy} haben keinen Preis, weil kein Tarif galt; sie stehen in keinem Betrag.',
    quiet:
      'Nichts gemessen haben {names}{more, plural, =0 {} one { und # weiteres Gerät} other { und # weitere Geräte}}.',
    tariffs: '{site}: Es galten mehrere Tarife, {tariffs}.',
    clocks: 'Die Uhren wurden umgestellt: Der {day} hatte {hours} Stunden.',
    readAt: 'Am {time} aus dem Portal gelesen.',
  },
};
