import type { Translated } from '../message-types.ts';
import type { municipality as english } from '../en/municipality.ts';

export const municipality: Translated<typeof english> = {
  new: 'Nuovo comune',
  edit: 'Modifica comune',
  delete: 'Elimina comune',
  name: 'Nome del comune',
  nameHint: 'Una città o un’area di fornitura',
  timeZoneMissing: 'Scegliere un fuso orario.',
  timeZoneHint: 'Una modifica ricalcola energia e costi passati.',
  created: 'Comune {name} creato',
  saved: 'Comune {name} salvato',
  deleted: 'Comune {name} eliminato',
  tariffsGo:
    '{count, plural, =0 {Il comune viene rimosso ovunque.} one {Elimina anche la sua tariffa.} other {Elimina anche le sue # tariffe.}} Non si può annullare.',
  hasSites:
    '{count, plural, one {Ha ancora una sede. Prima spostarla o eliminarla.} other {Ha ancora # sedi. Prima spostarle o eliminarle.}}',
};
