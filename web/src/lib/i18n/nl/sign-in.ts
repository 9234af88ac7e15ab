import type { Translated } from '../message-types.ts';
import type { signIn as english } from '../en/sign-in.ts';

export const signIn: Translated<typeof english> = {
  title: 'Aanmelden',
  subtitle: 'Aanmelden bij {name}',
  email: 'E-mail',
  password: 'Wachtwoord',
  submit: 'Aanmelden',
  wrong: 'E-mail of wachtwoord onjuist.',
  locked: 'Te veel mislukte pogingen. U kunt het opnieuw proberen over {time}.',
  unlocked: 'U kunt het nu opnieuw proberen.',
  overTitle: 'Sessie verlopen',
  overText: 'Meld u aan om verder te gaan. Uw invoer blijft bewaard.',
  leave: 'Deze pagina verlaten',
  continueHint: 'Meld u aan om verder te gaan.',
  signOutDue: 'Afgemeld op dit apparaat. De sessie eindigt zodra u weer online bent.',
  emailMissing: 'Voer uw e-mailadres in.',
  withPasskey: 'Aanmelden met een passkey',
};
