import type { Translated } from '../message-types.ts';
import type { settingsApiKeys as english } from '../en/settings-api-keys.ts';

export const settingsApiKeys: Translated<typeof english> = {
  description: 'Mit einem API-Schlüssel sendet ein Gateway seine Messwerte, ohne sich anzumelden.',
  new: 'Neuer API-Schlüssel',
  columns: { created: 'Angelegt', lastUsed: 'Zuletzt verwendet' },
  emptyTitle: 'Noch keine API-Schlüssel',
  emptyText:
    'Legen Sie für jedes Gateway einen eigenen an, dann können Sie einen widerrufen, ohne die anderen anzuhalten. Einen fertigen Befehl gibt es dazu.',
  nameHint: 'Wofür der Schlüssel ist: das Gateway oder sein Ort.',
  create: 'API-Schlüssel anlegen',
  createdTitle: 'API-Schlüssel „{name}“',
  shownOnce: 'Kopieren Sie den Schlüssel jetzt. Er wird nur dieses eine Mal angezeigt.',
  key: 'API-Schlüssel',
  copyKey: 'Schlüssel kopieren',
  copyCommand: 'Befehl kopieren',
  notCopied: 'Der Schlüssel ist noch nicht kopiert. Trotzdem schließen?',
  deviceHint: 'Seine externe Kennung steht in den Zeilen.',
  chooseDevice: 'Gerät auswählen',
  command: 'Damit Messwerte senden',
  commandHint: 'Führen Sie dies dort aus, wo das Gateway ist. Zeiten brauchen einen Abstand zu UTC oder Z.',
  noDevices:
    'Es gibt noch keine Geräte, deshalb lehnt das Portal die Zeilen dieses Befehls ab. Fügen Sie unter <link>Standorte</link> ein Gerät mit dieser externen Kennung hinzu.',
  test: {
    title: 'Eine Testzeile senden',
    hint: 'Sendet mit diesem Schlüssel einen Messwert über die API. Die Zeile ist echt: Sie wird gespeichert, erscheint in Diagrammen und Summen und lässt sich nur zusammen mit ihrem Gerät löschen.',
    timeHint: 'Leer: jetzt. Sonst eine Zeit in {zone}.',
    powerMissing: 'Bitte geben Sie eine Zahl ein.',
    send: 'Testzeile senden',
    stored: 'Gespeichert: {power} für {device}, {time}.',
    duplicate: 'Angenommen, aber nicht noch einmal gespeichert: {device} hat schon einen Messwert um {time}.',
    rejected: 'Abgelehnt: {reason}',
    counts: 'angenommen {accepted, number} · abgelehnt {rejected, number} · doppelt {duplicates, number}',
    show: 'Messwerte anzeigen',
  },
  revoke: 'Widerrufen',
  revokeTitle: 'API-Schlüssel widerrufen',
  revokeText: 'Was mit diesem Schlüssel sendet, wird danach abgewiesen. Das lässt sich nicht rückgängig machen.',
  revoked: 'Der API-Schlüssel {name} ist widerrufen.',
};
