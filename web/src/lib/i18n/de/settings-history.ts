import type { Translated } from '../message-types.ts';
import type { settingsHistory as english } from '../en/settings-history.ts';

export const settingsHistory: Translated<typeof english> = {
  description:
    'Messwerte der Vergangenheit aus einer CSV-Datei. Sie gehen den Weg aller Messwerte: Was schon gespeichert ist, wird nicht noch einmal gespeichert; eine Datei darf also zweimal gesendet werden.',
  choose: 'CSV-Datei auswählen',
  other: 'Andere Datei',
  tooLarge: '{name} hat {size}; eine Datei darf höchstens {max} haben.',
  workbook: '{name} ist eine Excel-Datei. Speichern Sie das Blatt zuerst als CSV.',
  noTable:
    '{name} lässt sich nicht als CSV lesen: Vielleicht ist ein Anführungszeichen nicht geschlossen, oder eine Zeile hat kein Ende.',
  columns: 'Spalten',
  columnsHint: 'Dieser Browser merkt sie sich für die nächste Datei mit diesen Überschriften.',
  noColumn: 'Keine',
  unnamed: 'Spalte {number, number}',
  fields: {
    time: 'Zeit',
    clock: 'Uhrzeit, falls getrennt',
    externalId: 'Externe Kennung',
    activePowerKw: 'Leistung',
    importedPerInterval: 'Bezug je Intervall',
    exportedPerInterval: 'Einspeisung je Intervall',
  },
  device: 'Gerät aller Zeilen',
  deviceHint: 'Keine Spalte hat die externe Kennung.',
  timeZone: 'Zeitzone der Datei',
  timeZoneHint: 'Für Zeiten ohne Abstand zu UTC.',
  dateOrder: 'Datum',
  dateOrders: { dmy: 'Tag vor Monat: 31.12.2026', mdy: 'Monat vor Tag: 12/31/2026' },
  decimals: 'Nachkommastellen',
  decimalSeparators: { comma: 'Komma: 1.234,5', point: 'Punkt: 1,234.5' },
  unit: 'Leistung ist in',
  energyUnit: 'Energie ist in',
  interval: 'Intervall',
  stamp: 'Die Zeit ist',
  stamps: { start: 'der Anfang des Intervalls', end: 'das Ende des Intervalls' },
  preview: 'Erste Zeilen',
  line: 'Zeile {line, number}',
  previewColumns: { line: 'Zeile' },
  readable: 'Lesbar',
  problems: {
    notATime: 'Das ist keine Zeit.',
    skipped: 'Diese Zeit überspringen die Uhren im Frühjahr.',
    repeated:
      'Diese Zeit zeigen die Uhren im Herbst zweimal, und ihr Platz sagt nicht, welche es ist. Schreiben Sie sie mit dem Abstand zu UTC.',
    noExternalId: 'Keine externe Kennung.',
    noPower: 'Keine Leistung.',
    noEnergy: 'Keine Energie.',
    notANumber: '{field}: Das ist keine Zahl.',
    otherDecimals:
      '{field}: Mit diesem Dezimalzeichen kann das eine andere Zahl sein; wählen Sie das Zeichen der Datei.',
  },
  unknownDevice: 'Unbekanntes Gerät',
  unknownDevices:
    '{count, plural, one {Eine externe Kennung gehört zu keinem Gerät; ihre Zeilen würden abgelehnt. Legen Sie das Gerät zuerst an, in einem neuen Tab:} other {# externe Kennungen gehören zu keinem Gerät; ihre Zeilen würden abgelehnt. Legen Sie die Geräte zuerst an, jedes in einem neuen Tab:}}',
  andMore: 'und {count, number} weitere',
  notARegister:
    '{field}: Die Werte dieser Spalte steigen und fallen, wie es die Energie je Intervall tut. Ein Zählerstand steigt nur, und mit dieser Spalte würde die Energie falsch. Wählen Sie diese Spalte stattdessen als Energie je Intervall.',
  intervalsHint:
    'Energie je Intervall wird als die Leistung gespeichert, die genau diese Energie ergibt: mehrere Messwerte für jede Zeile. Zwischen dem ersten und dem letzten Zählerstand des Geräts kommt seine Energie weiterhin aus den Zählerständen; dort ändern diese Zeilen nur seine Leistung.',
  otherInterval:
    'Die meisten Zeiten dieser Datei liegen {step} auseinander. Mit einem anderen Intervall würde die Energie falsch.',
  meanPowerHint:
    'Diese Datei hat keine Leistung. Jeder Messwert bekommt die mittlere Leistung seit dem vorigen, aus den Zählerständen; die Energie stammt aus den Zählerständen selbst.',
  rejectedRows: 'Abgelehnte Zeilen',
  firstRejected: 'Die ersten {shown, number} von {count, number} abgelehnten Zeilen:',
  incomplete:
    'Wählen Sie die Spalten der Zeit und der Leistung, eines Zählerstands oder der Energie je Intervall, und das Gerät oder seine Spalte.',
  start: 'Messwerte senden',
  stop: 'Anhalten',
  progress: '{percent, number,::percent} gelesen',
  stored: 'Gespeichert',
  known: 'Schon bekannt',
  rejected: 'Abgelehnt',
  done: 'Die Datei ist durch.',
  stopped: 'Angehalten. Was gespeichert ist, bleibt; senden Sie die Datei noch einmal, dann geht es weiter.',
  failed:
    'Ein Fehler hat es angehalten. Was gespeichert ist, bleibt; senden Sie die Datei noch einmal, dann geht es weiter. {reason}',
  repeated:
    '{count, plural, one {Eine Ortszeit, die es zweimal gibt, wurde} other {# Ortszeiten, die es zweimal gibt, wurden}} nach {count, plural, one {ihrem} other {ihrem}} Platz unterschieden: erst Sommerzeit, dann Winterzeit.',
  leaving: {
    title: 'Verlassen, während die Datei gesendet wird?',
    text: '{stored, plural, =0 {Von der Datei ist noch nichts gespeichert.} one {# Zeile ist gespeichert und bleibt.} other {# Zeilen sind gespeichert und bleiben.}} Um später fortzufahren, senden Sie die Datei noch einmal.',
    leave: 'Anhalten und verlassen',
    stay: 'Hier bleiben',
  },
  save: 'Abgelehnte Zeilen speichern',
  saveSome: 'Die ersten {count, number} abgelehnten Zeilen speichern',
  savedName: 'abgelehnte-zeilen.csv',
  reason: 'Grund',
};
