import type { Translated } from '../message-types.ts';
import type { municipality as english } from '../en/municipality.ts';

export const municipality: Translated<typeof english> = {
  new: 'Nieuwe gemeente',
  edit: 'Gemeente bewerken',
  delete: 'Gemeente verwijderen',
  name: 'Naam van de gemeente',
  nameHint: 'Een plaats of verzorgingsgebied',
  timeZoneMissing: 'Kies een tijdzone.',
  timeZoneHint: 'Een wijziging herberekent eerdere energie en kosten.',
  created: 'Gemeente {name} aangemaakt',
  saved: 'Gemeente {name} opgeslagen',
  deleted: 'Gemeente {name} verwijderd',
  tariffsGo:
    '{count, plural, =0 {De gemeente wordt overal verwijderd.} one {Verwijdert ook haar tarief.} other {Verwijdert ook haar # tarieven.}} Dit kan niet ongedaan worden gemaakt.',
  hasSites:
    '{count, plural, one {Ze heeft nog een locatie. Verplaats of verwijder die eerst.} other {Ze heeft nog # locaties. Verplaats of verwijder die eerst.}}',
};
