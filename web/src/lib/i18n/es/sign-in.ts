import type { Translated } from '../message-types.ts';
import type { signIn as english } from '../en/sign-in.ts';

export const signIn: Translated<typeof english> = {
  title: 'Iniciar sesión',
  subtitle: 'Iniciar sesión en {name}',
  email: 'Correo electrónico',
  password: 'Contraseña',
  submit: 'Iniciar sesión',
  wrong: 'El correo o la contraseña no son correctos.',
  locked: 'Demasiados intentos fallidos. Podrá volver a intentarlo en {time}.',
  unlocked: 'Ya puede volver a intentarlo.',
  overTitle: 'Su sesión ha terminado',
  overText:
    'Inicie sesión de nuevo para seguir. Lo que ha escrito en esta página sigue aquí; guárdelo después otra vez.',
  leave: 'Salir de esta página',
  continueHint: 'Inicie sesión para continuar a la página solicitada.',
  signOutDue:
    'Ha cerrado la sesión en este dispositivo. La sesión en el portal terminará en cuanto se pueda acceder a él desde aquí.',
  emailMissing: 'Introduzca su correo electrónico.',
  withPasskey: 'Entrar con una clave de acceso',
};
