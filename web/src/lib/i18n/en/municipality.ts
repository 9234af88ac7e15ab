export const municipality = {
  new: 'New municipality',
  edit: 'Edit municipality',
  delete: 'Delete municipality',
  name: 'Name of the municipality',
  nameHint: 'A town or supply area.',
  timeZoneMissing: 'Choose a time zone.',
  timeZoneHint: 'A change applies to the past of its sites too: their hours and days are cut and priced anew.',
  created: 'The municipality {name} is created.',
  saved: 'The municipality {name} is saved.',
  deleted: 'The municipality {name} is deleted.',
  tariffsGo:
    '{count, plural, =0 {The municipality disappears from the list.} one {Its tariff is deleted with it.} other {Its # tariffs are deleted with it.}} This cannot be undone.',
  hasSites:
    '{count, plural, one {It still has a site} other {It still has # sites}}. Move or delete {count, plural, one {it} other {them}} first.',
} as const;
