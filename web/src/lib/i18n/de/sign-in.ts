import type { Translated } from '../message-types.ts';
import type { signIn as english } from '../en/sign-in.ts';

export const signIn: Translated<typeof english> = {
  title: 'Anmelden',
  subtitle: 'Bei {name} anmelden',
  email: 'E-Mail-Adresse',
  password: 'Passwort',
  submit: 'Anmelden',
  wrong: 'E-Mail-Adresse oder Passwort falsch.',
  locked: 'Zu viele Fehlversuche. In {time} können Sie es erneut versuchen.',
  unlocked: 'Sie können es jetzt erneut versuchen.',
  overTitle: 'Sitzung abgelaufen',
  overText: 'Melden Sie sich an, um fortzufahren. Ihre Eingaben bleiben erhalten.',
  leave: 'Diese Seite verlassen',
  continueHint: 'Melden Sie sich an, um fortzufahren.',
  signOutDue: 'Auf diesem Gerät abgemeldet. Die Sitzung endet, sobald Sie wieder online sind.',
  emailMissing: 'Bitte geben Sie Ihre E-Mail-Adresse ein.',
  withPasskey: 'Mit Passkey anmelden',
};
