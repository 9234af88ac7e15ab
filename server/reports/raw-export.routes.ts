import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type ExportFormat, exportFormat, maxProfileRows, profileGroup, rowCap } from '../../shared/reports.ts';
import { exportReadings, type ReadingsHead, readingSheet } from './export-readings.ts';
import { limiterOf } from '../base/budgets.ts';
import type { Say } from './say.ts';
import { answerExport, type ExportAnswer, type ExportNotes, type ExportToAnswer, rowsRoute } from './answer-export.ts';
import { turnOf } from '../http/client-gone.ts';
import type { ClientParts } from '../http/client-parts.ts';
import { clockOf, count, dateTime, kw, kwh, offsetColumn, text, zoned } from './export-formats.ts';
import { askedQuery, languageQuery, type RangeParameters, readAsked, readCount, readOption } from '../http/ranges.ts';
import type { App } from '../http/guard.ts';
import {
  exportProfile,
  type ProfileHead,
  type ProfileRows,
  type ProfileSeries,
  profileStates,
} from './export-profile.ts';
import { exportRawIntervals, intervalSheet } from './raw-intervals.ts';
import { slotMicros } from '../energy/energy.rules.ts';
import type { Limiter } from '../base/limiter.ts';
import type { AskedRange } from '../base/ranges.ts';
import type { DeviceScope } from '../base/scopes.ts';
import type { Database } from '../database/pool.ts';
import { listOffsets, offsetsIn } from '../base/instants.ts';
import type { ExportText } from '../../messages/en/exports.ts';
import { type Column, type Columns, packZoned, serialOf, type Sheet } from '../workbook/sheet.ts';

const exportQuery = askedQuery.extend({
  ...languageQuery.shape,
  // Rule 5: unusable numbers fall back to the default, so nothing is refused here.
  rowCap: z.unknown().optional().meta({ type: 'integer', minimum: 1, maximum: rowCap.max, default: rowCap.default }),
});

const kinds = {
  xlsx: { name: 'an Excel workbook', description: 'Times are local to each site.' },
  csv: {
    name: 'comma-separated values',
    description:
      'The fields of a row of /api/measurements/raw, with a header line. Compressed with gzip if accepted. A text that a spreadsheet would take for a formula starts with an apostrophe.',
  },
  ndjson: {
    name: 'JSON, a line a row',
    description: 'Each line is a row of /api/measurements/raw. Compressed with gzip if accepted.',
  },
} as const satisfies Record<ExportFormat, object>;

/**
 * `GET /api/measurements/raw/export.*`: specification, "Measurements and dashboard", rules 2, 3, 5 and 8; and load profiles and
 * intervals, which share its queue.
 */
export async function rawExportRoutes(app: App, parts: ClientParts): Promise<void> {
  const exporting = { ...parts, exports: limiterOf('exports') };
  for (const route of [profileRoute, intervalRoute, readingRoute]) {
    for (const format of exportFormat.options) route(app, exporting, format);
  }
}

interface Exporting extends ClientParts {
  exports: Limiter;
}

/** Answers with the rows that `write` sends when it is their turn. It returns what the sheet "About" says of them. */
async function answerRows(
  { exports, ...parts }: Exporting,
  request: FastifyRequest & { query: RangeParameters & { language?: unknown } },
  reply: FastifyReply,
  { format, title }: Pick<ExportToAnswer, 'format' | 'title'>,
  write: (
    asked: { scope: DeviceScope; range: AskedRange },
    database: Database,
    to: ExportAnswer,
  ) => Promise<ExportNotes>,
): Promise<FastifyReply> {
  const { database, customer: subject } = await parts.readings.open(request);
  const { accountId, ...asked } = readAsked(parts.guard, request);
  const isAwaited = () => exports.isAwaited(accountId);
  return answerExport(parts, request, reply, { format, title, subject, ...asked, isAwaited }, async (to) => {
    const work = () => write(asked, database.until(to.signal), to);
    const notes = await exports.run(work, turnOf(accountId, to.signal));
    if (format === 'xlsx') await to.sendAbout(notes);
  });
}

