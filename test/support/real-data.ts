import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

/** Real meter data beside the repository; it is no part of it, so whoever uses it must do without. */
const folder = join(import.meta.dirname, '../../../shared/data');

export const realDataSets = [
  'uci-household-1min-2006-12',
  'uci-household-2007-hourly',
  'cossmic-res4-2016H1',
  'steel-2018H1',
] as const;
export type RealDataSet = (typeof realDataSets)[number];

export const isRealDataThere = existsSync(join(folder, 'README.md'));

/** One reading as a gateway would send it. */
export interface RealRow {
  externalId: string;
  time: string;
  activePowerKw: number | null;
  reactivePowerKvar: number | null;
  apparentPowerKva: number | null;
  powerFactor: number | null;
  voltageV: number | null;
  frequencyHz: number | null;
  energyImportedKwh: number | null;
  energyExportedKwh: number | null;
}

/** All rows of a set in the order of the file, those without active power included. */
export function readRealData(name: RealDataSet): RealRow[] {
  const text = gunzipSync(readFileSync(join(folder, `${name}.csv.gz`))).toString('utf8');
  const lines = text.trimEnd().split('\n').slice(1);
  return lines.map((line) => {
    const [time = '', externalId = '', ...values] = line.trimEnd().split(',');
    const [p, q, s, pf, v, f, ei, ee] = values.map((value) => (value === '' ? null : Number(value)));
    return {
      externalId,
      time,
      activePowerKw: p ?? null,
      reactivePowerKvar: q ?? null,
      apparentPowerKva: s ?? null,
      powerFactor: pf ?? null,
      voltageV: v ?? null,
      frequencyHz: f ?? null,
      energyImportedKwh: ei ?? null,
      energyExportedKwh: ee ?? null,
    };
  });
}
