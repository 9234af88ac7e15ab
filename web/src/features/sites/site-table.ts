import type { z } from 'zod';
import { type SiteTableRow, siteTableRow } from '../../../../shared/site-table.ts';
import { energySource } from '../../../../shared/sites.ts';
import { readDecimal } from '../../lib/decimal.ts';
import { readDelimited } from '../../lib/delimited.ts';

export type TableField = keyof SiteTableRow;
export const tableFields = siteTableRow.keyof().options;

const words = (text: string): readonly string[] => text.split(' ');

/**
 * Headings of a column that are accepted in addition to the name of its field. They contain only letters and digits, in each
 * language of the page.
 */
const headings: Record<TableField, readonly string[]> = {
  site: words('sitename standort standortname nomdusite sede nombredelasede locatie naamvandelocatie nomedellasede'),
  municipality: words('gemeinde kommune commune municipio gemeente comune'),
  name: words(
    'device devicename meter gerät gerätename zähler bezeichnung appareil compteur nom equipo contador nombre apparaat naam dispositivo contatore nome',
  ),
  externalId: words(
    'externekennung kennung externeid identifiantexterne identificadorexterno idesterno meterid deviceid serialnumber meternumber seriennummer zählernummer numérodesérie numérodecompteur númerodeserie númerodecontador serienummer meternummer numerodiserie numerodelcontatore matricola',
  ),
  isActive: words('active aktiv actif activo actief attivo'),
  energySource: words(
    'energysource energycomesfrom energiequelle sourcedénergie fuentedeenergía energiebron fontedellenergia energieaus energiestammtaus energieausquelle énergiedaprès laenergíavienede energiekomtuit lenergiavieneda',
  ),
  ratedPowerKw: words('ratedpower nennleistung puissancenominale potencianominal nominaalvermogen potenzanominale'),
  registerMaxKwh: words(
    'registermaximum registermax höchsterzählerstand indexmaximal máximodelregistro maximumvanhettelwerk massimodelregistro',
  ),
  parentExternalId: words(
    'mainmeter hauptzähler compteurprincipal contadorprincipal hoofdmeter contatoreprincipale measuresapartof missteinenteilvon mesureunepartiede mideunapartede meeteendeelvan misuraunapartedi partof teilvon',
  ),
  endUse: words('verwendung usage usofinal usofinale toepassing'),
  expectedIntervalSeconds: words(
    'expectedinterval interval erwarteterabstand intervalleattendu intervaloesperado verwachtinterval intervalloatteso',
  ),
};
/** Units that may come after a heading. */
const unit = /(?:kwh?|s)$/;
const yes = words('yes ja oui sí sì si true wahr 1 on x');
const no = words('no nein non nee false falsch 0 off');

/** The number of first lines that are searched for the headings. */
const searchedLines = 30;

export interface SiteTable {
  /** The fields that have a column. */
  fields: TableField[];
  /** Headings that the portal does not know. Their columns are ignored. */
  unknown: string[];
  rows: {
    /** Counted as the spreadsheet counts its rows. */
    number: number;
    /** The value as it was written. */
    texts: Partial<Record<TableField, string>>;
    /** The value as it is sent. Cells that cannot be read stay text, so that the portal says what it accepts. */
    values: Partial<Record<TableField, unknown>>;
  }[];
}

/** The page's names of the energy sources, by the portal's names. */
export type SourceNames = Readonly<Record<z.infer<typeof energySource>, string>>;

const plain = (heading: string) => heading.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

function fieldOf(heading: string): TableField | undefined {
  const wanted = plain(heading);
  const bare = wanted.replace(unit, '');
  return tableFields.find(
    (field) => field.toLowerCase() === wanted || headings[field].includes(wanted) || headings[field].includes(bare),
  );
}

/** Reads a pasted table with headings in the page's language or English. Throws NoTableError. */
export function readSiteTable(text: string, decimalSeparator: string, sourceNames: SourceNames): SiteTable {
  const lines = readDelimited(text.replace(/^\uFEFF/, ''));
  // Titles may stand above the headings.
  const start = Math.max(
    0,
    lines.slice(0, searchedLines).findIndex(({ fields }) => fields.some((text) => fieldOf(text) === 'site')),
  );
  const [head, ...records] = lines.slice(start);
  const taken = new Set<TableField>();
  // If two headings mean the same field, the second one is reported like an unknown heading.
  const columns = (head?.fields ?? []).map((heading) => {
    const meant = fieldOf(heading);
    const field = meant === undefined || taken.has(meant) ? undefined : meant;
    if (field !== undefined) taken.add(field);
    return { heading: heading.trim(), field };
  });
  const rows = records.map(({ line, fields }) => {
    const texts: Partial<Record<TableField, string>> = {};
    for (const [at, { field }] of columns.entries()) if (field !== undefined) texts[field] = fields[at]?.trim() ?? '';
    const values: Partial<Record<TableField, unknown>> = {};
    for (const field of tableFields) {
      values[field] = valueOf(field, texts[field] ?? '', decimalSeparator, sourceNames);
    }
    return { number: line, texts, values };
  });
  return {
    fields: tableFields.filter((wanted) => columns.some(({ field }) => field === wanted)),
    unknown: columns
      .filter(({ heading, field }) => field === undefined && heading !== '')
      .map(({ heading }) => heading),
    rows,
  };
}

function valueOf(field: TableField, text: string, decimalSeparator: string, sourceNames: SourceNames): unknown {
  if (text === '') return undefined;
  const word = text.toLowerCase();
  switch (field) {
    case 'ratedPowerKw':
    case 'registerMaxKwh':
    case 'expectedIntervalSeconds':
      return readDecimal(text, decimalSeparator) ?? text;
    case 'isActive':
      return yes.includes(word) ? true : no.includes(word) ? false : text;
    case 'energySource':
      return energySource.options.find((source) => plain(sourceNames[source]) === plain(text)) ?? word;
    case 'site':
    case 'municipality':
    case 'name':
    case 'externalId':
    case 'parentExternalId':
    case 'endUse':
      return text;
  }
}
