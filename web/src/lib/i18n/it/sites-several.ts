import type { Translated } from '../message-types.ts';
import type { sitesSeveral as english } from '../en/sites-several.ts';

export const sitesSeveral: Translated<typeof english> = {
  choose: 'Scegli più dispositivi',
  chooseOne: 'Scegli {name}',
  all: 'Tutti',
  allFound: '{count, plural, one {Quello trovato} other {I # trovati}}',
  chosen: '{count, plural, =0 {Nessuno scelto} one {Uno scelto} other {# scelti}}',
  noneChosen: 'Scegliere prima dei dispositivi.',
  tooMany: 'Si modificano al massimo {max} dispositivi alla volta.',
  off: 'Disattiva',
  on: 'Attiva',
  move: 'Sposta',
  settings: 'Impostazioni',
  offTitle: 'Disattiva {count, plural, one {un dispositivo} other {# dispositivi}}',
  onTitle: 'Attiva {count, plural, one {un dispositivo} other {# dispositivi}}',
  moveTitle: 'Sposta {count, plural, one {un dispositivo} other {# dispositivi}} in un’altra sede',
  settingTitle: '{setting}: {count, plural, one {un dispositivo} other {# dispositivi}}',
  offText:
    'Non contano più nella potenza attuale e il loro silenzio non è più sorvegliato. Ciò che inviano viene comunque salvato.',
  onText: 'Contano di nuovo nella potenza attuale e il loro silenzio è sorvegliato.',
  moveText: 'Le letture li seguono, anche quelle del passato: energia e costo di entrambe le sedi cambiano.',
  clear: 'Svuota per tutti',
  settingText:
    'Vale anche per le letture del passato: energia e costo possono cambiare e sono ricalcolati in secondo piano.',
  more: '{count, plural, one {e un altro} other {e altri #}}',
  torn: '{count, plural, one {Un dispositivo è legato} other {# dispositivi sono legati}} a quelli scelti come contatore principale o sottocontatore: {names}. Tali dispositivi si spostano insieme.',
  chooseTorn: '{count, plural, one {Sceglierlo anch’esso} other {Sceglierli anch’essi}}',
  changed: '{count, plural, one {Un dispositivo è modificato} other {# dispositivi sono modificati}}.',
};
