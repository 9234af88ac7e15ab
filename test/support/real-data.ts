import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { z } from 'zod';

/** Real meter data outside of the repository; tests must also pass without it. */
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

/** All rows of a set in the order of the file, including those without active power. */
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

const kwhSchema = z.object({ importedKwh: z.number(), exportedKwh: z.number(), interpolatedKwh: z.number() });
const oracleSchema = z.object({
  timeZone: z.string(),
  tariff: z.looseObject({ name: z.string() }),
  devices: z.record(
    z.string(),
    kwhSchema.extend({
      rows: z.number(),
      first: z.string(),
      last: z.string(),
      peakDemand: z.object({ kw: z.number(), slot: z.string() }).nullable(),
      flags: z.union([z.record(z.string(), z.number()), z.array(z.never())]),
      months: z.record(z.string(), kwhSchema),
      monthCosts: z.record(
        z.string(),
        z.object({
          energyCost: z.number(),
          fixedCharge: z.number(),
          vat: z.number(),
          total: z.number(),
          totalRounded: z.number(),
          lines: z.array(
            z.object({ period: z.string(), ratePerKwh: z.number(), energyKwh: z.number(), cost: z.number() }),
          ),
        }),
      ),
      days: z.record(z.string(), z.tuple([z.number(), z.number()])),
    }),
  ),
});

/** The results of an independent reference for a set, by the rules of energy-and-cost.md. */
export function readOracle(name: RealDataSet): z.infer<typeof oracleSchema> {
  return oracleSchema.parse(JSON.parse(readFileSync(join(folder, 'oracles', `${name}.json`), 'utf8')));
}
