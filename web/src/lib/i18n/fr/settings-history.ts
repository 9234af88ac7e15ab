import type { Translated } from '../message-types.ts';
import type { settingsHistory as english } from '../en/settings-history.ts';

export const settingsHistory: Translated<typeof english> = {
  description:
    'Relevés du passé depuis un fichier CSV. Ils suivent la voie de tous les relevés : ce qui est déjà enregistré ne l’est pas deux fois, un fichier peut donc être envoyé à nouveau.',
  choose: 'Choisir un fichier CSV',
  other: 'Un autre fichier',
  tooLarge: '{name} fait {size} ; un fichier peut faire {max} au plus.',
  workbook: '{name} est un fichier Excel. Enregistrez d’abord sa feuille en CSV.',
  noTable: '{name} n’est pas lisible comme CSV : un guillemet n’est peut-être pas fermé, ou une ligne n’a pas de fin.',
  columns: 'Colonnes',
  columnsHint: 'Elles sont retenues dans ce navigateur pour le prochain fichier aux mêmes en-têtes.',
  noColumn: 'Aucune',
  unnamed: 'Colonne {number, number}',
  fields: {
    time: 'Date et heure',
    clock: 'Heure du jour, si à part',
    externalId: 'Identifiant externe',
    activePowerKw: 'Puissance',
    importedPerInterval: 'Soutirage par intervalle',
    exportedPerInterval: 'Injection par intervalle',
  },
  device: 'Appareil de toutes les lignes',
  deviceHint: 'Aucune colonne n’a l’identifiant externe.',
  timeZone: 'Fuseau horaire du fichier',
  timeZoneHint: 'Pour les heures sans décalage.',
  dateOrder: 'Dates',
  dateOrders: { dmy: 'Jour avant mois : 31.12.2026', mdy: 'Mois avant jour : 12/31/2026' },
  decimals: 'Décimales',
  decimalSeparators: { comma: 'Virgule : 1.234,5', point: 'Point : 1,234.5' },
  unit: 'Puissance en',
  energyUnit: 'Énergie en',
  interval: 'Intervalle',
  stamp: 'L’heure est',
  stamps: { start: 'le début de l’intervalle', end: 'la fin de l’intervalle' },
  preview: 'Premières lignes',
  line: 'Ligne {line, number}',
  previewColumns: {
    line: 'Ligne',
  },
  readable: 'Lisible',
  problems: {
    notATime: 'Ce n’est pas une heure.',
    skipped: 'Le passage à l’heure d’été saute cette heure.',
    repeated:
      'Cette heure existe deux fois à l’automne, et sa place ne dit pas laquelle c’est. Écrivez-la avec un décalage.',
    noExternalId: 'Pas d’identifiant externe.',
    noPower: 'Pas de puissance.',
    noEnergy: 'Pas d’énergie.',
    notANumber: '{field} : ce n’est pas un nombre.',
    otherDecimals: '{field} : avec ce séparateur décimal, ce peut être un autre nombre ; choisissez celui du fichier.',
  },
  unknownDevice: 'Appareil inconnu',
  unknownDevices:
    '{count, plural, one {Un identifiant externe n’appartient à aucun appareil ; ses lignes seraient rejetées. Créez d’abord l’appareil, dans un nouvel onglet :} other {# identifiants externes n’appartiennent à aucun appareil ; leurs lignes seraient rejetées. Créez d’abord les appareils, chacun dans un nouvel onglet :}}',
  andMore: 'et {count, number} de plus',
  notARegister:
    '{field} : les valeurs de cette colonne montent et descendent, comme l’énergie de chaque intervalle. Un index ne fait qu’augmenter, et avec cette colonne l’énergie serait fausse. Indiquez plutôt cette colonne comme énergie par intervalle.',
  intervalsHint:
    'L’énergie par intervalle est enregistrée comme la puissance qui donne exactement cette énergie : plusieurs relevés pour chaque ligne. Entre le premier et le dernier relevé d’index de l’appareil, son énergie continue de venir de l’index ; ces lignes n’y changent que sa puissance.',
  otherInterval:
    'La plupart des heures de ce fichier sont espacées de {step}. Avec un autre intervalle, l’énergie serait fausse.',
  meanPowerHint:
    'Ce fichier n’a pas de puissance. Chaque relevé reçoit la puissance moyenne depuis le précédent, d’après les index ; l’énergie vient des index eux-mêmes.',
  rejectedRows: 'Lignes rejetées',
  firstRejected: 'Les {shown, number} premières des {count, number} lignes rejetées :',
  incomplete:
    'Choisissez les colonnes de l’heure et de la puissance, d’un index ou de l’énergie par intervalle, ainsi que l’appareil ou sa colonne.',
  start: 'Envoyer les relevés',
  stop: 'Arrêter',
  progress: '{percent, number,::percent} lus',
  stored: 'Enregistrés',
  known: 'Déjà connus',
  rejected: 'Rejetés',
  done: 'Le fichier est traité.',
  stopped: 'Arrêté. Ce qui est enregistré reste ; renvoyez le fichier pour continuer.',
  failed: 'Arrêté sur une erreur. Ce qui est enregistré reste ; renvoyez le fichier pour continuer. {reason}',
  repeated:
    '{count, plural, one {Une heure locale qui existe deux fois a été distinguée} other {# heures locales qui existent deux fois ont été distinguées}} par {count, plural, one {sa} other {leur}} place : d’abord l’heure d’été, puis l’heure d’hiver.',
  leaving: {
    title: 'Quitter pendant l’envoi du fichier ?',
    text: '{stored, plural, =0 {Rien du fichier n’est encore enregistré.} one {# ligne est enregistrée et le reste.} other {# lignes sont enregistrées et le restent.}} Pour continuer plus tard, renvoyez le fichier.',
    leave: 'Arrêter et quitter',
    stay: 'Rester ici',
  },
  save: 'Enregistrer les lignes rejetées',
  saveSome: 'Enregistrer les {count, number} premières lignes rejetées',
  savedName: 'lignes-rejetees.csv',
  reason: 'Motif',
};
