import { createHash } from 'node:crypto';
import type { DashboardSummary } from '../../shared/dashboard.ts';
import { toolLimits, type TotalsAnswer, type TotalsQuestion } from '../../shared/dashboard-tool.ts';
import { totalEnergy } from '../../server/rates/total-energy.ts';
import { rangesOf, zonesOf } from '../../server/base/ranges.ts';
import { averagePowerKw, type PowerPart } from '../../server/reports/average-power.rules.ts';
import { breakDown, type BreakdownLine } from '../../server/rates/cost-breakdown.rules.ts';
import { exportLineName } from '../../server/rates/costs.rules.ts';
import { stateCosts } from '../../server/rates/cost-statement.rules.ts';
import { peakDemand } from '../../server/energy/demand.rules.ts';
import { partsOf } from '../../server/rates/energy-totals.rules.ts';
import { formatInstant } from '../../server/base/instants.ts';
import { averagesAt } from '../../server/energy/statistics.rules.ts';
import { presentSummary, readPowerParts } from '../../server/reports/energy-answers.ts';
import { type Asked, readDemand, readSource, readStatistics } from './buckets.ts';
import { addMoney, inCurrency, inPeriod, listParts, type Part, refuseTooMany } from './parts.ts';
import { amountOf, averageOf, partsById, units } from './series.ts';
import type { Sharing } from './sharing.ts';
import { type ChosenSource, readEach } from './sources.ts';

const limit = toolLimits.totals;

type Total = TotalsAnswer['totals'][number];

/** The summary and the cost breakdown of a source. */
interface OfSource {
  summary: DashboardSummary;
  /** The lines for the range as a whole. */
  lines: BreakdownLine[];
  power: PowerPart[];
}

interface SourceTotals extends OfSource {
  source: ChosenSource;
}

export type TotalsSharing = Sharing<OfSource>;

interface Reading {
  nowMs: number;
  sharing: TotalsSharing;
}

/** One value for each part of a question: the numbers of `GET /api/dashboard/summary`. */
export async function answerTotals(question: TotalsQuestion, asked: Asked, reading: Reading): Promise<TotalsAnswer> {
  const { measure, split } = question;
  const read = async (source: ChosenSource) => ({ source, ...(await readTotals(source, asked, reading)) });
  if (measure === 'cost' || measure === 'energy') {
    const all: SourceTotals[] = [];
    for await (const one of readEach(asked.sources, read)) all.push(one);
    const totals = sumAmounts(
      all.flatMap((one) => (measure === 'cost' ? costsOf(one, asked, split) : energyOf(one, asked, split))),
    );
    refuseTooMany(totals.length, { split, limit });
    return { totals };
  }
  const parts = listParts(asked.sources, asked.partOf, { split, limit });
  const totals: Total[] = [];
  if (measure === 'power' || measure === 'demand') {
    const values = await readPower(measure, question, asked, read, parts.size);
    for (const { key, name, labels } of parts.values()) {
      const { value = null, at = null } = values.get(key) ?? {};
      totals.push({ name, labels, unit: units[measure], value, at });
    }
    return { totals };
  }
  const edgesOf = (timeZone: string) => {
    const { fromMicros, toMicros } = asked.ranges.of(timeZone);
    return [fromMicros, toMicros];
  };
  // From the statistics of quarter-hours, whatever the length of the range.
  const statistics = await readStatistics(asked, { edgesOf, count: 1, step: 'day' });
  for (const { key, name, labels } of parts.values()) {
    const own = statistics.get(key);
    const value = own === undefined ? null : averagesAt(own, 0)[averageOf[measure]];
    totals.push({ name, labels, unit: units[measure], value, at: null });
  }
  return { totals };
}

function readTotals(source: ChosenSource, asked: Asked, { nowMs, sharing }: Reading): Promise<OfSource> {
  const { accountId, range, cameAt } = asked;
  const ids = source.devices.map(({ id }) => id);
  const key = createHash('sha256').update(JSON.stringify([accountId, source.labels.customerId, range, ids]));
  const read = () =>
    readSource(source, asked, async (snapshot) => {
      const ranges = rangesOf(asked.range, zonesOf(snapshot.devices));
      const totals = await totalEnergy(snapshot, ranges);
      const sites = totals.totalSites();
      return {
        summary: await presentSummary(ranges, snapshot, totals, nowMs * 1000),
        lines: breakDown(partsOf(sites, 'period'), stateCosts(sites).costs),
        power: await readPowerParts(ranges, snapshot, totals, nowMs * 1000),
      };
    });
  return sharing.read(key.digest('base64'), { cameAt, weight: ids.length }, read);
}

export interface Amount {
  part: Part;
  unit: string;
  value: number;
}

