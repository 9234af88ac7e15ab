import type { Translated } from '../message-types.ts';
import type { signIn as english } from '../en/sign-in.ts';

export const signIn: Translated<typeof english> = {
  title: 'Iniciar sesión',
  subtitle: 'Iniciar sesión en {name}',
  email: 'Correo electrónico',
  password: 'Contraseña',
  submit: 'Iniciar sesión',
  wrong: 'Correo o contraseña incorrectos.',
  locked: 'Demasiados intentos fallidos. Podrá volver a intentarlo en {time}.',
  unlocked: 'Ya puede volver a intentarlo.',
  overTitle: 'Sesión caducada',
  overText: 'Inicie sesión para continuar. Sus datos se conservan.',
  leave: 'Salir de esta página',
  continueHint: 'Inicie sesión para continuar.',
  signOutDue: 'Sesión cerrada en este dispositivo. Terminará en el portal cuando vuelva la conexión.',
  emailMissing: 'Introduzca su correo electrónico.',
  withPasskey: 'Entrar con una clave de acceso',
};
