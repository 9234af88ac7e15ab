import type { Translated } from '../message-types.ts';
import type { dashboards as english } from '../en/dashboards.ts';

export const dashboards: Translated<typeof english> = {
  menu: 'Dashboards',
  gone: 'Dashboards niet beschikbaar ({reason}). Opnieuw verbinden …',
  reason: 'Reden: {reason}.',
  reasons: {
    notBuilt: 'build mislukt: {detail}',
    ended: 'gestopt: {detail}',
    noAnswer: 'geen antwoord van Dashboard__Upstream',
  },
  installingTitle: 'Dashboards worden geïnstalleerd …',
  installingText: 'Pakketten worden één keer gedownload, in een of twee minuten. Deze pagina werkt zichzelf bij.',
  buildingTitle: 'Dashboards worden gebouwd …',
  buildingText: 'Duurt ongeveer een minuut, één keer en na elke update. Deze pagina werkt zichzelf bij.',
  startingTitle: 'Dashboards worden gestart …',
  startingText: 'Duurt enkele seconden. Deze pagina werkt zichzelf bij.',
  failedTitle: 'Dashboards draaien niet',
  failedText: 'Het portaal probeert het automatisch opnieuw; zie het logboek. Al het andere werkt.',
  offTitle: 'Dashboards zijn niet ingesteld',
  offText:
    'Start de dashboarddienst achter dezelfde proxy en zet Dashboard__Upstream op het adres ervan, of laat het portaal hem starten met Dashboard__Start.',
  askAdmin: 'Houdt dit aan, neem dan contact op met uw beheerder.',
};
