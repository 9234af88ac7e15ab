import { type Measure, toolLimits, type TotalsAnswer } from '../../shared/dashboard-tool.ts';
import { byMeasure } from '../../shared/quantities.ts';
import { formatInstant } from '../base/instants.ts';
import { type PeakDemand, peakDemand, averagePowerKw } from '../energy/power.rules.ts';
import { averagePower, averagesAt } from '../energy/statistics.rules.ts';
import type { BreakdownLine } from '../rates/cost-statement.rules.ts';
import { exportLineName } from '../rates/costs.rules.ts';
import { type EnergySource, readEach, type SourceTotals } from './energy-sources.ts';
import { type PartsAsked, readDemand, readStatistics } from './part-sums.ts';
import {
  addMoney,
  inCurrency,
  inPeriod,
  listParts,
  othersLast,
  type Part,
  type PartOf,
  refuseTooMany,
} from './parts.rules.ts';

export const units = {
  power: 'kW',
  demand: 'kW',
  energy: 'kWh',
  ...byMeasure(({ unit = '1' }) => unit),
} satisfies Record<Exclude<Measure, 'cost'>, string>;

/** The averages that are read from statistics. */
export const averageOf = byMeasure(({ name }) => name);

export type Total = TotalsAnswer['totals'][number];

/** One value for each part: the numbers of the summary. */
export async function totalParts(asked: PartsAsked): Promise<Total[]> {
  const { measure, split, sources, partOf, isOfFleet } = asked;
  const limit = isOfFleet ? Infinity : toolLimits.parts;
  if (measure === 'cost' || measure === 'energy') {
    const amounts: Amount[] = [];
    const read = (source: EnergySource) => (measure === 'cost' ? costsOf(source, asked) : energyOf(source, asked));
    for await (const own of readEach(sources, read)) amounts.push(...own);
    const totals = sumAmounts(amounts);
    refuseTooMany(totals.length, { split, limit });
    return othersLast(totals);
  }
  const parts = listParts(sources, partOf, { split, limit });
  const valueOf =
    measure === 'power' || measure === 'demand'
      ? await readPower(asked, parts.length)
      : await readAverages(asked, averageOf[measure]);
  return parts.map(({ key, name, labels }) => ({ name, labels, unit: units[measure], ...valueOf(key) }));
}

interface Amount {
  part: Part;
  unit: string;
  value: number;
}

const amountIn = (part: Part, currency: string, value: number): Amount => ({
  part: inCurrency(part, currency),
  unit: currency,
  value,
});

/** The cost with fixed charge and VAT; for a single device only that of its energy. */
async function costsOf(source: EnergySource, { split, partOf }: PartsAsked): Promise<Amount[]> {
  const { of, any } = partsOfSource(source, partOf);
  if (split === 'device' || split === 'site') {
    const { devices, sites } = await source.readTotals();
    return split === 'device'
      ? source.devices.flatMap(({ number, id }) =>
          (devices.get(number) ?? []).map(({ currency, energyCost }) => amountIn(of(id), currency, energyCost)),
        )
      : [...sites].flatMap(([id, own]) => own.map(({ currency, total }) => amountIn(of(id), currency, total)));
  }
  const { costs, lines } = await source.readCosts();
  if (split !== 'period') return costs.map(({ currency, total }) => amountIn(any, currency, total));
  return [
    ...lines.map(({ name, currency, cost }) =>
      amountIn(inPeriod(any, cost < 0 && name === exportLineName ? 'export' : 'energy', name), currency, cost),
    ),
    ...costs.flatMap((cost) =>
      charges
        .filter(([kind]) => cost[kind] !== 0)
        .map(([kind, name]) => amountIn(inPeriod(any, kind, name), cost.currency, cost[kind])),
    ),
  ];
}
const charges = [
  ['fixedCharge', 'Fixed charge'],
  ['vat', 'VAT'],
] as const;

/** The imported energy. */
async function energyOf(source: EnergySource, { split, partOf }: PartsAsked): Promise<Amount[]> {
  const { of, any } = partsOfSource(source, partOf);
  const amount = (part: Part, value: number) => ({ part, unit: units.energy, value });
  if (split === 'none' || split === 'customer') return [amount(any, await source.readImported())];
  if (split === 'period') {
    return (await source.readCosts()).breakdown.flatMap((line) => {
      const own = amountOf(line, 'energy');
      return own === null ? [] : [amount(inPeriod(any, line.kind, line.name), own.value)];
    });
  }
  const { deviceTotals, siteTotals } = await source.readTotals();
  if (split === 'site') return siteTotals.map(({ siteId, priced }) => amount(of(siteId), priced.importedKwh));
  return source.devices.flatMap(({ number, id }) => {
    const own = deviceTotals.get(number);
    return own === undefined ? [] : [amount(of(id), own.priced.importedKwh)];
  });
}

