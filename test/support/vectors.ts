import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { EnergyRules } from '../../server/energy/energy.rules.ts';

const kwh = z.number();
const reading = z.object({
  time: z.string(),
  activePowerKw: z.number(),
  energyImportedKwh: z.number().nullable().optional(),
  energyExportedKwh: z.number().nullable().optional(),
});
const vectorDevice = z.object({
  energySource: z.enum(['auto', 'register', 'power']).optional(),
  ratedPowerKw: z.number().optional(),
  registerMaxKwh: z.number().optional(),
  expectedIntervalSeconds: z.number().optional(),
});
const energyExpected = z.object({
  importedKwh: kwh,
  exportedKwh: kwh,
  interpolatedKwh: kwh,
  slots: z.array(z.object({ start: z.string(), importedKwh: kwh, exportedKwh: kwh })),
  flags: z.array(z.object({ time: z.string(), kind: z.string() })),
});
const tariff = z.object({
  name: z.string(),
  currency: z.string(),
  isActive: z.boolean(),
  effectiveFrom: z.string(),
  effectiveTo: z.string().nullable(),
  defaultRatePerKwh: z.number(),
  fixedChargePerMonth: z.number(),
  vatPercent: z.number(),
  exportRatePerKwh: z.number().nullable(),
  periods: z.array(
    z.object({
      name: z.string(),
      daysOfWeek: z.number(),
      startTime: z.string(),
      endTime: z.string(),
      ratePerKwh: z.number(),
    }),
  ),
});
const vectors = z.object({
  energy: z.array(
    z.object({
      id: z.string(),
      what: z.string(),
      device: vectorDevice,
      readings: z.array(reading),
      expect: energyExpected,
    }),
  ),
  demand: z.array(
    z.object({
      id: z.string(),
      what: z.string(),
      device: vectorDevice,
      readings: z.array(reading),
      expect: z.object({ kw: z.number(), slot: z.string() }),
    }),
  ),
  ranges: z.array(
    z.object({
      id: z.string(),
      what: z.string(),
      device: vectorDevice,
      readings: z.array(reading),
      from: z.string(),
      to: z.string(),
      expect: z.object({ importedKwh: kwh, exportedKwh: kwh, interpolatedKwh: kwh }),
    }),
  ),
  cost: z.array(
    z.object({
      id: z.string(),
      what: z.string(),
      timeZone: z.string(),
      tariffs: z.array(tariff),
      from: z.string(),
      to: z.string(),
      energy: z.string(),
      slots: z.array(z.tuple([z.string(), kwh, kwh])).nullable(),
      expect: z.object({
        importedKwh: kwh,
        unpricedKwh: kwh,
        energyCost: z.number(),
        exportCredit: z.number(),
        fixedCharge: z.number(),
        vat: z.number(),
        total: z.number(),
        totalRounded: z.number(),
        lines: z.array(z.object({ period: z.string(), ratePerKwh: z.number(), energyKwh: kwh, cost: z.number() })),
      }),
    }),
  ),
});

/** The cases of energy-and-cost.md, computed independently of this project. */
export const { energy, demand, ranges, cost } = vectors.parse(
  JSON.parse(readFileSync(join(import.meta.dirname, '../vectors/energy-and-cost.json'), 'utf8')),
);
export type VectorReading = z.infer<typeof reading>;
export type VectorTariff = z.infer<typeof tariff>;

/** The rules of a vector's device. */
export const rulesOf = (device: z.infer<typeof vectorDevice>): EnergyRules => ({
  energySource: device.energySource ?? 'auto',
  ratedPowerKw: device.ratedPowerKw ?? null,
  registerMaxKwh: device.registerMaxKwh ?? null,
  expectedIntervalSeconds: device.expectedIntervalSeconds ?? null,
});

const billVectors = z.object({
  bills: z.array(
    z.object({
      id: z.string(),
      rule: z.string(),
      timeZone: z.string(),
      tariff: tariff.omit({ name: true, isActive: true, effectiveFrom: true, effectiveTo: true }),
      readings: z.array(z.tuple([z.string(), kwh.nullable(), kwh.nullable()])),
      from: z.string(),
      to: z.string(),
      expect: z.object({
        total: z.number(),
        lines: z.array(z.object({ name: z.string(), ratePerKwh: z.number(), energyKwh: kwh, cost: z.number() })),
      }),
    }),
  ),
});
/** Readings in, money out. */
export const { bills } = billVectors.parse(
  JSON.parse(readFileSync(join(import.meta.dirname, '..', 'vectors', 'bills.json'), 'utf8')),
);

const usualVectors = z.object({
  cases: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      devices: z.array(z.array(z.number().nullable())),
      expected: z
        .object({ lowKwh: z.number(), medianKwh: z.number(), highKwh: z.number(), weekCount: z.int() })
        .nullable(),
    }),
  ),
});
/** Usual energy in kWh of a quarter-hour. */
export const usualLoads = usualVectors.parse(
  JSON.parse(readFileSync(join(import.meta.dirname, '..', 'vectors', 'usual.json'), 'utf8')),
).cases;

const baseLoadVectors = z.object({
  cases: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      nights: z.array(z.array(z.number().nullable())),
      expected: z.object({ kw: z.number(), nightCount: z.int() }).nullable(),
    }),
  ),
});
/** Base loads, in kW of quarter-hours. */
export const baseLoads = baseLoadVectors.parse(
  JSON.parse(readFileSync(join(import.meta.dirname, '..', 'vectors', 'base-load.json'), 'utf8')),
).cases;

const intervalVectors = z.object({
  cases: z.array(
    z.object({
      id: z.string(),
      what: z.string(),
      device: vectorDevice,
      intervals: z.array(
        z.object({ from: z.string(), to: z.string(), importedKwh: kwh.optional(), exportedKwh: kwh.optional() }),
      ),
      readings: z.array(reading),
      expect: energyExpected,
    }),
  ),
});
/** Intervals and readings in, slots out. */
export const intervalCases = intervalVectors.parse(
  JSON.parse(readFileSync(join(import.meta.dirname, '..', 'vectors', 'intervals.json'), 'utf8')),
).cases;
