import type { Translated } from '../message-types.ts';
import type { dashboards as english } from '../en/dashboards.ts';

export const dashboards: Translated<typeof english> = {
  menu: 'Paneles del menú',
  gone: 'La herramienta de paneles no responde en este momento ({reason}). Deje abierta esta página: continuará por sí sola.',
  reason: 'Motivo: {reason}.',
  reasons: {
    notBuilt: 'no se pudo construir su página: {detail}',
    ended: 'ha terminado: {detail}',
    noAnswer: 'nada responde en la dirección de Dashboard__Upstream',
  },
  installingTitle: 'Se está instalando la herramienta de paneles',
  installingText:
    'Sus paquetes se descargan una sola vez; tarda uno o dos minutos. Esta página continuará por sí sola.',
  buildingTitle: 'Se está construyendo la herramienta de paneles',
  buildingText: 'Tarda alrededor de un minuto, una vez y tras cada actualización. Esta página continuará por sí sola.',
  startingTitle: 'La herramienta de paneles está arrancando',
  startingText: 'Tarda unos segundos. Esta página continuará por sí sola.',
  failedTitle: 'La herramienta de paneles no funciona',
  failedText:
    'El portal lo vuelve a intentar por sí solo; su registro tiene los detalles. Todo lo demás funciona sin la herramienta.',
  offTitle: 'No hay herramienta de paneles',
  offText:
    'Nada responde en la ruta de la herramienta de paneles. Inicie su servicio tras el mismo proxy, indique su dirección en Dashboard__Upstream o deje que el portal la inicie con Dashboard__Start.',
  askAdmin: 'Si sigue así, avise a su administrador.',
};
