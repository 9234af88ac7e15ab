import type { Translated } from '../message-types.ts';
import type { signIn as english } from '../en/sign-in.ts';

export const signIn: Translated<typeof english> = {
  title: 'Connexion',
  subtitle: 'Connexion à {name}',
  email: 'E-mail',
  password: 'Mot de passe',
  submit: 'Se connecter',
  wrong: 'E-mail ou mot de passe incorrect.',
  locked: 'Trop d’échecs. Vous pourrez réessayer dans {time}.',
  unlocked: 'Vous pouvez réessayer maintenant.',
  overTitle: 'Session expirée',
  overText: 'Connectez-vous pour continuer. Votre saisie est conservée.',
  leave: 'Quitter cette page',
  continueHint: 'Connectez-vous pour continuer.',
  signOutDue: 'Déconnecté sur cet appareil. La session prendra fin au retour de la connexion.',
  emailMissing: 'Saisissez votre adresse e-mail.',
  withPasskey: 'Se connecter avec une clé d’accès',
};
