import type { Translated } from '../message-types.ts';
import type { settingsHistory as english } from '../en/settings-history.ts';

export const settingsHistory: Translated<typeof english> = {
  description:
    'Meetwaarden uit het verleden uit een CSV-bestand. Ze gaan de weg van alle meetwaarden: wat al is opgeslagen, wordt niet nog eens opgeslagen, dus een bestand mag twee keer worden verstuurd.',
  choose: 'Kies een CSV-bestand',
  other: 'Ander bestand',
  tooLarge: '{name} is {size}; een bestand mag hoogstens {max} zijn.',
  workbook: '{name} is een Excel-bestand. Sla het blad eerst als CSV op.',
  noTable:
    '{name} is niet als CSV te lezen: misschien is een aanhalingsteken niet gesloten, of heeft een regel geen einde.',
  columns: 'Kolommen',
  columnsHint: 'Ze worden in deze browser onthouden voor het volgende bestand met deze koppen.',
  noColumn: 'Geen',
  unnamed: 'Kolom {number, number}',
  fields: {
    time: 'Datum en tijd',
    clock: 'Tijd van de dag, indien apart',
    externalId: 'Externe ID',
    activePowerKw: 'Vermogen',
    importedPerInterval: 'Afname per interval',
    exportedPerInterval: 'Teruglevering per interval',
  },
  device: 'Apparaat van alle rijen',
  deviceHint: 'Geen kolom heeft de externe ID.',
  timeZone: 'Tijdzone van het bestand',
  timeZoneHint: 'Voor tijden zonder verschil met UTC.',
  dateOrder: 'Datums',
  dateOrders: { dmy: 'Dag vóór maand: 31.12.2026', mdy: 'Maand vóór dag: 12/31/2026' },
  decimals: 'Decimalen',
  decimalSeparators: { comma: 'Komma: 1.234,5', point: 'Punt: 1,234.5' },
  unit: 'Vermogen in',
  energyUnit: 'Energie in',
  interval: 'Interval',
  stamp: 'Een tijd is',
  stamps: { start: 'het begin van het interval', end: 'het einde van het interval' },
  preview: 'Eerste rijen',
  line: 'Regel {line, number}',
  previewColumns: { line: 'Regel' },
  readable: 'Leesbaar',
  problems: {
    notATime: 'Dit is geen tijd.',
    skipped: 'De klok slaat deze tijd in het voorjaar over.',
    repeated:
      'De klok toont deze tijd in het najaar twee keer, en de plaats zegt niet welke het is. Schrijf hem met een verschil met UTC.',
    noExternalId: 'Geen externe ID.',
    noPower: 'Geen vermogen.',
    noEnergy: 'Geen energie.',
    notANumber: '{field}: dit is geen getal.',
    otherDecimals: '{field}: met dit decimaalteken kan dit een ander getal zijn; kies het teken van het bestand.',
  },
  unknownDevice: 'Onbekend apparaat',
  unknownDevices:
    '{count, plural, one {Eén externe ID hoort bij geen apparaat; de rijen ervan zouden worden geweigerd. Maak eerst het apparaat aan, in een nieuw tabblad:} other {# externe ID’s horen bij geen apparaat; de rijen ervan zouden worden geweigerd. Maak eerst de apparaten aan, elk in een nieuw tabblad:}}',
  andMore: 'en nog {count, number}',
  notARegister:
    '{field}: de waarden in deze kolom gaan op en neer, zoals de energie per interval. Een telwerk loopt alleen op, en met deze kolom zou de energie niet kloppen. Kies deze kolom in plaats daarvan als energie per interval.',
  intervalsHint:
    'Energie per interval wordt opgeslagen als het vermogen dat precies deze energie geeft: meerdere metingen per rij. Tussen de eerste en de laatste stand van een telwerk van het apparaat komt de energie nog steeds van het telwerk; daar veranderen deze rijen alleen het vermogen.',
  otherInterval:
    'De meeste tijden van dit bestand liggen {step} uit elkaar. Met een ander interval zou de energie niet kloppen.',
  meanPowerHint:
    'Dit bestand heeft geen vermogen. Elke meting krijgt het gemiddelde vermogen sinds de vorige, uit de telwerkstanden; de energie komt uit de telwerkstanden zelf.',
  rejectedRows: 'Geweigerde rijen',
  firstRejected: 'De eerste {shown, number} van {count, number} geweigerde rijen:',
  incomplete:
    'Kies de kolommen van de tijd en van het vermogen, een telwerk of de energie per interval, en het apparaat of de kolom ervan.',
  start: 'Meetwaarden versturen',
  stop: 'Stoppen',
  progress: '{percent, number,::percent} gelezen',
  stored: 'Opgeslagen',
  known: 'Al bekend',
  rejected: 'Geweigerd',
  done: 'Het bestand is verwerkt.',
  stopped: 'Gestopt. Wat is opgeslagen, blijft; verstuur het bestand opnieuw om verder te gaan.',
  failed: 'Gestopt bij een fout. Wat is opgeslagen, blijft; verstuur het bestand opnieuw om verder te gaan. {reason}',
  repeated:
    '{count, plural, one {Eén lokale tijd die twee keer bestaat, is} other {# lokale tijden die twee keer bestaan, zijn}} onderscheiden naar {count, plural, one {de} other {hun}} plaats: eerst zomertijd, dan wintertijd.',
  leaving: {
    title: 'Weggaan terwijl het bestand wordt verstuurd?',
    text: '{stored, plural, =0 {Van het bestand is nog niets opgeslagen.} one {# rij is opgeslagen en blijft.} other {# rijen zijn opgeslagen en blijven.}} Verstuur het bestand opnieuw om later verder te gaan.',
    leave: 'Stoppen en weggaan',
    stay: 'Hier blijven',
  },
  save: 'Geweigerde rijen opslaan',
  saveSome: 'De eerste {count, number} geweigerde rijen opslaan',
  savedName: 'geweigerde-rijen.csv',
  reason: 'Reden',
};
