import type { Translated } from '../message-types.ts';
import type { settingsApiKeys as english } from '../en/settings-api-keys.ts';

export const settingsApiKeys: Translated<typeof english> = {
  description: 'Con una clave de API, una pasarela envía sus mediciones sin iniciar sesión.',
  new: 'Nueva clave de API',
  columns: { created: 'Creada', lastUsed: 'Último uso' },
  emptyTitle: 'Aún no hay claves de API',
  emptyText:
    'Cree una para cada pasarela, para poder revocar una sin detener las demás. Con ella obtiene una orden lista para usar.',
  nameHint: 'Para qué es la clave: la pasarela o su lugar.',
  create: 'Crear clave de API',
  createdTitle: 'Clave de API «{name}»',
  shownOnce: 'Copie la clave ahora. Solo se muestra esta vez y no podrá volver a leerse.',
  key: 'Clave de API',
  copyKey: 'Copiar la clave',
  copyCommand: 'Copiar la orden',
  notCopied: 'La clave aún no se ha copiado. ¿Cerrar de todos modos?',
  deviceHint: 'Su identificador externo va en las filas.',
  chooseDevice: 'Elija un equipo',
  command: 'Enviar mediciones con ella',
  commandHint: 'Ejecute esto donde está la pasarela. Las horas necesitan un desfase o Z.',
  noDevices:
    'Aún no hay equipos, así que el portal rechaza las filas de esta orden. Añada un equipo con este identificador externo en <link>Sedes</link>.',
  test: {
    title: 'Enviar una fila de prueba',
    hint: 'Envía una medición por la API con esta clave. La fila es real: se guarda, aparece en gráficos y totales, y solo puede eliminarse junto con su equipo.',
    timeHint: 'Vacío: ahora. Si no, una hora de {zone}.',
    powerMissing: 'Introduzca un número.',
    send: 'Enviar fila de prueba',
    stored: 'Guardado: {power} de {device}, {time}.',
    duplicate: 'Aceptado, pero no guardado de nuevo: {device} ya tiene una medición de {time}.',
    rejected: 'Rechazado: {reason}',
    counts: 'aceptadas {accepted, number} · rechazadas {rejected, number} · duplicadas {duplicates, number}',
    show: 'Mostrar las lecturas',
  },
  revoke: 'Revocar',
  revokeTitle: 'Revocar clave de API',
  revokeText: 'A partir de entonces se rechaza todo lo que se envíe con esta clave. No se puede deshacer.',
  revoked: 'La clave de API {name} se ha revocado.',
};
