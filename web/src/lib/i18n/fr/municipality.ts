import type { Translated } from '../message-types.ts';
import type { municipality as english } from '../en/municipality.ts';

export const municipality: Translated<typeof english> = {
  new: 'Nouvelle commune',
  edit: 'Modifier la commune',
  delete: 'Supprimer la commune',
  name: 'Nom de la commune',
  nameHint: 'Une ville ou une zone de desserte',
  timeZoneMissing: 'Choisissez un fuseau horaire.',
  timeZoneHint: 'Un changement recalcule l’énergie et les coûts passés.',
  created: 'Commune {name} créée',
  saved: 'Commune {name} enregistrée',
  deleted: 'Commune {name} supprimée',
  tariffsGo:
    '{count, plural, =0 {La commune est supprimée partout.} one {Supprime aussi son tarif.} other {Supprime aussi ses # tarifs.}} C’est irréversible.',
  hasSites:
    '{count, plural, one {Elle a encore un site. Déplacez-le ou supprimez-le d’abord.} other {Elle a encore # sites. Déplacez-les ou supprimez-les d’abord.}}',
};
