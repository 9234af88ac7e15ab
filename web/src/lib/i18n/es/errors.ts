import type { Translated } from '../message-types.ts';
import type { errors as english } from '../en/errors.ts';

export const errors: Translated<typeof english> = {
  title: 'No se ha podido cargar',
  unexpected: 'Algo ha ido mal. Inténtelo de nuevo. Si vuelve a ocurrir, contacte con su administrador.',
  offline: 'No se puede acceder al portal.',
  sessionWasOver: 'Su sesión ha caducado. Inténtelo de nuevo.',
  brokenOff: 'Conexión interrumpida. Inténtelo de nuevo.',
  outdated: 'Esta página no está actualizada. Recárguela.',
  notFoundTitle: 'Página no encontrada',
  notFoundText: 'Revise la dirección.',
  goHome: 'Ir a la página de inicio',
  forbiddenTitle: 'Solo para administradores',
  forbiddenText: 'No tiene acceso. Pídaselo a un administrador.',
  crashTitle: 'Esta página ha dejado de funcionar',
  reload: 'Recargar',
  required: 'Obligatorio',
};
