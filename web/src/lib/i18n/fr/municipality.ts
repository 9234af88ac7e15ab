import type { Translated } from '../message-types.ts';
import type { municipality as english } from '../en/municipality.ts';

export const municipality: Translated<typeof english> = {
  new: 'Nouvelle commune',
  edit: 'Modifier la commune',
  delete: 'Supprimer la commune',
  name: 'Nom de la commune',
  nameHint: 'Une ville ou une zone de desserte.',
  timeZoneMissing: 'Choisissez un fuseau horaire.',
  timeZoneHint:
    'Un changement vaut aussi pour le passé de ses sites : leurs heures et leurs jours sont redécoupés et chiffrés à nouveau.',
  created: 'La commune {name} est créée.',
  saved: 'La commune {name} est enregistrée.',
  deleted: 'La commune {name} est supprimée.',
  tariffsGo:
    '{count, plural, =0 {La commune disparaît de la liste.} one {Son tarif est supprimé avec elle.} other {Ses # tarifs sont supprimés avec elle.}} C’est irréversible.',
  hasSites:
    '{count, plural, one {Elle a encore un site. Déplacez-le ou supprimez-le d’abord.} other {Elle a encore # sites. Déplacez-les ou supprimez-les d’abord.}}',
};
