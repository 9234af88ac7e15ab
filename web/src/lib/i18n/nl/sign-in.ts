import type { Translated } from '../message-types.ts';
import type { signIn as english } from '../en/sign-in.ts';

export const signIn: Translated<typeof english> = {
  title: 'Aanmelden',
  subtitle: 'Aanmelden bij {name}',
  email: 'E-mail',
  password: 'Wachtwoord',
  submit: 'Aanmelden',
  wrong: 'E-mail of wachtwoord is onjuist.',
  locked: 'Te veel mislukte pogingen. U kunt het opnieuw proberen over {time}.',
  unlocked: 'U kunt het nu opnieuw proberen.',
  overTitle: 'Uw sessie is beëindigd',
  overText:
    'Meld u opnieuw aan om verder te gaan. Wat u op deze pagina hebt getypt, staat er nog; sla het daarna opnieuw op.',
  leave: 'Deze pagina verlaten',
  continueHint: 'Meld u aan om door te gaan naar de gevraagde pagina.',
  signOutDue:
    'U bent op dit apparaat afgemeld. De sessie bij het portaal eindigt zodra het van hieruit weer bereikbaar is.',
  emailMissing: 'Voer uw e-mailadres in.',
  withPasskey: 'Aanmelden met een passkey',
};
