import type { Translated } from '../message-types.ts';
import type { signIn as english } from '../en/sign-in.ts';

export const signIn: Translated<typeof english> = {
  title: 'Accesso',
  subtitle: 'Accesso a {name}',
  email: 'E-mail',
  password: 'Password',
  submit: 'Accedi',
  wrong: 'E-mail o password errata.',
  locked: 'Troppi tentativi non riusciti. Si può riprovare tra {time}.',
  unlocked: 'Ora si può riprovare.',
  overTitle: 'Sessione scaduta',
  overText: 'Accedere per continuare. I dati inseriti restano.',
  leave: 'Lascia questa pagina',
  continueHint: 'Accedere per continuare.',
  signOutDue: 'Disconnesso su questo dispositivo. La sessione terminerà al ritorno della connessione.',
  emailMissing: 'Inserire l’indirizzo e-mail.',
  withPasskey: 'Accedi con una passkey',
};
