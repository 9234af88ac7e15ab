import type { Translated } from '../message-types.ts';
import type { settingsFleetPush as english } from '../en/settings-fleet-push.ts';

export const settingsFleetPush: Translated<typeof english> = {
  description: 'Was dieses Portal an die Flotte sendet: Standorte, Geräte, Gemeinden, Tarife und Messwerte.',
  offTitle: 'Es wird nichts gesendet',
  offText:
    'Setzen Sie diese drei Einstellungen und starten Sie das Portal neu. Adresse und Token bekommen Sie von denen, die die Flotte betreiben.',
  offSettings: 'Einstellungen des Sendens',
  copySettings: 'Einstellungen kopieren',
  pushNow: 'Jetzt senden',
  pushing: 'Die nächste Runde beginnt jetzt; nichts wartet mehr.',
  health: {
    off: 'Abgeschaltet',
    refused: 'Von der Flotte abgewiesen',
    waiting: 'Wartet auf den nächsten Versuch',
    starting: 'Beginnt',
    catchingUp: 'Holt auf',
    running: 'Läuft',
  },
  every: 'eine Runde alle {interval}',
  trouble: {
    unauthorized: 'Die Flotte weist das Token ab',
    refused: 'Die Flotte weist das Gesendete ab',
    unreachable: 'Die Flotte antwortet nicht',
    busy: 'Die Flotte ist ausgelastet',
    broken: 'Die Flotte antwortet mit einem Fehler',
    rejected: 'Die Flotte hat Zeilen abgelehnt',
  },
  mend: 'Fragen Sie die Betreiber der Flotte nach einem neuen Token, oder ob der Kunde abgeschaltet ist. Setzen Sie FleetIngest__Token und starten Sie das Portal neu.',
  nothingLost: 'Nichts geht verloren: Was nicht gesendet ist, wartet hier.',
  since: 'Letzte angekommene Sendung ({resource}): {time}.',
  never: 'Noch keine Sendung ist angekommen ({resource}).',
  failures:
    '{count, plural, one {# Versuch ist} other {# Versuche sind}} nacheinander gescheitert; der nächste: {when}.',
  atNextRound: 'mit der nächsten Runde',
  backlog: 'Rückstand',
  backlogNote: '{count, plural, =0 {alles ist gesendet} one {Messwert zu senden} other {Messwerte zu senden}}',
  lastBatch: 'Letzte Sendung',
  lastBatchNote: 'gleich welcher Art',
  noBatch: 'Noch keine',
  sentUpTo: 'Gesendet bis',
  sentUpToNote: 'in diesem Portal eingegangen',
  walking: 'Ältere zuerst',
  walkingNote: 'was vor Beginn des Sendens gespeichert war',
  rejected: 'Abgelehnte Zeilen',
  rejectedNote: 'die die Flotte je nicht angenommen hat',
  table: 'Was gesendet wird',
  cursor: 'Cursor der Messwerte:',
  columns: {
    resource: 'Was',
    error: 'Letzter Fehler',
    size: 'Zeilen je Sendung',
  },
  states: { sent: 'Gesendet', waiting: 'Wartet', none: 'Noch nichts' },
  reconciliation: {
    title: 'Abgleich mit der Flotte',
    description:
      'Einmal am Tag fragt das Portal die Flotte, was sie von jedem Gerät und Tag hat, und sendet noch einmal, was abweicht. Alle vier Wochen wird alles verglichen.',
    now: 'Jetzt abgleichen',
    begun: 'Alles Gespeicherte wird verglichen; das kann Minuten dauern.',
    health: {
      running: 'Vergleicht',
      waiting: 'Wartet auf den nächsten Versuch',
      never: 'Noch nicht verglichen',
      differs: 'Gleich, bis auf einige Tage',
      inStep: 'Gleich',
    },
    progress:
      '{compared, plural, one {# Gerätetag} other {# Gerätetage}} verglichen, {resent, plural, one {#} other {#}} noch einmal gesendet',
    failed: 'Der Abgleich kommt nicht weiter',
    next: '{count, plural, one {# Versuch ist} other {# Versuche sind}} nacheinander gescheitert; der nächste: {time}.',
    allSame: 'was davor gemessen wurde, ist auf beiden Seiten gleich',
    notYet: 'Noch nicht',
    last: 'Letzter Abgleich',
    found:
      '{compared, plural, one {# Gerätetag} other {# Gerätetage}}, {resent, plural, =0 {nichts wich ab} one {# wich ab und wurde noch einmal gesendet} other {# wichen ab und wurden noch einmal gesendet}}',
    differ:
      'Trotz erneutem Senden {count, plural, one {weicht dieser Tag} other {weichen diese Tage}} ab: Die Flotte hat Messwerte, die dieses Portal nicht hat, oder nimmt manche nicht an. {shown, plural, one {Der neueste} other {Die neuesten #}} von {count, number}.',
    table: 'Tage, die abweichen',
    columns: { device: 'Gerät', day: 'Tag (UTC)', ownCount: 'Hier', fleetCount: 'In der Flotte' },
  },
};
