import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import {
  comparison,
  type Comparison,
  comparisonAlignment,
  comparisonBucket,
  costComparison,
  type CostComparison,
} from '../../shared/comparison.ts';
import { bucketLimits } from '../../shared/primitives.ts';
import type { EnergyReader } from '../energy/energy-reader.ts';
import { readEnergy } from '../energy/read-energy.ts';
import { readSide, totalCompared } from './read-curve.ts';
import type { ChosenDevice } from '../energy/measurements.sql.ts';
import { yieldOrAbort } from '../database/turns.ts';
import { alignBuckets, rowsOf, sumRows, usualAlignment, valuesOn } from './aligned-buckets.rules.ts';
import {
  type AskedRange,
  lengthOf,
  presentRange,
  rangesOf,
  refuseTooLong,
  type SiteRanges,
  spanOf,
  zonesOf,
} from '../base/ranges.ts';
import { countBuckets, refuseTooManyBuckets } from '../base/buckets.ts';
import { formatInstant } from '../base/instants.ts';
import { answerExport, workbookRoute } from './answer-export.ts';
import { clientGone } from '../http/client-gone.ts';
import type { ClientParts } from '../http/client-parts.ts';
import { waitForPlace } from '../http/protection/answers.ts';
import {
  askedQuery,
  hasOtherRange,
  idList,
  languageQuery,
  otherRangeQuery,
  question,
  readAsked,
  readInstant,
  readOption,
  readOtherRange,
  readOtherScope,
  readRangeUntil,
  readZone,
  untilQuery,
} from '../http/ranges.ts';
import type { App } from '../http/guard.ts';
import type { Say } from './say.ts';
import type { Cell, Part } from '../workbook/sheet.ts';
import { clockOf, count, instantCell, kw, kwh, moneyOf, table, type TableColumn, text } from './export-formats.ts';
import { compareCosts, type ComparedTotals } from '../rates/cost-comparison.rules.ts';
import { unpricedKwhOf } from '../rates/costs.rules.ts';

const comparisonQuery = askedQuery.extend({
  ...untilQuery.shape,
  ...otherRangeQuery.shape,
  otherDeviceIds: idList(
    'Devices of the other side. Without otherDeviceIds and otherSiteIds, those of the first side.',
  ),
  otherSiteIds: idList('Sites of the other side.'),
  bucket: comparisonBucket,
  align: z.enum(comparisonAlignment.options).optional().meta({
    description: 'Default: weekday where both ranges have 14 days or more, otherwise day.',
  }),
  timeZone: z.string().optional().meta({
    description:
      'Time zone of the rows where the sites of a range have several. Default: that in which the account sees times.',
  }),
});
/** If a page shows the cost of the elapsed part, its workbook has the same cost. */
const workbookQuery = comparisonQuery.extend({
  ...languageQuery.shape,
  costUntil: z.string().optional().meta({
    format: 'date-time',
    description: 'Cost of the part before this instant only, for a range that still runs. Only with otherCostUntil.',
  }),
  otherCostUntil: z.string().optional().meta({ format: 'date-time', description: 'The same for the other side.' }),
});
type Query = Partial<Record<keyof z.infer<typeof workbookQuery>, unknown>>;

/** Days, minutes, times, differences, energy and power of both sides. */
const valuesOfRow = 10;

