import type { Translated } from '../catalogue.ts';
import type { sitesSeveral as english } from '../en/sites-several.ts';

export const sitesSeveral: Translated<typeof english> = {
  choose: 'Scegli più dispositivi',
  end: 'Fatto',
  chooseOne: 'Scegli {name}',
  all: 'Tutti',
  chosen: '{count, plural, =0 {Nessuno scelto} one {Uno scelto} other {# scelti}}',
  noneChosen: 'Scegliere prima dei dispositivi.',
  off: 'Disattiva',
  on: 'Attiva',
  move: 'Sposta',
  offTitle: 'Disattiva {count, plural, one {un dispositivo} other {# dispositivi}}',
  onTitle: 'Attiva {count, plural, one {un dispositivo} other {# dispositivi}}',
  moveTitle: 'Sposta {count, plural, one {un dispositivo} other {# dispositivi}} in un’altra sede',
  offText:
    'Non contano più nella potenza attuale e il loro silenzio non è più sorvegliato. Ciò che inviano viene comunque salvato.',
  onText: 'Contano di nuovo nella potenza attuale e il loro silenzio è sorvegliato.',
  moveText: 'Le letture li seguono, anche quelle del passato: energia e costo di entrambe le sedi cambiano.',
  changed: '{count, plural, one {Un dispositivo è modificato} other {# dispositivi sono modificati}}.',
};
