import type { Translated } from '../message-types.ts';
import type { sitesSeveral as english } from '../en/sites-several.ts';

export const sitesSeveral: Translated<typeof english> = {
  choose: 'Elegir varios',
  chooseOne: 'Elegir {name}',
  all: 'Todos',
  allFound: '{count, plural, one {El encontrado} other {Los # encontrados}}',
  chosen: '{count, plural, =0 {Ninguno elegido} one {Uno elegido} other {# elegidos}}',
  noneChosen: 'Elija antes algún equipo.',
  tooMany: 'Se cambian como máximo {max} equipos a la vez.',
  off: 'Desactivar',
  on: 'Activar',
  move: 'Mover',
  settings: 'Ajustes',
  offTitle: 'Desactivar {count, plural, one {un equipo} other {# equipos}}',
  onTitle: 'Activar {count, plural, one {un equipo} other {# equipos}}',
  moveTitle: 'Mover {count, plural, one {un equipo} other {# equipos}} a otra sede',
  settingTitle: '{setting}: {count, plural, one {un equipo} other {# equipos}}',
  offText: 'Ya no cuentan en la potencia actual ni se vigila si callan. Lo que envíen se guarda igualmente.',
  onText: 'Vuelven a contar en la potencia actual y se vigila si callan.',
  moveText: 'Sus lecturas van con ellos, también las del pasado: cambian energía y coste de ambas sedes.',
  clear: 'Vaciar en todos',
  settingText:
    'Vale también para las lecturas del pasado: energía y coste pueden cambiar y se calculan de nuevo en segundo plano.',
  more: '{count, plural, one {y uno más} other {y # más}}',
  torn: '{count, plural, one {Un equipo pertenece} other {# equipos pertenecen}} a los elegidos como contador principal o subcontador: {names}. Tales equipos se mueven juntos.',
  chooseTorn: '{count, plural, one {Elegirlo también} other {Elegirlos también}}',
  changed: '{count, plural, one {Se ha cambiado un equipo} other {Se han cambiado # equipos}}.',
};