/** `GET /api/dashboard/comparison` and its workbook: two ranges, sites or devices side by side. */
export async function comparisonRoutes(app: App, parts: ClientParts): Promise<void> {
  const { guard, database, displayZoneOf, now } = parts;

  app.get(
    '/api/dashboard/comparison',
    question(guard, {
      querystring: comparisonQuery,
      operationId: 'getComparison',
      summary: 'Compare two ranges, sites or devices by day and time of day',
      description: 'Absent parameters of the other side equal those of the first.',
      answer: comparison,
    }),
    async (request, reply): Promise<Comparison> => {
      const asked = readComparison(request, guard);
      const { first, other, size } = asked;
      const rows = countBuckets(Math.max(lengthOf(first.range), lengthOf(other.range)), size);
      await waitForPlace(reply, first.accountId, rows * valuesOfRow);
      return (await compare(asked, await displayZoneOf(request), clientGone(reply))).answer;
    },
  );

  app.get(
    '/api/dashboard/comparison/export.xlsx',
    workbookRoute(guard.signedIn, {
      tags: ['Dashboard'],
      querystring: workbookQuery,
      operationId: 'exportComparison',
      summary: 'Export the comparison of two ranges, sites or devices as an Excel workbook',
    }),
    async (request, reply) => {
      const { costUntil, otherCostUntil } = request.query;
      const asked = {
        ...readComparison(request, guard),
        costUntil: readOptionalInstant('costUntil', costUntil),
        otherCostUntil: readOptionalInstant('otherCostUntil', otherCostUntil),
      };
      const file = { ...asked.first, format: 'xlsx', title: 'Comparison', subject: null } as const;
      return answerExport(parts, request, reply, file, async ({ signal, open, send, sendAbout, say, timeZone }) => {
        const { answer, sides } = await compare(asked, timeZone, signal);
        const isCostOfPart = asked.costUntil !== undefined && asked.otherCostUntil !== undefined;
        open();
        for (const part of comparisonSheet(say, answer, { ...sides, isCostOfPart })) await send(part);
        await sendAbout({
          content: 'Comparison of two ranges, sites or devices',
          devices: devicesOfBoth(sides.own, sides.other),
          notes: [
            [say('Other range'), answer.other.fromDate ?? answer.other.from, answer.other.toDate ?? answer.other.to],
            [say('Rows'), say(answer.align === 'weekday' ? 'by weekday and time of day' : 'by date and time of day')],
          ],
        });
      });
    },
  );

  async function compare(question: Asked, timeZone: string, signal: AbortSignal) {
    const { first, other, size, align, clock } = question;
    const asked = { size, clock: clock ?? timeZone, nowMicros: now() * 1000 };
    const read = (side: AskedSide, costUntilMicros: number | undefined) =>
      readEnergy(database.until(signal), side, (snapshot) =>
        readSide(snapshot, side.range, { ...asked, costUntilMicros }),
      );
    const own = await read(first, question.costUntil);
    const others = await read(other, question.otherCostUntil);
    await yieldOrAbort(signal);
    const rows = alignBuckets(own, others, align);
    await yieldOrAbort(signal);
    const energy = valuesOn(rows, 'at', own.curve?.energyImportedKwh);
    const otherEnergy = valuesOn(rows, 'otherAt', others.curve?.energyImportedKwh);
    const running = rowsOf(rows, own.running, others.running);
    const isOpen = rowsOf(rows, own.open, others.open);
    const answer: Comparison = {
      ...presentRange(own.ranges),
      other: presentRange(others.ranges),
      bucket: size,
      align,
      timeZone: own.timeZone,
      arrivedUntil: formatInstant(Math.min(own.arrivedMicros, others.arrivedMicros)),
      otherTimeZone: others.timeZone,
      days: rows.map((row) => row.day),
      minutes: rows.map((row) => row.minute),
      times: valuesOn(rows, 'at', own.starts.map(formatInstant)),
      otherTimes: valuesOn(rows, 'otherAt', others.starts.map(formatInstant)),
      running,
      late: running.map((isRunning, row) => isRunning && isOpen[row] !== true),
      energyImportedKwh: energy,
      otherEnergyImportedKwh: otherEnergy,
      averagePowerKw: valuesOn(rows, 'at', own.curve?.averagePowerKw),
      otherAveragePowerKw: valuesOn(rows, 'otherAt', others.curve?.averagePowerKw),
      ...sumRows(energy, otherEnergy, running),
      costs: own.costs,
      otherCosts: others.costs,
      tariffDays: own.tariffDays,
      otherTariffDays: others.tariffDays,
      unpricedEnergyKwh: own.unpricedKwh,
      otherUnpricedEnergyKwh: others.unpricedKwh,
    };
    return { answer, sides: { own: own.devices, other: others.devices } };
  }
}

type AskedSide = ReturnType<typeof readAsked>;
interface Asked {
  first: AskedSide;
  other: AskedSide;
  size: z.infer<typeof comparisonBucket>;
  align: z.infer<typeof comparisonAlignment>;
  /** Null if it is the portal's. */
  clock: string | null;
  /** The end of the priced parts, epoch microseconds. */
  costUntil?: number | undefined;
  otherCostUntil?: number | undefined;
}

