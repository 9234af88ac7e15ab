import type { Translated } from '../message-types.ts';
import type { municipality as english } from '../en/municipality.ts';

export const municipality: Translated<typeof english> = {
  new: 'Nieuwe gemeente',
  edit: 'Gemeente bewerken',
  delete: 'Gemeente verwijderen',
  name: 'Naam van de gemeente',
  nameHint: 'Een plaats of verzorgingsgebied.',
  timeZoneMissing: 'Kies een tijdzone.',
  timeZoneHint:
    'Een wijziging geldt ook voor het verleden van de locaties: hun uren en dagen worden opnieuw ingedeeld en geprijsd.',
  created: 'De gemeente {name} is aangemaakt.',
  saved: 'De gemeente {name} is opgeslagen.',
  deleted: 'De gemeente {name} is verwijderd.',
  tariffsGo:
    '{count, plural, =0 {De gemeente verdwijnt uit de lijst.} one {Haar tarief wordt mee verwijderd.} other {Haar # tarieven worden mee verwijderd.}} Dit kan niet ongedaan worden gemaakt.',
  hasSites:
    '{count, plural, one {Ze heeft nog een locatie. Verplaats of verwijder die eerst.} other {Ze heeft nog # locaties. Verplaats of verwijder die eerst.}}',
};
