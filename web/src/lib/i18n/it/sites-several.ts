import type { Translated } from '../message-types.ts';
import type { sitesSeveral as english } from '../en/sites-several.ts';

export const sitesSeveral: Translated<typeof english> = {
  choose: 'Seleziona',
  chooseOne: 'Seleziona {name}',
  all: 'Tutti',
  allFound: '{count, plural, one {Seleziona} other {Seleziona tutti i #}}',
  chosen: '{count, plural, =0 {Nessuno selezionato} one {Uno selezionato} other {# selezionati}}',
  noneChosen: 'Selezionare prima dei dispositivi.',
  tooMany: 'Modificare al massimo {max} dispositivi alla volta.',
  off: 'Disattiva',
  on: 'Attiva',
  move: 'Sposta',
  settings: 'Impostazioni',
  offTitle: 'Disattiva {count, plural, one {un dispositivo} other {# dispositivi}}',
  onTitle: 'Attiva {count, plural, one {un dispositivo} other {# dispositivi}}',
  moveTitle: 'Sposta {count, plural, one {un dispositivo} other {# dispositivi}} in un’altra sede',
  settingTitle: '{setting}: {count, plural, one {un dispositivo} other {# dispositivi}}',
  offText: 'Esclusi da potenza attuale e avvisi. I dati vengono comunque salvati.',
  onText: 'Di nuovo inclusi in potenza attuale e avvisi.',
  moveText: 'Le letture li seguono: energia e costi passati di entrambe le sedi cambiano.',
  clear: 'Svuota per tutti',
  settingText: 'Energia e costi passati vengono ricalcolati.',
  more: '{count, plural, one {e un altro} other {e altri #}}',
  torn: '{count, plural, one {{names} deve seguirli.} other {{names} devono seguirli.}}',
  chooseTorn: '{count, plural, one {Aggiungi} other {Aggiungi tutti}}',
  changed: '{count, plural, one {Un dispositivo modificato} other {# dispositivi modificati}}',
};
