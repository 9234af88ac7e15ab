import type { Translated } from '../message-types.ts';
import type { errors as english } from '../en/errors.ts';

export const errors: Translated<typeof english> = {
  title: 'Laden is mislukt',
  unexpected: 'Er ging iets mis. Probeer het opnieuw. Gebeurt het weer, neem dan contact op met uw beheerder.',
  offline: 'Het portaal is niet bereikbaar.',
  sessionWasOver: 'Uw sessie is verlopen. Probeer het opnieuw.',
  brokenOff: 'Verbinding verbroken. Probeer het opnieuw.',
  outdated: 'Deze pagina is verouderd. Laad haar opnieuw.',
  notFoundTitle: 'Pagina niet gevonden',
  notFoundText: 'Controleer het adres.',
  goHome: 'Naar de startpagina',
  forbiddenTitle: 'Alleen voor beheerders',
  forbiddenText: 'U hebt geen toegang. Vraag een beheerder.',
  crashTitle: 'Deze pagina is vastgelopen',
  reload: 'Opnieuw laden',
  required: 'Verplicht',
};
