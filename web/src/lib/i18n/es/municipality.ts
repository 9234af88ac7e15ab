import type { Translated } from '../message-types.ts';
import type { municipality as english } from '../en/municipality.ts';

export const municipality: Translated<typeof english> = {
  new: 'Nuevo municipio',
  edit: 'Editar municipio',
  delete: 'Eliminar municipio',
  name: 'Nombre del municipio',
  nameHint: 'Una ciudad o zona de suministro',
  timeZoneMissing: 'Elija una zona horaria.',
  timeZoneHint: 'Un cambio recalcula la energía y los costes pasados.',
  created: 'Municipio {name} creado',
  saved: 'Municipio {name} guardado',
  deleted: 'Municipio {name} eliminado',
  tariffsGo:
    '{count, plural, =0 {El municipio se elimina en todas partes.} one {También elimina su tarifa.} other {También elimina sus # tarifas.}} No se puede deshacer.',
  hasSites:
    '{count, plural, one {Aún tiene una sede. Muévala o elimínela primero.} other {Aún tiene # sedes. Muévalas o elimínelas primero.}}',
};
