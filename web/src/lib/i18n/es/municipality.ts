import type { Translated } from '../message-types.ts';
import type { municipality as english } from '../en/municipality.ts';

export const municipality: Translated<typeof english> = {
  new: 'Nuevo municipio',
  edit: 'Editar municipio',
  delete: 'Eliminar municipio',
  name: 'Nombre del municipio',
  nameHint: 'Una ciudad o zona de suministro.',
  timeZoneMissing: 'Elija una zona horaria.',
  timeZoneHint: 'Un cambio vale también para el pasado de sus sedes: sus horas y días se dividen y valoran de nuevo.',
  created: 'El municipio {name} está creado.',
  saved: 'El municipio {name} está guardado.',
  deleted: 'El municipio {name} está eliminado.',
  tariffsGo:
    '{count, plural, =0 {El municipio desaparece de la lista.} one {Su tarifa se elimina con él.} other {Sus # tarifas se eliminan con él.}} No se puede deshacer.',
  hasSites:
    '{count, plural, one {Aún tiene una sede. Muévala o elimínela primero.} other {Aún tiene # sedes. Muévalas o elimínelas primero.}}',
};
