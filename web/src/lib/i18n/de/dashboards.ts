import type { Translated } from '../message-types.ts';
import type { dashboards as english } from '../en/dashboards.ts';

export const dashboards: Translated<typeof english> = {
  menu: 'Dashboards des Menüs',
  gone: 'Das Dashboard-Werkzeug antwortet gerade nicht ({reason}). Lassen Sie diese Seite offen: Es geht von selbst weiter.',
  reason: 'Grund: {reason}.',
  reasons: {
    notBuilt: 'seine Seite konnte nicht gebaut werden: {detail}',
    ended: 'es ist beendet: {detail}',
    noAnswer: 'unter der Adresse in Dashboard__Upstream antwortet nichts',
  },
  installingTitle: 'Das Dashboard-Werkzeug wird installiert',
  installingText:
    'Seine Pakete werden einmal geladen; das dauert ein bis zwei Minuten. Danach geht es hier von selbst weiter.',
  buildingTitle: 'Das Dashboard-Werkzeug wird gebaut',
  buildingText:
    'Das dauert etwa eine Minute, einmal und nach einer Aktualisierung. Danach geht es hier von selbst weiter.',
  startingTitle: 'Das Dashboard-Werkzeug startet',
  startingText: 'Das dauert einige Sekunden. Danach geht es hier von selbst weiter.',
  failedTitle: 'Das Dashboard-Werkzeug läuft nicht',
  failedText:
    'Das Portal versucht es von selbst wieder; Einzelheiten stehen in seinem Protokoll. Alles andere funktioniert auch ohne das Dashboard-Werkzeug.',
  offTitle: 'Es gibt kein Dashboard-Werkzeug',
  offText:
    'Unter dem Pfad des Dashboard-Werkzeugs antwortet niemand. Starten Sie seinen Dienst hinter demselben Proxy, setzen Sie Dashboard__Upstream auf seine Adresse, oder lassen Sie es mit Dashboard__Start vom Portal starten.',
  askAdmin: 'Wenn das so bleibt, sagen Sie es Ihrem Administrator.',
};