function readingRoute(app: App, parts: Exporting, format: ExportFormat): void {
  app.get(
    `${parts.readings.path}/measurements/raw/export.${format}`,
    rowsRoute(parts.readings, format, {
      operationId: 'exportRawMeasurements',
      summary: `Export raw measurements, newest first, as ${kinds[format].name}`,
      description: `${kinds[format].description} A broken connection means that the file is incomplete.`,
      querystring: exportQuery,
    }),
    async (request, reply) => {
      const cap = readCount(request.query.rowCap, rowCap.default, rowCap.max);
      return answerRows(parts, request, reply, { format, title: 'Measurements' }, async (asked, database, to) => {
        const { say, sendRows, timeZone } = to;
        const head = await exportReadings(database, { ...asked, rowCap: cap }, (head) =>
          sendRows(head, readingSheet(say, format, head, timeZone)),
        );
        const { devices } = head;
        return { content: 'Measurements as received, newest first', devices, notes: notesOf(say, head, cap) };
      });
    },
  );
}

function notesOf(say: Say, { rowCount, totalCount }: ReadingsHead, cap: number): ExportNotes['notes'] {
  const isCut = rowCount < totalCount;
  return [
    [say('Rows'), { value: rowCount, format: count }],
    [say('Matching rows'), { value: totalCount, format: count }],
    [say('Row limit'), { value: cap, format: count }],
    [say('Cut by the limit'), say(isCut ? 'yes: only the newest rows are included' : 'no')],
  ];
}

const profileQuery = askedQuery.extend({
  ...languageQuery.shape,
  groupBy: profileGroup.optional().meta({ default: 'device' }),
});

const slotsPerHour = 4;

/** `GET /api/measurements/profile/export.*`: the quarter-hours that energy suppliers ask for (docs/energy.md, "Load profiles"). */
function profileRoute(app: App, parts: Exporting, format: ExportFormat): void {
  app.get(
    `${parts.readings.path}/measurements/profile/export.${format}`,
    rowsRoute(parts.readings, format, {
      operationId: 'exportLoadProfile',
      summary: `Export the load profile, energy by quarter-hour, as ${format}`,
      description: `One row for each complete quarter-hour of the range, device by device: start and end in the time zone of the site, kWh imported and exported, demand in kW (import × 4), and whether it is measured, interpolated over a gap or missing. groupBy=site adds the devices of each site up; sub-meters count once, and a sum is incomplete where a device is missing. More than ${maxProfileRows} rows are 400.`,
      querystring: profileQuery,
    }),
    async (request, reply) => {
      const groupBy = readOption('groupBy', profileGroup.options, request.query.groupBy ?? 'device');
      return answerRows(parts, request, reply, { format, title: 'Load profile' }, async (asked, database, to) => {
        const { say, sendRows } = to;
        const profile = { ...asked, groupBy, maxRows: maxProfileRows, nowMicros: parts.now() * 1000 };
        const head = await exportProfile(database, profile, (head) =>
          sendRows({ ...head, totalCount: head.rowCount }, profileSheet(say, format, head)),
        );
        const notes = [
          [say('Rows'), { value: head.rowCount, format: count }],
          [say('Demand'), say('imported energy × 4: mean power of the quarter-hour')],
          [say('Interpolated'), say('register increase over a gap, spread evenly')],
        ];
        return { content: 'Energy by quarter-hour (load profile)', devices: head.devices, notes };
      });
    },
  );
}

const intervalsQuery = askedQuery.extend(languageQuery.shape);

/** `GET /api/measurements/intervals/export.*`: the energy of intervals as it was sent (docs/energy.md). */
function intervalRoute(app: App, parts: Exporting, format: ExportFormat): void {
  app.get(
    `${parts.readings.path}/measurements/intervals/export.${format}`,
    rowsRoute(parts.readings, format, {
      operationId: 'exportRawIntervals',
      summary: `Export the energy of intervals as ${format}`,
      description: `The intervals that begin in the range, device by device, ascending. More than ${maxProfileRows} rows are 400.`,
      querystring: intervalsQuery,
    }),
    async (request, reply) =>
      answerRows(parts, request, reply, { format, title: 'Intervals' }, async (asked, database, to) => {
        const { say, sendRows, timeZone } = to;
        const { devices, rowCount } = await exportRawIntervals(database, asked, (head) =>
          sendRows({ ...head, totalCount: head.rowCount }, intervalSheet(say, format, head, timeZone)),
        );
        const notes = [[say('Rows'), { value: rowCount, format: count }]];
        return { content: 'Energy of intervals as it was sent', devices, notes };
      }),
  );
}

