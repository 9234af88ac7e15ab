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
  overTitle: 'Votre session a pris fin',
  overText:
    'Reconnectez-vous pour continuer. Ce que vous avez saisi sur cette page est toujours là ; enregistrez-le ensuite à nouveau.',
  leave: 'Quitter cette page',
  continueHint: 'Connectez-vous pour continuer vers la page demandée.',
  signOutDue:
    'Vous êtes déconnecté sur cet appareil. La session sur le portail prendra fin dès qu’il sera de nouveau joignable d’ici.',
  emailMissing: 'Saisissez votre adresse e-mail.',
  withPasskey: 'Se connecter avec une clé d’accès',
};
