import type { Translated } from '../message-types.ts';
import type { errors as english } from '../en/errors.ts';

export const errors: Translated<typeof english> = {
  title: 'Das konnte nicht geladen werden',
  unexpected:
    'Etwas ist schiefgegangen. Versuchen Sie es erneut; passiert es wieder, wenden Sie sich an Ihren Administrator.',
  offline: 'Das Portal ist gerade nicht erreichbar.',
  sessionWasOver: 'Die Sitzung war beendet. Versuchen Sie es noch einmal.',
  brokenOff: 'Die Verbindung ist abgebrochen, bevor alles angekommen war. Versuchen Sie es erneut.',
  outdated:
    'Diese Seite versteht die Antwort des Portals nicht. Laden Sie die Seite neu, um die aktuelle Version zu erhalten.',
  notFoundTitle: 'Diese Seite gibt es nicht',
  notFoundText: 'Vielleicht ist die Adresse falsch geschrieben oder die Seite ist umgezogen.',
  goHome: 'Zur Startseite',
  forbiddenTitle: 'Nur für Administratoren',
  forbiddenText:
    'Ihr Konto darf diese Seite nicht öffnen. Wenden Sie sich an einen Administrator, wenn Sie sie brauchen.',
  crashTitle: 'Diese Seite ist ausgefallen',
  reload: 'Seite neu laden',
  required: 'Dieses Feld darf nicht leer sein.',
};