const readOptionalInstant = (field: string, text: unknown) =>
  text === undefined || text === '' ? undefined : readInstant(field, text);

function readComparison(request: FastifyRequest & { query: Query }, guard: ClientParts['guard']): Asked {
  const { query } = request;
  const size = readOption('bucket', comparisonBucket.options, query.bucket);
  const bounded = (range: AskedRange) => {
    refuseTooManyBuckets(size, range, bucketLimits);
    return refuseTooLong(range);
  };
  const range = bounded(readRangeUntil(query));
  const first = readAsked(guard, request, range);
  const otherRange = hasOtherRange(query) ? bounded(readOtherRange(query)) : range;
  const { otherDeviceIds, otherSiteIds } = query;
  const hasOtherDevices = [otherDeviceIds, otherSiteIds].some((ids) => ids !== undefined && ids !== '');
  const scope = hasOtherDevices ? readOtherScope(query) : first.scope;
  const clock = readZone('timeZone', query.timeZone);
  const align =
    query.align === undefined || query.align === ''
      ? usualAlignment(lengthOf(range), lengthOf(otherRange))
      : readOption('align', comparisonAlignment.options, query.align);
  return { first, other: { ...first, range: otherRange, scope }, size, align, clock };
}

const devicesOfBoth = (own: readonly ChosenDevice[], others: readonly ChosenDevice[]) => [
  ...own,
  ...others.filter(({ number }) => !own.some((device) => device.number === number)),
];

const differenceOf = (value: number | null | undefined, other: number | null | undefined) =>
  typeof value === 'number' && typeof other === 'number' ? value - other : null;

interface Sides {
  /** The devices of each side. */
  own: readonly ChosenDevice[];
  other: readonly ChosenDevice[];
  /** Both costs are of the same part. */
  isCostOfPart: boolean;
}

/** The rows of both ranges with their differences, and the totals of both below. */
function comparisonSheet(say: Say, answer: Comparison, sides: Sides): Iterable<Part> {
  const { days, times, otherTimes, timeZone, otherTimeZone, running, totals, common } = answer;
  const { energyImportedKwh: energy, otherEnergyImportedKwh: otherEnergy } = answer;
  const { averagePowerKw: power, otherAveragePowerKw: otherPower } = answer;
  const changeAt = (at: number, values: readonly (number | null)[], others: readonly (number | null)[]) =>
    running[at] === true ? null : differenceOf(values[at], others[at]);
  // Each site has its own local days, whatever time zone their start is shown in.
  const clockOfSide = (devices: readonly ChosenDevice[], zone: string) =>
    answer.bucket === 'day' ? clockOf(say, devices, zone) : zone;
  const columns: readonly TableColumn<number>[] = [
    [say('Day'), count, (at) => (days[at] ?? 0) + 1],
    [say('Time', clockOfSide(sides.own, timeZone)), text, (at) => instantCell(times[at] ?? null, timeZone)],
    [
      say('Other time', clockOfSide(sides.other, otherTimeZone)),
      text,
      (at) => instantCell(otherTimes[at] ?? null, otherTimeZone),
    ],
    [say('Energy', 'kWh'), kwh, (at) => energy[at] ?? null],
    [say('Other energy', 'kWh'), kwh, (at) => otherEnergy[at] ?? null],
    [say('Difference', 'kWh'), kwh, (at) => changeAt(at, energy, otherEnergy)],
    [say('Average power', 'kW'), kw, (at) => power[at] ?? null],
    [say('Other average power', 'kW'), kw, (at) => otherPower[at] ?? null],
    [say('Difference', 'kW'), kw, (at) => changeAt(at, power, otherPower)],
  ];
  // While a range is running, only the rows of both sides are the same part of both.
  const isRunning = running.includes(true);
  const isCostCompared = sides.isCostOfPart || !isRunning;
  const sum = (name: string, own: number, other: number, isCompared: boolean) => [
    { value: name, isBold: true },
    null,
    null,
    { value: own, format: kwh, isBold: true },
    { value: other, format: kwh, isBold: true },
    { value: isCompared ? own - other : null, format: kwh, isBold: true },
  ];
  const costOf = (costs: Comparison['costs'], currency: string) =>
    costs.find((cost) => cost.currency === currency)?.total ?? null;
  const cost = (currency: string): Cell[] => {
    const [own, other] = [costOf(answer.costs, currency), costOf(answer.otherCosts, currency)];
    const values = [own, other, isCostCompared ? differenceOf(own, other) : null];
    const format = moneyOf(currency);
    return [
      { value: say(sides.isCostOfPart ? 'Cost up to the same time' : 'Cost', currency), isBold: true },
      null,
      null,
      ...values.map((value) => ({ value, format, isBold: true })),
    ];
  };
  const currencies = new Set([...answer.costs, ...answer.otherCosts].map(({ currency }) => currency));
  const { unpricedEnergyKwh, otherUnpricedEnergyKwh } = answer;
  const hasUnpriced = unpricedEnergyKwh + otherUnpricedEnergyKwh > 0;
  return table(
    say('Comparison'),
    columns,
    [...days.keys()],
    [
      [],
      sum(say('All rows'), totals.energyImportedKwh, totals.otherEnergyImportedKwh, !isRunning),
      sum(
        say(isRunning ? 'Rows with data on both sides, to the same time' : 'Rows with data on both sides'),
        common.energyImportedKwh,
        common.otherEnergyImportedKwh,
        common.rowCount > 0,
      ),
      ...[...currencies].toSorted().map(cost),
      ...(hasUnpriced ? [sum(say('Unpriced'), unpricedEnergyKwh, otherUnpricedEnergyKwh, isCostCompared)] : []),
    ],
  );
}

