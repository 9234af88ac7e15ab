import type { Translated } from '../message-types.ts';
import type { sitesSeveral as english } from '../en/sites-several.ts';

export const sitesSeveral: Translated<typeof english> = {
  choose: 'Seleccionar',
  chooseOne: 'Seleccionar {name}',
  all: 'Todos',
  allFound: '{count, plural, one {Seleccionarlo} other {Seleccionar los #}}',
  chosen: '{count, plural, =0 {Ninguno seleccionado} one {Uno seleccionado} other {# seleccionados}}',
  noneChosen: 'Seleccione primero algún equipo.',
  tooMany: 'Cambie como máximo {max} equipos a la vez.',
  off: 'Desactivar',
  on: 'Activar',
  move: 'Mover',
  settings: 'Ajustes',
  offTitle: 'Desactivar {count, plural, one {un equipo} other {# equipos}}',
  onTitle: 'Activar {count, plural, one {un equipo} other {# equipos}}',
  moveTitle: 'Mover {count, plural, one {un equipo} other {# equipos}} a otra sede',
  settingTitle: '{setting}: {count, plural, one {un equipo} other {# equipos}}',
  offText: 'Excluidos de la potencia actual y las alertas. Los datos se siguen guardando.',
  onText: 'Incluidos de nuevo en la potencia actual y las alertas.',
  moveText: 'Sus lecturas van con ellos: cambian la energía y los costes pasados de ambas sedes.',
  clear: 'Vaciar en todos',
  settingText: 'La energía y los costes pasados se recalculan.',
  more: '{count, plural, one {y uno más} other {y # más}}',
  torn: '{count, plural, one {{names} debe moverse con ellos.} other {{names} deben moverse con ellos.}}',
  chooseTorn: '{count, plural, one {Añadirlo} other {Añadirlos}}',
  changed: '{count, plural, one {Un equipo cambiado} other {# equipos cambiados}}',
};
