import type { FleetMessages, Translated } from '../catalogue.ts';

export const fleet: Translated<FleetMessages> = {
  customers: {
    summary: '{count, plural, one {# Kunde} other {# Kunden}}, davon {active, number} aktiv',
    new: 'Neuer Kunde',
    edit: 'Kunden bearbeiten',
    create: 'Kunden anlegen',
    actionsFor: 'Aktionen für {name}',
    search: 'Nach Name oder Kürzel suchen',
    columns: { customer: 'Kunde', state: 'Zustand', lastSeen: 'Letzte gespeicherte Sendung', token: 'Token' },
    states: { active: 'Aktiv', waiting: 'Noch keine Sendung', off: 'Abgeschaltet' },
    tokenIssued: 'Ausgestellt {age}',
    previousUntil: 'Altes Token gültig bis {time}',
    previousEnded: 'Altes Token abgelaufen {age}',
    emptyTitle: 'Noch keine Kunden',
    emptyText:
      'Ein Kunde ist eine eigene Installation, die ihre Messwerte hierher sendet. Legen Sie den ersten an: Sie erhalten sein Token und die Einstellungen für seine Installation.',
    noMatch: 'Kein Kunde passt',
    noMatchHint: 'Versuchen Sie ein anderes Wort oder leeren Sie die Suche.',
    code: 'Kürzel',
    codeHint:
      'Seine Subdomain und der Name seines Compose-Projekts: 2 bis 39 Kleinbuchstaben, Ziffern und Bindestriche. Es lässt sich nie ändern.',
    codeInvalid:
      'Bitte 2 bis 39 Kleinbuchstaben, Ziffern und Bindestriche verwenden und nicht mit einem Bindestrich beginnen.',
    name: 'Name',
    active: 'Aktiv',
    activeHint: 'Solange ein Kunde abgeschaltet ist, werden seine Token abgewiesen. Was er gesendet hat, bleibt.',
    saved: '{name} ist gespeichert.',
    switchOn: 'Einschalten',
    switchOff: 'Abschalten',
    switchedOn: '{name} kann wieder senden.',
    switchedOff: '{name} ist abgeschaltet: Was jetzt kommt, wird abgewiesen.',
    failed: 'Das hat nicht funktioniert. {reason}',
    delete: 'Kunden löschen',
    deleteText:
      '{name} verschwindet sofort mit allem, was gesendet wurde: Standorte, Geräte, Messwerte und Tarife. Die Installation kann nicht mehr senden. Das lässt sich nicht rückgängig machen.',
    deleted: '{name} ist gelöscht.',
    rotate: 'Token erneuern',
    rotateText:
      '{name} bekommt ein neues Token. Mit dem alten kann die Installation noch senden, bis seine Übergangszeit endet; tragen Sie das neue vorher in ihre Einstellungen ein.',
    rotateEndsPrevious: 'Ein Token von früher gilt noch bis {time}. Es endet sofort; das jetzige wird zum alten Token.',
    graceHours: 'Übergangszeit des alten Tokens',
    graceHoursHint:
      'Von 0, dann endet es sofort, bis {max, number} Stunden. Leer: wie dieses Portal eingerichtet ist, meist 24 Stunden.',
    graceHoursInvalid: 'Bitte eine Zahl von 0 bis {max, number} eingeben oder das Feld leer lassen.',
    hours: 'h',
    tokenTitle: 'Token von {name}',
    token: 'Token zum Senden',
    tokenOnce: 'Kopieren Sie das Token jetzt. Es wird nur dieses eine Mal angezeigt.',
    copyToken: 'Token kopieren',
    tokenNotCopied: 'Das Token ist noch nicht kopiert. Trotzdem schließen?',
    settings: 'Einstellungen für seine Installation',
    settingsHint:
      'Tragen Sie sie in die Umgebung des Portals beim Kunden oder in dessen .env-Datei ein und starten Sie es neu.',
    copySettings: 'Einstellungen kopieren',
    previousHonoured: 'Das alte Token wird noch bis {time} angenommen.',
    previousRefused: 'Das alte Token wird ab jetzt abgewiesen.',
  },
};
