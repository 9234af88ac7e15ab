import type { Translated } from '../message-types.ts';
import type { sitesImport as english } from '../en/sites-import.ts';

export const sitesImport: Translated<typeof english> = {
  open: 'Importer un tableau',
  title: 'Importer des sites et des appareils',
  description:
    'Collez un tableau ou choisissez un fichier CSV ou Excel. Rien n’est créé tant que toutes les lignes ne sont pas valides.',
  columns:
    'Un appareil par ligne : site, nom, identifiant externe. Un nouveau site exige une commune. « Compteur principal » prend un autre identifiant externe.',
  table: 'Tableau',
  placeholder:
    'Site;Commune;Nom;Identifiant externe;Puissance nominale (kW)\nUsine;Lyon;Compteur principal;compteur-1;50',
  example: 'Télécharger un tableau vide',
  exampleName: 'sites-et-appareils.csv',
  tooLarge: '{name} fait {size} ; la limite est de {max}.',
  oldExcel: '{name} est un ancien fichier Excel ou protégé par mot de passe. Enregistrez-le en .xlsx ou CSV.',
  noTable: '{name} n’est pas un tableau. Enregistrez-le en .xlsx ou CSV, ou collez ses cellules.',
  notReadable: 'Le texte n’est pas un tableau : un guillemet non fermé ?',
  noSiteColumn: 'La colonne « Site » manque. La première ligne doit porter les en-têtes du tableau vide.',
  tooManyRows: 'Le tableau a {count, number} lignes ; la limite est de {max, number}.',
  unknown: '{count, plural, one {Colonne ignorée} other {Colonnes ignorées}} : {columns}',
  row: 'Ligne {number, number}',
  rowHeading: 'Ligne',
  quoted: '« {name} »',
  takesYesNo: 'doit être « {yes} » ou « {no} »',
  takesOneOf: 'doit être l’un de ceux-ci : {names}',
  checking: 'Vérification …',
  problems:
    '{count, plural, one {Une cellule est à corriger} other {# cellules sont à corriger}}, ci-dessus ou dans le tableur.',
  problemList: 'À corriger',
  cell: 'Ligne {row}, {column} :',
  moreProblems:
    '{count, plural, one {et une autre cellule, marquée dans le tableau} other {et # autres cellules, marquées dans le tableau}}',
  allRight: 'Prêt à importer',
  shown: '{shown, number} lignes sur {count, number}, erreurs d’abord.',
  submit:
    'Créer {sites, plural, =0 {} one {un site} other {# sites}}{sites, plural, =0 {} other {{devices, plural, =0 {} other { et }}}}{devices, plural, =0 {} one {un appareil} other {# appareils}}',
  notYet: 'Corrigez d’abord les erreurs.',
  done: 'Créé : {sites, plural, =0 {} one {un site} other {# sites}}{sites, plural, =0 {} other {{devices, plural, =0 {} other { et }}}}{devices, plural, =0 {} one {un appareil} other {# appareils}}.',
};
