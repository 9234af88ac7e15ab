import type { Translated } from '../message-types.ts';
import type { dashboards as english } from '../en/dashboards.ts';

export const dashboards: Translated<typeof english> = {
  menu: 'Dashboards van het menu',
  gone: 'De dashboardtool antwoordt op dit moment niet ({reason}). Laat deze pagina open: ze gaat vanzelf verder.',
  reason: 'Reden: {reason}.',
  reasons: {
    notBuilt: 'de pagina ervan kon niet worden gebouwd: {detail}',
    ended: 'ze is gestopt: {detail}',
    noAnswer: 'niets antwoordt op het adres in Dashboard__Upstream',
  },
  installingTitle: 'De dashboardtool wordt geïnstalleerd',
  installingText:
    'De pakketten worden één keer gedownload; dat duurt een of twee minuten. Deze pagina gaat vanzelf verder.',
  buildingTitle: 'De dashboardtool wordt gebouwd',
  buildingText: 'Dat duurt ongeveer een minuut, één keer en na een update. Deze pagina gaat vanzelf verder.',
  startingTitle: 'De dashboardtool start',
  startingText: 'Dat duurt enkele seconden. Deze pagina gaat vanzelf verder.',
  failedTitle: 'De dashboardtool draait niet',
  failedText:
    'Het portaal probeert het vanzelf opnieuw; het logboek heeft de details. Al het andere werkt zonder de dashboardtool.',
  offTitle: 'Er is geen dashboardtool',
  offText:
    'Niets antwoordt onder het pad van de dashboardtool. Start de dienst achter dezelfde proxy, zet Dashboard__Upstream op zijn adres, of laat het portaal hem starten met Dashboard__Start.',
  askAdmin: 'Blijft dit zo, meld het dan uw beheerder.',
};
