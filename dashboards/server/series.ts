import { type Measure, type SeriesAnswer, type SeriesQuestion, toolLimits } from '../../shared/dashboard-tool.ts';
import type { EnergySnapshot } from '../../server/energy/read-energy.ts';
import { totalEnergy } from '../../server/rates/total-energy.ts';
import { sharedZone, startOfDay } from '../../server/base/ranges.ts';
import { breakDown, type BreakdownLine, maxParts } from '../../server/rates/cost-breakdown.rules.ts';
import { stateCosts } from '../../server/rates/cost-statement.rules.ts';
import { peakDemand } from '../../server/energy/demand.rules.ts';
import { partsOf } from '../../server/rates/energy-totals.rules.ts';
import type { MicrosRange } from '../../server/base/instants.ts';
import { averagesAt } from '../../server/energy/statistics.rules.ts';
import { type Asked, type Buckets, readCurves, readDemand, readSource, readStatistics } from './buckets.ts';
import { withOthers } from './others.ts';
import { addMoney, inCurrency, inPeriod, listParts, type Part, refuseTooMany } from './parts.ts';
import { type ChosenSource, readEach } from './sources.ts';
import { chooseStep, edgesOf, type Step, toLocalDate } from './steps.ts';

export const units = {
  power: 'kW',
  demand: 'kW',
  energy: 'kWh',
  voltage: 'V',
  frequency: 'Hz',
  powerFactor: '1',
} as const satisfies Record<Exclude<Measure, 'cost'>, string>;

/** The averages that are read from statistics. */
export const averageOf = { voltage: 'voltageV', frequency: 'frequencyHz', powerFactor: 'powerFactor' } as const;

const limit = toolLimits.series;

export type Series = SeriesAnswer['series'][number];
type Pieces = Asked & Buckets & { question: SeriesQuestion; timeZone: string };

/** A series for each part of a question; `fallbackZone` is that of the buckets where the devices have several zones. */
export async function answerSeries(
  question: SeriesQuestion,
  asked: Asked,
  fallbackZone: string,
): Promise<SeriesAnswer> {
  const { measure, split } = question;
  const devices = asked.sources.flatMap((source) => source.devices);
  const timeZone = sharedZone(devices, fallbackZone);
  const isOfTariff = measure === 'cost' || split === 'period';
  const chargedCount = split === 'device' ? devices.length : new Set(devices.map(({ siteId }) => siteId)).size;
  const fits = (step: Step, points: number) => {
    if (isOfTariff) return step === 'month' || (step === 'day' && points * chargedCount <= maxParts);
    return measure !== 'demand' || (step !== 'minute' && step !== '5min');
  };
  const step = chooseStep(question.step, asked.ranges.all, fits);
  const edgesIn = edgesOf(asked.ranges, step, timeZone);
  const count = edgesIn(timeZone).length - 1;
  const pieces = { ...asked, question, step, timeZone, edgesOf: edgesIn, count };
  const series = isOfTariff ? await readAmounts(pieces) : await readMeasured(pieces, measure);
  return { bucket: step, timeZone, series };
}

/** Series read from the buckets of the devices of each part. */
async function readMeasured(pieces: Pieces, measure: Exclude<Measure, 'cost'>): Promise<Series[]> {
  const { split } = pieces.question;
  const canAddUp = split === 'customer' && (measure === 'power' || measure === 'energy');
  const parts = listParts(pieces.sources, pieces.partOf, { split, limit: canAddUp ? toolLimits.customers : limit });
  const values = await readValues(pieces, measure, parts.size);
  const starts = pieces.edgesOf(pieces.timeZone).slice(0, -1);
  const series = [...parts.values()].map(({ key, name, labels }) => {
    const own = values.get(key) ?? [];
    const points = starts.map((micros, at): Series['points'][number] => [micros / 1000, own[at] ?? null]);
    return { name, unit: units[measure], labels, points };
  });
  return withOthers(series, limit);
}

async function readValues(
  pieces: Pieces,
  measure: Exclude<Measure, 'cost'>,
  partCount: number,
): Promise<Map<string, (number | null)[]>> {
  if (measure === 'power') return readCurves(pieces, pieces, 'averagePowerKw');
  if (measure === 'energy') return readCurves(pieces, pieces, 'energyImportedKwh');
  const buckets = Array.from({ length: pieces.count }, (_, at) => at);
  if (measure === 'demand') {
    const zones = zonesOfParts(pieces);
    return mapValues(await readDemand(pieces, partCount), (slots, key) => {
      const edges = pieces.edgesOf(zones.get(key) ?? pieces.timeZone);
      return buckets.map((at) => peakDemand(slots, bucketIn(pieces, edges, at))?.kw ?? null);
    });
  }
  const name = averageOf[measure];
  return mapValues(await readStatistics(pieces, pieces), (own) => buckets.map((at) => averagesAt(own, at)[name]));
}

/** The first and last bucket cover the days of all zones. */
const bucketIn = ({ ranges: { all }, count }: Pieces, edges: readonly number[], at: number): MicrosRange => ({
  fromMicros: at === 0 ? all.fromMicros : (edges[at] ?? 0),
  toMicros: at === count - 1 ? all.toMicros : (edges[at + 1] ?? 0),
});

