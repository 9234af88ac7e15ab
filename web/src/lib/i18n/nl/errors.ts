import type { Translated } from '../message-types.ts';
import type { errors as english } from '../en/errors.ts';

export const errors: Translated<typeof english> = {
  title: 'Laden is mislukt',
  unexpected: 'Er ging iets mis. Probeer het opnieuw; gebeurt het weer, meld het dan uw beheerder.',
  offline: 'Het portaal is op dit moment niet bereikbaar.',
  sessionWasOver: 'De sessie was beëindigd. Probeer het opnieuw.',
  brokenOff: 'De verbinding brak af voordat alles binnen was. Probeer het opnieuw.',
  outdated:
    'Het portaal antwoordde op een manier die deze pagina niet begrijpt. Laad de pagina opnieuw voor de nieuwste versie.',
  notFoundTitle: 'Deze pagina bestaat niet',
  notFoundText: 'Het adres kan een typefout bevatten, of de pagina is verplaatst.',
  goHome: 'Naar de startpagina',
  forbiddenTitle: 'Alleen voor beheerders',
  forbiddenText: 'Uw account mag deze pagina niet openen. Vraag een beheerder als u haar nodig hebt.',
  crashTitle: 'Deze pagina werkt niet meer',
  reload: 'Pagina opnieuw laden',
  required: 'Dit veld mag niet leeg zijn.',
};