/** The amount of a line of a breakdown; null if it is not part of the measure. */
export function amountOf(line: BreakdownLine, measure: Measure): { value: number; unit: string } | null {
  if (measure === 'cost') {
    return line.cost === null || line.tariff === null ? null : { value: line.cost, unit: line.tariff.currency };
  }
  const isImport = line.kind === 'energy' || line.kind === 'unpriced';
  return isImport && line.energyKwh !== null ? { value: line.energyKwh, unit: units.energy } : null;
}

/** The parts by the ids of devices and of sites; `any` is that of all. */
function partsOfSource(source: EnergySource, partOf: PartOf) {
  const byId = partsById(source, partOf);
  const [any = { key: '', name: '', labels: {} }] = byId.values();
  return { any, of: (id: string) => byId.get(id) ?? any };
}

export const partsById = (source: EnergySource, partOf: PartOf): Map<string, Part> =>
  new Map(
    source.devices.flatMap((device) => {
      const part = partOf(source, device);
      return [[device.id, part] as const, [device.siteId, part] as const];
    }),
  );

function sumAmounts(amounts: readonly Amount[]): Total[] {
  const totals = new Map<string, Total & { value: number }>();
  for (const { part, unit, value } of amounts) {
    const { name, labels } = part;
    const total = totals.getOrInsertComputed(part.key, () => ({ name, labels, unit, value: 0, at: null }));
    total.value = unit === units.energy ? total.value + value : addMoney(total.value, value, unit);
  }
  return [...totals.values()];
}

type Value = Pick<Total, 'value' | 'at'>;
type ValueOf = (key: string) => Value;

const averageIn = (value: number | null = null): Value => ({ value, at: null });
const peakIn = (peak: PeakDemand | null = null): Value => ({
  value: peak?.kw ?? null,
  at: peak === null ? null : formatInstant(peak.slotStartMicros),
});

/** The average power by part; or the peak demand, and its time. */
async function readPower(asked: PartsAsked, partCount: number): Promise<ValueOf> {
  const { measure, split, sources, partOf, isOfFleet, ranges } = asked;
  const isPower = measure === 'power';
  const values = new Map<string, Value>();
  if (split === 'device') {
    const read = async (source: EnergySource) => ({ source, ...(await source.readTotals()) });
    for await (const { source, deviceTotals } of readEach(sources, read)) {
      for (const device of source.devices) {
        const own = deviceTotals.get(device.number);
        const value = isPower ? averageIn(own && averagePower(own)) : peakIn(own?.peak);
        values.set(partOf(source, device).key, value);
      }
    }
  } else if (!isPower && (isOfFleet || (sources.length > 1 && split !== 'site' && split !== 'customer'))) {
    // The peak of several sources is that of their sum.
    for (const [key, slots] of await readDemand(asked, partCount))
      values.set(key, peakIn(peakDemand(slots, ranges.all)));
  } else {
    const found = new Map<string, SourceTotals[]>();
    for await (const { key, totals } of readEach(sourcesByPart(sources, partOf), readPart)) {
      found.getOrInsertComputed(key, () => []).push(totals);
    }
    for (const [key, own] of found) {
      // Averages of devices measured at different times must not be added.
      values.set(key, isPower ? averageIn(averagePowerKw(own.flatMap(({ power }) => power))) : peakIn(own[0]?.peak));
    }
  }
  return (key) => values.get(key) ?? averageIn();
}

/** Each part of each source as a source: its average and peak equal those of a query about only its devices. */
const sourcesByPart = (sources: readonly EnergySource[], partOf: PartOf) =>
  sources.flatMap((source) =>
    [...Map.groupBy(source.devices, (device) => partOf(source, device).key)].map(([key, devices]) => ({
      key,
      source: devices.length === source.devices.length ? source : source.only(devices),
    })),
  );

const readPart = async ({ key, source }: { key: string; source: EnergySource }) => ({
  key,
  totals: await source.readTotals(),
});

/** From the statistics of quarter-hours, whatever the length of the range. */
async function readAverages(asked: PartsAsked, name: (typeof averageOf)[keyof typeof averageOf]): Promise<ValueOf> {
  const edgesOf = (timeZone: string) => {
    const { fromMicros, toMicros } = asked.ranges.of(timeZone);
    return [fromMicros, toMicros];
  };
  const statistics = await readStatistics(asked, { edgesOf, size: 'day' }, 1);
  return (key) => {
    const own = statistics.get(key);
    return averageIn(own && averagesAt(own, 0)[name]);
  };
}
