export const municipality = {
  new: 'New municipality',
  edit: 'Edit municipality',
  delete: 'Delete municipality',
  name: 'Municipality name',
  nameHint: 'A town or supply area',
  timeZoneMissing: 'Choose a time zone.',
  timeZoneHint: 'Changing this recalculates past energy and cost.',
  created: 'Municipality {name} created',
  saved: 'Municipality {name} saved',
  deleted: 'Municipality {name} deleted',
  tariffsGo:
    '{count, plural, =0 {The municipality is removed everywhere.} one {Also deletes its tariff.} other {Also deletes its # tariffs.}} This cannot be undone.',
  hasSites:
    '{count, plural, one {It still has a site} other {It still has # sites}}. Move or delete {count, plural, one {it} other {them}} first.',
} as const;
