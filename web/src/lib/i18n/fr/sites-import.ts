import type { Translated } from '../message-types.ts';
import type { sitesImport as english } from '../en/sites-import.ts';

export const sitesImport: Translated<typeof english> = {
  open: 'Importer un tableau',
  title: 'Importer des sites et des appareils',
  description:
    'Collez un tableau d’un tableur, ou choisissez un fichier CSV ou Excel. Rien n’est créé avant que chaque cellule soit correcte, puis tout l’est à la fois.',
  columns:
    'La première ligne porte les en-têtes. Chaque ligne suivante est un appareil : son site, son nom et son identifiant externe ; « Mesure une partie de » prend l’identifiant externe d’un autre. Un site qui n’existe pas est créé ; il lui faut une commune.',
  table: 'Tableau',
  placeholder:
    'Site;Commune;Nom;Identifiant externe;Puissance nominale (kW)\nUsine;Lyon;Compteur principal;compteur-1;50',
  example: 'Télécharger un tableau vide',
  exampleName: 'sites-et-appareils.csv',
  tooLarge: '{name} fait {size} ; un tableau peut faire {max} au plus.',
  oldExcel:
    '{name} est un classeur d’un ancien Excel, ou a un mot de passe. Enregistrez-le en .xlsx sans mot de passe, ou en CSV.',
  noTable: '{name} n’est pas lisible comme tableau. Enregistrez-le en .xlsx ou CSV, ou collez ses cellules.',
  notReadable: 'Le texte n’est pas lisible comme tableau : un guillemet n’est peut-être pas fermé.',
  noSiteColumn:
    'Il n’y a pas de colonne « Site ». La première ligne doit porter les en-têtes, comme ceux du tableau vide.',
  tooManyRows: 'Le tableau a {count, number} lignes ; {max, number} au plus sont prises à la fois.',
  unknown: '{count, plural, one {Cette colonne est ignorée} other {Ces colonnes sont ignorées}} : {columns}.',
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
  allRight: 'Chaque cellule est correcte.',
  shown: 'Affichées : {shown, number} lignes sur {count, number}, celles avec une erreur d’abord.',
  submit:
    'Créer {sites, plural, =0 {} one {un site} other {# sites}}{sites, plural, =0 {} other {{devices, plural, =0 {} other { et }}}}{devices, plural, =0 {} one {un appareil} other {# appareils}}',
  notYet: 'D’abord, chaque cellule doit être correcte.',
  done: 'Créé : {sites, plural, =0 {} one {un site} other {# sites}}{sites, plural, =0 {} other {{devices, plural, =0 {} other { et }}}}{devices, plural, =0 {} one {un appareil} other {# appareils}}.',
};