/** `GET /api/dashboard/cost-comparison`: why a cost differs from that of another range. */
export async function costComparisonRoutes(app: App, { guard, database }: ClientParts): Promise<void> {
  app.get(
    '/api/dashboard/cost-comparison',
    question(guard, {
      operationId: 'getCostComparison',
      summary: 'Explain the difference in cost between two ranges by quantities and prices',
      description:
        'The effects of tariff periods, of fixed charges and VAT by site, and of devices. They add up to the difference.',
      querystring: askedQuery.extend({ ...untilQuery.shape, ...otherRangeQuery.shape }),
      answer: costComparison,
    }),
    async (request, reply): Promise<CostComparison> => {
      const range = refuseTooLong(readRangeUntil(request.query));
      const other = refuseTooLong(readOtherRange(request.query));
      const asked = readAsked(guard, request, spanOf(range, other));
      const longestMicros = Math.max(lengthOf(range), lengthOf(other));
      return readEnergy(database.until(clientGone(reply)), { ...asked, longestMicros }, async (snapshot) => {
        const zones = zonesOf(snapshot.devices);
        const [ranges, otherRanges] = [rangesOf(range, zones), rangesOf(other, zones)];
        return present(snapshot, ranges, otherRanges, await totalCompared(snapshot, ranges, otherRanges));
      });
    },
  );
}

function present(
  { devices }: EnergyReader,
  ranges: SiteRanges,
  otherRanges: SiteRanges,
  totals: ComparedTotals,
): CostComparison {
  const siteNames = new Map(devices.map((device) => [device.siteId, device.siteName]));
  const byNumber = new Map(devices.map((device) => [device.number, device]));
  const compared = compareCosts(totals);
  return {
    ...presentRange(ranges),
    other: presentRange(otherRanges),
    unpricedEnergyKwh: unpricedKwhOf(totals.current),
    otherUnpricedEnergyKwh: unpricedKwhOf(totals.other),
    totals: compared.totals,
    lines: compared.lines.map((line) => ({ ...line, siteName: siteNames.get(line.siteId) ?? '' })),
    devices: compared.devices.flatMap(({ number, ...amounts }) => {
      const device = byNumber.get(number);
      if (device === undefined) return [];
      const { id: deviceId, name: deviceName, siteId, siteName, countedIn } = device;
      return [{ deviceId, deviceName, siteId, siteName, countedIn, ...amounts }];
    }),
  };
}
