import type { Translated } from '../message-types.ts';
import type { municipality as english } from '../en/municipality.ts';

export const municipality: Translated<typeof english> = {
  new: 'Nuovo comune',
  edit: 'Modifica comune',
  delete: 'Elimina comune',
  name: 'Nome del comune',
  nameHint: 'Una città o un’area di fornitura.',
  timeZoneMissing: 'Scegliere un fuso orario.',
  timeZoneHint:
    'Una modifica vale anche per il passato delle sue sedi: ore e giorni vengono suddivisi e valorizzati di nuovo.',
  created: 'Il comune {name} è creato.',
  saved: 'Il comune {name} è salvato.',
  deleted: 'Il comune {name} è eliminato.',
  tariffsGo:
    '{count, plural, =0 {Il comune scompare dall’elenco.} one {La sua tariffa viene eliminata con esso.} other {Le sue # tariffe vengono eliminate con esso.}} Non si può annullare.',
  hasSites:
    '{count, plural, one {Ha ancora una sede. Prima spostarla o eliminarla.} other {Ha ancora # sedi. Prima spostarle o eliminarle.}}',
};
