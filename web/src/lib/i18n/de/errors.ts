import type { Translated } from '../message-types.ts';
import type { errors as english } from '../en/errors.ts';

export const errors: Translated<typeof english> = {
  title: 'Laden fehlgeschlagen',
  unexpected:
    'Etwas ist schiefgegangen. Versuchen Sie es erneut. Passiert es wieder, wenden Sie sich an Ihren Administrator.',
  offline: 'Das Portal ist nicht erreichbar.',
  sessionWasOver: 'Ihre Sitzung ist abgelaufen. Versuchen Sie es erneut.',
  brokenOff: 'Verbindung unterbrochen. Versuchen Sie es erneut.',
  outdated: 'Diese Seite ist veraltet. Bitte neu laden.',
  notFoundTitle: 'Seite nicht gefunden',
  notFoundText: 'Bitte die Adresse prüfen.',
  goHome: 'Zur Startseite',
  forbiddenTitle: 'Nur für Administratoren',
  forbiddenText: 'Kein Zugriff. Wenden Sie sich an einen Administrator.',
  crashTitle: 'Diese Seite ist abgestürzt',
  reload: 'Neu laden',
  required: 'Pflichtfeld',
};
