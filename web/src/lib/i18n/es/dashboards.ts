import type { Translated } from '../message-types.ts';
import type { dashboards as english } from '../en/dashboards.ts';

export const dashboards: Translated<typeof english> = {
  menu: 'Paneles',
  gone: 'Los paneles no están disponibles ({reason}). Reconectando …',
  reason: 'Motivo: {reason}.',
  reasons: {
    notBuilt: 'error de compilación: {detail}',
    ended: 'detenido: {detail}',
    noAnswer: 'sin respuesta de Dashboard__Upstream',
  },
  installingTitle: 'Instalando paneles …',
  installingText: 'Los paquetes se descargan una vez, en uno o dos minutos. Esta página se actualiza sola.',
  buildingTitle: 'Compilando paneles …',
  buildingText: 'Tarda alrededor de un minuto, una vez y tras cada actualización. Esta página se actualiza sola.',
  startingTitle: 'Iniciando paneles …',
  startingText: 'Tarda unos segundos. Esta página se actualiza sola.',
  failedTitle: 'Los paneles no están en marcha',
  failedText: 'El portal lo reintenta automáticamente; detalles en su registro. Todo lo demás funciona.',
  offTitle: 'Los paneles no están configurados',
  offText:
    'Inicie el servicio de paneles tras el mismo proxy e indique su dirección en Dashboard__Upstream, o deje que el portal lo inicie con Dashboard__Start.',
  askAdmin: 'Si continúa, contacte con su administrador.',
};
