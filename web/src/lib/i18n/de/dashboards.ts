import type { Translated } from '../message-types.ts';
import type { dashboards as english } from '../en/dashboards.ts';

export const dashboards: Translated<typeof english> = {
  menu: 'Dashboards',
  gone: 'Dashboards nicht erreichbar ({reason}). Verbindung wird wiederhergestellt …',
  reason: 'Grund: {reason}.',
  reasons: {
    notBuilt: 'Build fehlgeschlagen: {detail}',
    ended: 'beendet: {detail}',
    noAnswer: 'keine Antwort von Dashboard__Upstream',
  },
  installingTitle: 'Dashboards werden installiert …',
  installingText: 'Pakete werden einmalig geladen, ein bis zwei Minuten lang. Diese Seite aktualisiert sich.',
  buildingTitle: 'Dashboards werden gebaut …',
  buildingText: 'Dauert etwa eine Minute, einmalig und nach Aktualisierungen. Diese Seite aktualisiert sich.',
  startingTitle: 'Dashboards werden gestartet …',
  startingText: 'Dauert einige Sekunden. Diese Seite aktualisiert sich.',
  failedTitle: 'Dashboards laufen nicht',
  failedText: 'Das Portal versucht es automatisch wieder. Einzelheiten im Protokoll. Alles andere funktioniert.',
  offTitle: 'Dashboards sind nicht eingerichtet',
  offText:
    'Starten Sie den Dashboard-Dienst hinter demselben Proxy und tragen Sie seine Adresse in Dashboard__Upstream ein, oder lassen Sie ihn mit Dashboard__Start vom Portal starten.',
  askAdmin: 'Hält das an, wenden Sie sich an Ihren Administrator.',
};