/** The zone of the days of each part, if its devices share one. */
function zonesOfParts({ sources, partOf, timeZone }: Pieces): Map<string, string> {
  const devices = sources.flatMap((source) => source.devices.map((device) => ({ device, source })));
  const byPart = Map.groupBy(devices, ({ device, source }) => partOf(source, device).key);
  return mapValues(byPart, (own) =>
    sharedZone(
      own.map(({ device }) => device),
      timeZone,
    ),
  );
}

/** Cost, or energy by the period of the tariff, by local day or month of each site: `GET /api/dashboard/cost-breakdown`. */
async function readAmounts(pieces: Pieces): Promise<Series[]> {
  const { split } = pieces.question;
  const group = groupOf(pieces);
  const read = async (source: ChosenSource) => ({
    parts: partsById(source, pieces),
    lines: await readSource(source, pieces, (snapshot) =>
      split === 'device' ? linesOfDevices(snapshot, pieces, group) : linesOfSites(snapshot, pieces, group),
    ),
  });
  const all: PartLine[] = [];
  for await (const { parts, lines } of readEach(pieces.sources, read)) {
    for (const line of lines) {
      const part = parts.get(line.siteId);
      if (part !== undefined) all.push({ part, line });
    }
  }
  return seriesOfLines(all, pieces);
}

/** A line of a breakdown by day or month, and the part that it counts in. */
export interface PartLine {
  part: Part;
  line: BreakdownLine;
}

export const groupOf = ({ step }: { step: Step }): 'day' | 'month' => (step === 'month' ? 'month' : 'day');

/** The amounts of lines, each currency by itself. Throws `invalid` if there are too many series for one answer. */
export function seriesOfLines(
  lines: readonly PartLine[],
  pieces: Pick<Pieces, 'question' | 'step' | 'timeZone' | 'edgesOf'>,
): Series[] {
  const { measure, split } = pieces.question;
  const { timeZone } = pieces;
  const group = groupOf(pieces);
  const series = new Map<string, Part & { unit: string; values: Map<string, number> }>();
  for (const { part, line } of lines) {
    const amount = amountOf(line, measure);
    if (amount === null) continue;
    const ofPeriod = split === 'period' ? inPeriod(part, line.kind, line.name) : part;
    const { unit, value } = amount;
    const own = measure === 'cost' ? inCurrency(ofPeriod, unit) : ofPeriod;
    const { values } = series.getOrInsertComputed(own.key, () => ({ ...own, unit, values: new Map() }));
    const key = line.group ?? '';
    const sum = values.get(key) ?? 0;
    values.set(key, measure === 'cost' ? addMoney(sum, value, unit) : sum + value);
  }
  refuseTooMany(series.size, { split, limit });
  // Every bucket gets a point, so that a chart draws unknown days as wide as others.
  const starts = pieces.edgesOf(timeZone).slice(0, -1);
  const dates = starts.map((micros) =>
    toLocalDate(micros, timeZone).slice(0, group === 'month' ? -'-01'.length : undefined),
  );
  const keys = new Set([...dates, ...[...series.values()].flatMap(({ values }) => [...values.keys()])]);
  const times = [...keys]
    .map((key) => ({ key, micros: startOfDay(group === 'month' ? `${key}-01` : key, timeZone) }))
    .toSorted((a, b) => a.micros - b.micros);
  return [...series.values()].map(({ name, labels, unit, values }) => ({
    name,
    unit,
    labels,
    points: times.map(({ key, micros }): Series['points'][number] => [micros / 1000, values.get(key) ?? null]),
  }));
}

/** The parts by the ids of devices and of sites. */
export const partsById = (source: ChosenSource, { partOf }: Pick<Asked, 'partOf'>): Map<string, Part> =>
  new Map(
    source.devices.flatMap((device) => {
      const part = partOf(source, device);
      return [[device.id, part] as const, [device.siteId, part] as const];
    }),
  );

async function linesOfSites(
  snapshot: EnergySnapshot,
  { ranges }: Asked,
  group: 'day' | 'month',
): Promise<BreakdownLine[]> {
  const sites = (await totalEnergy(snapshot, ranges, group)).totalSites();
  return breakDown(partsOf(sites, group), stateCosts(sites).costs);
}

/** Energy and export of each device, as if it were a site of its own; they add up to its cost in the summary. */
async function linesOfDevices(
  snapshot: EnergySnapshot,
  { ranges }: Asked,
  group: 'day' | 'month',
): Promise<BreakdownLine[]> {
  const { devices } = stateCosts((await totalEnergy(snapshot, ranges)).totalSites());
  const alone = {
    ...snapshot,
    devices: snapshot.devices.map((device) => ({ ...device, siteId: device.id, countedIn: null })),
  };
  const numbers = new Map(snapshot.devices.map(({ id, number }) => [id, number]));
  return (await totalEnergy(alone, ranges, group)).totalSites().flatMap((site) => {
    const own = devices.get(numbers.get(site.siteId) ?? NaN) ?? [];
    const costs = own.map((cost) => ({ ...cost, fixedCharge: 0, vat: 0, total: cost.energyCost }));
    const lines = breakDown(partsOf([site], group), costs);
    return lines.filter(({ kind }) => kind === 'energy' || kind === 'export' || kind === 'unpriced');
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

const mapValues = <From, To>(map: ReadonlyMap<string, From>, change: (value: From, key: string) => To) =>
  new Map([...map].map(([key, value]): [string, To] => [key, change(value, key)]));
