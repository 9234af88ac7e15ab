import type { Translated } from '../catalogue.ts';
import type { sitesSeveral as english } from '../en/sites-several.ts';

export const sitesSeveral: Translated<typeof english> = {
  choose: 'Elegir varios',
  end: 'Listo',
  chooseOne: 'Elegir {name}',
  all: 'Todos',
  chosen: '{count, plural, =0 {Ninguno elegido} one {Uno elegido} other {# elegidos}}',
  noneChosen: 'Elija antes algún equipo.',
  off: 'Desactivar',
  on: 'Activar',
  move: 'Mover',
  offTitle: 'Desactivar {count, plural, one {un equipo} other {# equipos}}',
  onTitle: 'Activar {count, plural, one {un equipo} other {# equipos}}',
  moveTitle: 'Mover {count, plural, one {un equipo} other {# equipos}} a otra sede',
  offText: 'Ya no cuentan en la potencia actual ni se vigila si callan. Lo que envíen se guarda igualmente.',
  onText: 'Vuelven a contar en la potencia actual y se vigila si callan.',
  moveText: 'Sus lecturas van con ellos, también las del pasado: cambian energía y coste de ambas sedes.',
  changed: '{count, plural, one {Un equipo cambiado} other {# equipos cambiados}}.',
};