/** The cost with fixed charge and VAT; for a single device only that of its energy. */
function costsOf({ source, summary }: SourceTotals, asked: Asked, split: TotalsQuestion['split']): Amount[] {
  const amount = (part: Part, currency: string, value: number) => ({
    part: inCurrency(part, currency),
    unit: currency,
    value,
  });
  const parts = partsOfSource(source, asked);
  if (split === 'device') {
    return summary.devices.flatMap(({ deviceId, costs }) =>
      costs.map(({ currency, energyCost }) => amount(parts.of(deviceId), currency, energyCost)),
    );
  }
  if (split === 'site') {
    return summary.sites.flatMap(({ siteId, costs }) =>
      costs.map(({ currency, total }) => amount(parts.of(siteId), currency, total)),
    );
  }
  if (split !== 'period') return summary.costs.map(({ currency, total }) => amount(parts.any, currency, total));
  return [
    ...summary.periods.map(({ name, currency, cost }) =>
      amount(inPeriod(parts.any, cost < 0 && name === exportLineName ? 'export' : 'energy', name), currency, cost),
    ),
    ...summary.costs.flatMap(({ currency, fixedCharge, vat }) => [
      ...(fixedCharge === 0 ? [] : [amount(inPeriod(parts.any, 'fixedCharge', 'Fixed charge'), currency, fixedCharge)]),
      ...(vat === 0 ? [] : [amount(inPeriod(parts.any, 'vat', 'VAT'), currency, vat)]),
    ]),
  ];
}

/** The imported energy. */
function energyOf({ source, summary, lines }: SourceTotals, asked: Asked, split: TotalsQuestion['split']): Amount[] {
  const parts = partsOfSource(source, asked);
  const amount = (part: Part, value: number) => ({ part, unit: units.energy, value });
  if (split === 'device') {
    return summary.devices.map(({ deviceId, energyImportedKwh }) => amount(parts.of(deviceId), energyImportedKwh));
  }
  if (split === 'site') {
    return summary.sites.map(({ siteId, energyImportedKwh }) => amount(parts.of(siteId), energyImportedKwh));
  }
  if (split !== 'period') return [amount(parts.any, summary.energyImportedKwh)];
  return lines.flatMap((line) => {
    const own = amountOf(line, 'energy');
    return own === null ? [] : [amount(inPeriod(parts.any, line.kind, line.name), own.value)];
  });
}

/** The parts by the ids of devices and of sites; `any` is that of all. */
function partsOfSource(source: ChosenSource, asked: Asked) {
  const byId = partsById(source, asked);
  const [any = { key: '', name: '', labels: {} }] = byId.values();
  return { any, of: (id: string) => byId.get(id) ?? any };
}

export function sumAmounts(amounts: readonly Amount[]): Total[] {
  const totals = new Map<string, Total & { value: number }>();
  for (const { part, unit, value } of amounts) {
    const { name, labels } = part;
    const total = totals.getOrInsertComputed(part.key, () => ({ name, labels, unit, value: 0, at: null }));
    total.value = unit === units.energy ? total.value + value : addMoney(total.value, value, unit);
  }
  return [...totals.values()];
}

type Power = Pick<Total, 'value' | 'at'>;

/** Average power, or the peak demand and when it was, by part. */
async function readPower(
  measure: 'power' | 'demand',
  { split }: TotalsQuestion,
  asked: Asked,
  read: (source: ChosenSource) => Promise<SourceTotals>,
  partCount: number,
): Promise<Map<string, Power>> {
  const values = new Map<string, Power>();
  const powerOf = (one: { averagePowerKw: number | null; peakPowerKw: number | null; peakAt: string | null }): Power =>
    measure === 'power' ? { value: one.averagePowerKw, at: null } : { value: one.peakPowerKw, at: one.peakAt };
  if (split === 'device') {
    for await (const { source, summary } of readEach(asked.sources, read)) {
      const parts = partsOfSource(source, asked);
      for (const device of summary.devices) values.set(parts.of(device.deviceId).key, powerOf(device));
    }
    return values;
  }
  if (asked.sources.length > 1 && split !== 'site' && split !== 'customer') {
    return measure === 'demand' ? readCommonPeak(asked, partCount) : readCommonPower(asked, read);
  }
  // The average and peak of a site equal those of a question about only its devices.
  const asks = asked.sources.flatMap((source) =>
    [...Map.groupBy(source.devices, (device) => asked.partOf(source, device).key)].map(([key, devices]) => ({
      ...source,
      devices,
      key,
    })),
  );
  const readOwn = async (one: (typeof asks)[number]) => ({ key: one.key, summary: (await read(one)).summary });
  for await (const { key, summary } of readEach(asks, readOwn)) values.set(key, powerOf(summary));
  return values;
}

/** The peak of all customers together. */
async function readCommonPeak(asked: Asked, partCount: number): Promise<Map<string, Power>> {
  const peaks = new Map<string, Power>();
  for (const [key, slots] of await readDemand(asked, partCount)) {
    const peak = peakDemand(slots, asked.ranges.all);
    peaks.set(key, { value: peak?.kw ?? null, at: peak === null ? null : formatInstant(peak.slotStartMicros) });
  }
  return peaks;
}

/** The average of all customers together; averages of devices measured at different times must not be added. */
async function readCommonPower(
  asked: Asked,
  read: (source: ChosenSource) => Promise<SourceTotals>,
): Promise<Map<string, Power>> {
  const parts: PowerPart[] = [];
  let key = '';
  for await (const { source, ...own } of readEach(asked.sources, read)) {
    parts.push(...own.power);
    key = partsOfSource(source, asked).any.key;
  }
  return new Map([[key, { value: averagePowerKw(parts), at: null }]]);
}
