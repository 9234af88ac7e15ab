import type { Translated } from '../catalogue.ts';
import type { sites as english } from '../en/sites.ts';
import { sitesImport } from './sites-import.ts';
import { sitesSeveral } from './sites-several.ts';

export const sites: Translated<typeof english> = {
  summary:
    '{sites, plural, one {# site} other {# sites}} avec {devices, plural, =0 {aucun appareil} one {# appareil} other {# appareils}}',
  columns: {
    localTime: 'Heure locale',
  },
  state: {
    live: 'En direct',
    silent: 'Muet',
    noData: 'Pas encore de données',
    off: 'Désactivé',
    allOff: 'Tous désactivés',
    someSilent: '{count, number} sur {total, number} muets',
  },
  empty: {
    admin:
      'Un site est un lieu avec des compteurs : une usine, un bureau, un magasin. Créez le premier, puis ajoutez ses appareils.',
    user: 'Dès qu’un administrateur aura créé un site, il apparaîtra ici.',
  },
  import: sitesImport,
  several: sitesSeveral,
  allDevices: {
    empty: 'Ajoutez les compteurs sur la page de leur site.',
  },
  search: 'Rechercher sites et communes',
  liveFailed: 'Ce qui est mesuré en ce moment n’a pas pu être chargé. {reason}',
  site: {
    new: 'Nouveau site',
    create: 'Créer le site',
    edit: 'Modifier le site',
    delete: 'Supprimer le site',
    nameHint: 'Comment vous appelez ce lieu.',
    municipalityHint: 'Son fuseau horaire décide du début des heures et des jours du site.',
    chooseMunicipality: 'Choisissez une commune',
    municipalityMissing: 'Choisissez une commune.',
    newMunicipality: 'Nouvelle commune …',
    nothingFound: 'Commune inconnue',
    created: 'Le site {name} est créé.',
    saved: 'Le site {name} est enregistré.',
    deleted: 'Le site {name} est supprimé.',
    deleteText: 'Le site disparaît de toutes les listes. C’est irréversible.',
    hasDevices:
      '{count, plural, one {Il a encore un appareil. Déplacez-le ou supprimez-le d’abord.} other {Il a encore # appareils. Déplacez-les ou supprimez-les d’abord.}}',
  },
  page: {
    back: 'Tous les sites',
    notFoundTitle: 'Ce site n’existe pas',
    notFoundText: 'Il a peut-être été supprimé, ou l’adresse est mal saisie.',
    allReport: 'Tous répondent',
    switchedOff: '{count, plural, one {# désactivé} other {# désactivés}}',
    noReading: 'Pas encore de relevé',
  },
  device: {
    add: 'Ajouter un appareil',
    new: 'Nouvel appareil',
    edit: 'Modifier l’appareil',
    delete: 'Supprimer l’appareil',
    readingsOf: 'Relevés de {name}',
    silentAfter: 'Muet : aucun relevé depuis plus de {duration}.',
    every: 'intervalle : {duration}',
    rated: 'nominale {power}',
    emptyAdmin: 'Ajoutez les compteurs de ce site. Les relevés trouvent leur appareil par son identifiant externe.',
    emptyUser: 'Dès qu’un administrateur aura ajouté les compteurs de ce site, ils apparaîtront ici.',
    created: 'L’appareil {name} est créé.',
    saved: 'L’appareil {name} est enregistré.',
    deleted: 'L’appareil {name} est supprimé.',
    switchedOn: '{name} est activé.',
    switchFailed: 'L’enregistrement a échoué. {reason}',
    deleteText: 'L’appareil disparaît de toutes les listes. C’est irréversible.',
    deleteAll: 'Supprimer l’appareil et ses relevés',
    lost: '{count, plural, one {Son unique relevé est perdu, et avec lui l’énergie et le coût du passé.} other {Ses # relevés sont perdus, et avec eux l’énergie et le coût du passé.}}',
    lostUncounted: 'Tous ses relevés sont perdus, et avec eux l’énergie et le coût du passé.',
    deleteAllText:
      'Les totaux du passé changent aussitôt. C’est irréversible. Pour garder les relevés, désactivez plutôt l’appareil.',
    chooseSite: 'Choisissez un site',
    siteHint: 'Déplacer un appareil emmène ses relevés.',
    parent: 'Mesure une partie de',
    parentHint:
      'Pour un sous-compteur : le compteur en amont. Son énergie compte alors une fois, dans celle de ce compteur.',
    noParent: 'D’aucun : compte seul',
    nameHint: 'Son nom dans les graphiques et les listes.',
    externalIdHint: 'Les relevés de la passerelle trouvent leur appareil par lui. Unique parmi tous les appareils.',
    isActiveHint:
      'Compte dans la puissance actuelle, et son silence est surveillé. Les relevés d’un appareil désactivé sont enregistrés malgré tout.',
    energyHeading: 'Pour l’énergie et la surveillance',
    energySource: 'Énergie d’après',
    energySourceHint: 'Un index est exact. D’après la puissance, l’énergie est calculée entre les relevés.',
    sources: { auto: 'L’index, sinon la puissance', register: 'L’index seulement', power: 'La puissance seulement' },
    ratedPowerKw: 'Puissance nominale',
    ratedPowerKwHint:
      'Une énergie supérieure à 1,2 fois cette puissance est tenue pour un défaut du compteur. Vide : aucun contrôle.',
    registerMaxKwh: 'Index maximal',
    registerMaxKwhHint: 'Au-delà, l’index repart de zéro. Vide : jamais.',
    expectedIntervalSeconds: 'Intervalle attendu',
    expectedIntervalSecondsHint:
      'Temps entre deux relevés. L’appareil est tenu pour muet après {duration} sans relevé.',
    seconds: 's',
    aboveZero: 'Saisissez un nombre supérieur à zéro, {max} au plus, ou laissez le champ vide.',
    wholeSeconds: 'Saisissez des secondes entières de 1 à {max}, ou laissez le champ vide.',
  },
  devicePage: {
    breadcrumbs: 'Où vous êtes',
    notFoundTitle: 'Cet appareil n’existe pas',
    notFoundText: 'Il a peut-être été supprimé, ou l’adresse est mal saisie.',
    settings: 'Réglages',
    notSet: 'Non défini',
    silentAfter: 'Muet après {duration} sans relevé',
    notWatched: 'Silence non surveillé',
  },
  quality: {
    description: 'Ce que l’on sait de chaque quart d’heure, et les anomalies des relevés.',
    nothingToJudge: 'Rien à évaluer encore sur cette période',
    nothingToJudgeText: 'Elle est à venir, ou son premier quart d’heure n’est pas écoulé.',
    nothingOdd: 'Aucune anomalie sur cette période',
    complete: 'Aucun quart d’heure ne manque.',
    onlyMissing:
      'Aucun relevé ne sort de l’ordinaire. Pour les quarts d’heure manquants, aucune énergie n’est comptée.',
    kindsLabel: 'Anomalies ; choisissez-en une pour ne voir qu’elle',
    kinds: {
      gap: 'Lacune',
      interpolated: 'Interpolé',
      glitch: 'Valeur aberrante',
      stepBack: 'Recul',
      rollover: 'Passage par zéro',
      reset: 'Remise à zéro',
      implausible: 'Invraisemblable',
    },
    explained: {
      gap: 'Aucun relevé n’est arrivé : la puissance entre-temps est inconnue. Aucune énergie n’est comptée pour ce temps.',
      interpolated:
        'Aucun relevé n’est arrivé, mais l’index a continué. Sa hausse est répartie uniformément sur ce temps : elle compte dans les totaux et le coût, mais pas dans les pointes.',
      glitch: 'L’index ne correspondait pas aux relevés d’avant et d’après. Ce relevé est écarté.',
      stepBack: 'L’index a légèrement reculé. Ce pas compte pour 0.',
      rollover: 'L’index a dépassé son maximum et a repris à zéro. L’énergie correspondante compte en entier.',
      reset: 'Le compteur est reparti de zéro. Son nouvel index compte comme l’énergie depuis lors.',
      implausible:
        'L’index a augmenté de plus que 1,2 fois la puissance nominale ne le permet. La hausse compte pour 0.',
    },
    list: 'Anomalies',
    columns: { kind: 'Ce qui s’est passé', direction: 'Sens' },
    directions: { import: 'Soutirage', export: 'Injection' },
    readingsAround: 'Relevés autour de {time}',
    shown: '{shown, number} sur {count, number}, les plus récents d’abord',
    showMore: 'Afficher plus',
    notListed: 'Les plus anciens ne figurent pas. Choisissez une période plus courte pour les voir.',
  },
  sending: {
    title: 'Comment les relevés arrivent ici',
    admin:
      'Créez une clé API et faites envoyer les relevés par la passerelle. La clé vient avec une commande prête à l’emploi et une ligne d’essai.',
    user: 'Dès que la passerelle envoie les premiers relevés, ils apparaissent ici d’eux-mêmes. Demandez une clé API à un administrateur.',
  },
};
