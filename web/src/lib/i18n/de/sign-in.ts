import type { Translated } from '../message-types.ts';
import type { signIn as english } from '../en/sign-in.ts';

export const signIn: Translated<typeof english> = {
  title: 'Anmelden',
  subtitle: 'Bei {name} anmelden',
  email: 'E-Mail-Adresse',
  password: 'Passwort',
  submit: 'Anmelden',
  wrong: 'E-Mail-Adresse oder Passwort ist falsch.',
  locked: 'Zu viele Fehlversuche. In {time} können Sie es erneut versuchen.',
  unlocked: 'Sie können es jetzt erneut versuchen.',
  overTitle: 'Ihre Sitzung ist beendet',
  overText:
    'Melden Sie sich erneut an, um weiterzumachen. Was Sie auf dieser Seite eingegeben haben, ist noch da; speichern Sie es danach erneut.',
  leave: 'Diese Seite verlassen',
  continueHint: 'Melden Sie sich an, um zur gewünschten Seite zu gelangen.',
  signOutDue:
    'Sie sind auf diesem Gerät abgemeldet. Die Sitzung beim Portal endet, sobald es von hier wieder zu erreichen ist.',
  emailMissing: 'Bitte geben Sie Ihre E-Mail-Adresse ein.',
  withPasskey: 'Mit Passkey anmelden',
};