/**
 * The columns of a load profile: a workbook has local times as dates with their offset in another column, the plain formats have
 * both in one text.
 */
function profileSheet(
  say: Say,
  format: ExportFormat,
  { series, devices, range }: ProfileHead,
): { sheet: Sheet; toColumns: (rows: ProfileRows) => Columns } {
  const isLocal = format === 'xlsx';
  const zones = [...new Set(series.map(({ timeZone }) => timeZone))];
  // The end of the last quarter-hour has an offset too.
  const within = { ...range, toMicros: range.toMicros + 1 };
  const clocks = new Map(zones.map((zone) => [zone, offsetsIn(within, zone)]));
  const offsets = listOffsets(within, zones);
  const names = new Map(devices.map(({ id, name }) => [id, name]));

  const ofSeries = (name: ExportText, field: string, textOf: (one: ProfileSeries) => string) => {
    const texts = series.map(textOf);
    const column: Column = { header: say(name), field, format: text, texts };
    return { column, textAt: (at: number) => (texts[at] === '' ? Number.NaN : at) };
  };
  const places = [
    ofSeries('Site', 'siteName', ({ siteName }) => siteName),
    ...(isLocal && zones.length > 1 ? [ofSeries('Time zone', 'timeZone', ({ timeZone }) => timeZone)] : []),
    ...(series.some(({ device }) => device !== null)
      ? [
          ofSeries('Device', 'deviceName', ({ device }) => device?.name ?? ''),
          ofSeries('External ID', 'externalId', ({ device }) => device?.externalId ?? ''),
          ofSeries('Main meter', 'partOf', ({ device }) => names.get(device?.countedIn ?? '') ?? ''),
        ]
      : []),
  ];
  const clock = isLocal ? clockOf(say, devices, 'UTC') : undefined;
  const time = isLocal ? dateTime : zoned;
  const columns: Column[] = [
    { header: say('Start', clock), field: 'begin', format: time },
    { header: say('End', clock), field: 'end', format: time },
    ...places.map(({ column }) => column),
    { header: say('Import', 'kWh'), field: 'energyImportedKwh', format: kwh },
    { header: say('Export', 'kWh'), field: 'energyExportedKwh', format: kwh },
    { header: say('Demand', 'kW'), field: 'demandKw', format: kw },
    {
      header: say('Status'),
      field: 'status',
      format: text,
      texts: isLocal
        ? profileStates.map((state) => say(state === 'estimated' ? 'interpolated' : state))
        : profileStates,
    },
    ...(isLocal ? [offsetColumn(say, offsets)] : []),
  ];
  return {
    sheet: { name: say('Load profile'), columns },
    toColumns({ series: at, startMicros, importedKwh, exportedKwh, state }) {
      const offsetOf = clocks.get(series[at]?.timeZone ?? '') ?? (() => 0);
      const timeOf = (micros: number) =>
        isLocal ? serialOf(micros + offsetOf(micros)) : packZoned(micros, offsetOf(micros));
      const same = (value: number) => new Float64Array(startMicros.length).fill(value);
      return [
        startMicros.map(timeOf),
        startMicros.map((start) => timeOf(start + slotMicros)),
        ...places.map(({ textAt }) => same(textAt(at))),
        importedKwh.map(withoutNoise),
        exportedKwh.map(withoutNoise),
        importedKwh.map((kwh) => withoutNoise(kwh * slotsPerHour)),
        state,
        ...(isLocal ? [startMicros.map((start) => offsets.indexOf(offsetOf(start)))] : []),
      ];
    },
  };
}

/** Differences of registers leave noise digits (18.833000000002812), far below the resolution of a meter. */
const withoutNoise = (value: number) => Math.round(value * 1e9) / 1e9;
