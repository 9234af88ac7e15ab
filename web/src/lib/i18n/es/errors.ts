import type { Translated } from '../message-types.ts';
import type { errors as english } from '../en/errors.ts';

export const errors: Translated<typeof english> = {
  title: 'No se ha podido cargar',
  unexpected: 'Algo ha ido mal. Inténtelo de nuevo; si vuelve a ocurrir, avise a su administrador.',
  offline: 'Ahora mismo no se puede acceder al portal.',
  sessionWasOver: 'La sesión había terminado. Inténtelo de nuevo.',
  brokenOff: 'La conexión se cortó antes de que llegara todo. Inténtelo de nuevo.',
  outdated:
    'El portal ha respondido de un modo que esta página no entiende. Recargue la página para obtener su versión más reciente.',
  notFoundTitle: 'No existe esta página',
  notFoundText: 'Quizá la dirección esté mal escrita o la página haya cambiado de lugar.',
  goHome: 'Ir a la página de inicio',
  forbiddenTitle: 'Solo para administradores',
  forbiddenText: 'Su cuenta no puede abrir esta página. Pídaselo a un administrador si la necesita.',
  crashTitle: 'Esta página ha dejado de funcionar',
  reload: 'Recargar la página',
  required: 'Este campo no puede quedar vacío.',
};
