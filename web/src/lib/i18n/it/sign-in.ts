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
  overTitle: 'La sessione è terminata',
  overText:
    'Accedere di nuovo per proseguire. Ciò che è stato digitato in questa pagina c’è ancora; poi salvarlo di nuovo.',
  leave: 'Lascia questa pagina',
  continueHint: 'Accedere per proseguire alla pagina richiesta.',
  signOutDue:
    'La sessione su questo dispositivo è chiusa. La sessione sul portale termina non appena il portale è di nuovo raggiungibile da qui.',
  emailMissing: 'Inserire l’indirizzo e-mail.',
  withPasskey: 'Accedi con una passkey',
};
