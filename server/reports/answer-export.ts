import type { FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import { z } from 'zod';
import { type ExportFormat, exportHeaders } from '../../shared/reports.ts';
import { yieldOrAbort } from '../database/turns.ts';
import { ExportFile } from '../workbook/export-file.ts';
import { type Say, sayIn } from './say.ts';
import type { Cell, Columns, Part, Sheet } from '../workbook/sheet.ts';
import { type AskedRange, lastDateOf } from '../base/ranges.ts';
import { refuse } from '../base/errors.ts';
import { formatInstant } from '../base/instants.ts';
import { chosenIds, chosenSites, type DeviceScope } from '../base/scopes.ts';
import { clientGone } from '../http/client-gone.ts';
import type { ClientParts, ReadingSource } from '../http/client-parts.ts';
import { readByHand, readLanguage } from '../http/ranges.ts';
import type { Named, SignedIn } from '../http/guard.ts';
import { fileHeaders, type ResponseHeaders } from '../http/resources.ts';
import { logOf } from '../http/request-log.ts';
import type { ChosenDevice } from '../energy/measurements.sql.ts';
import type { ExportText } from '../../messages/en/exports.ts';
import { atClock, count, table, text } from './export-formats.ts';

const exportTypes = {
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  csv: 'text/csv; charset=utf-8',
  ndjson: 'application/x-ndjson; charset=utf-8',
} as const satisfies Record<ExportFormat, string>;

/** The last word of the operation ids of exports. */
const formatWords = { xlsx: 'Xlsx', csv: 'Csv', ndjson: 'Ndjson' } as const satisfies Record<ExportFormat, string>;

/** How the API document describes a file. */
const fileAnswer = (format: ExportFormat, headers: ResponseHeaders = {}) => ({
  headers: { ...fileHeaders, ...headers },
  content: { [exportTypes[format]]: { schema: z.string().meta({ format: 'binary' }) } },
});

/** The headers of a file whose rows are counted before the first is sent. */
const rowCountHeaders: ResponseHeaders = {
  [exportHeaders.rowCount]: { type: 'integer', minimum: 0, description: 'Rows of the file.' },
  [exportHeaders.totalCount]: {
    type: 'integer',
    minimum: 0,
    description: 'Rows that match; more than those of the file where the row cap cuts it.',
  },
};

/** The options of a route that returns a file. */
const fileRoute = (onRequest: onRequestAsyncHookHandler) => ({
  onRequest,
  validatorCompiler: readByHand,
  // A HEAD request would create the whole file without using it.
  exposeHeadRoute: false,
  // The export thread compresses the file itself.
  compress: false as const,
});

/** The options of a route that returns a workbook. */
export const workbookRoute = <Schema extends Named>(onRequest: onRequestAsyncHookHandler, schema: Schema) => ({
  ...fileRoute(onRequest),
  schema: { ...schema, response: { 200: fileAnswer('xlsx') } },
});

/** The options of a route that returns measured rows. */
export const rowsRoute = <Schema extends Named>(readings: ReadingSource, format: ExportFormat, schema: Schema) => ({
  ...fileRoute(readings.onRequest),
  schema: {
    tags: ['Measurements'],
    ...schema,
    operationId: readings.operationId(`${schema.operationId}${formatWords[format]}`),
    response: { 200: fileAnswer(format, rowCountHeaders) },
    ...readings.schema,
  },
});

/**
 * `measurements-2meters-20260301-20260401.xlsx`: measurement rule 5, the dates in UTC. A calendar range has its first and its
 * last local date, so October's is named 20261001-20261031.
 */
function exportFileName({ format, title, subject, range, scope }: ExportToAnswer): string {
  const { dates, fromMicros, toMicros } = range;
  const chosen = countedWord(chosenSites(scope), 'site') + countedWord(chosenIds(scope) ?? [], 'meter');
  const [from, to] =
    dates === null ? [formatInstant(fromMicros), formatInstant(toMicros)] : [dates.fromDate, lastDateOf(dates)];
  const dateOf = (text: string) => text.slice(0, 10).replaceAll('-', '');
  const of = subject === null ? '' : `-${subject.code}`;
  return `${title.toLowerCase().replaceAll(' ', '-')}${of}${chosen}-${dateOf(from)}-${dateOf(to)}.${format}`;
}

const countedWord = ({ length }: readonly string[], word: string) =>
  length === 0 ? '' : `-${length}${word}${length === 1 ? '' : 's'}`;

/**
 * The maximum duration of an export. A fast line needs only seconds. A slow client would hold a database connection for too
 * long.
 */
const maxMs = 15 * 60_000;
const checkMs = 1_000;
/** When an export was last ended so that a waiting one could take its place. */
let endedAt = -Infinity;

export interface ExportToAnswer {
  format: ExportFormat;
  title: 'Measurements' | 'Intervals' | 'Load profile' | 'Summary' | 'Cost' | 'Comparison' | 'Fleet';
  /** The customer of the fleet whose data the file contains; null for the portal's own data. */
  subject: { code: string; name: string } | null;
  range: AskedRange;
  scope: DeviceScope;
  /** Whether other work waits for the connection of this export. */
  isAwaited?: () => boolean;
}

/** The response of an export. */
export interface ExportAnswer {
  /** Aborted when the client disconnects or takes longer than a quarter of an hour. */
  signal: AbortSignal;
  /** Begins the response, which may happen only once, with these additional headers. */
  open: (headers?: Record<string, number>) => void;
  /** Sends a part of the file. The promise settles when the next part can be sent. */
  send: (part: Part) => Promise<void>;
  /** Begins a file with its number of rows in the headers. Returns a function that sends rows. */
  sendRows: <Rows>(
    counts: { rowCount: number; totalCount: number },
    written: { sheet: Sheet; toColumns: (rows: Rows) => Columns },
  ) => Promise<(rows: Rows) => Promise<void>>;
  /** Sends the sheet "About". */
  sendAbout: (about: ExportNotes) => Promise<void>;
  /** When the file was requested, epoch milliseconds. */
  nowMs: number;
  /** The texts in the file, in the language of the reader. */
  say: Say;
  /** The zone in which the reader sees times. */
  timeZone: string;
}

/**
 * Responds with the file that `produce` writes. `produce` opens the response once it knows that there will be a file. A failure
 * before that is an ordinary error response. A later failure breaks the connection, so that nobody mistakes the file for a
 * complete one.
 */
export async function answerExport(
  { guard, applicationName: findName, displayZoneOf, now }: ClientParts,
  request: FastifyRequest & { query: { language?: unknown } },
  reply: FastifyReply,
  asked: ExportToAnswer,
  produce: (answer: ExportAnswer) => Promise<void>,
): Promise<FastifyReply> {
  // In HTTP/1.0 the end of the connection is the end of the file, so a broken file would look complete.
  if (request.raw.httpVersion === '1.0') {
    throw refuse('exportNeedsHttp11');
  }
  const { format, title, subject, range, scope, isAwaited = () => false } = asked;
  const say = sayIn(readLanguage(request.query));
  const applicationName = await findName();
  const timeZone = await displayZoneOf(request);
  const nowMs = now();
  const tooLong = new AbortController();
  const timer = setTimeout(() => tooLong.abort(refuse('downloadTooLong')), maxMs);
  let file: ExportFile | undefined;
  const check = setInterval(() => {
    if (file?.isTakenSlowly !== true || performance.now() - endedAt < checkMs || !isAwaited()) return;
    endedAt = performance.now();
    file.fail(refuse('downloadTooSlow'));
  }, checkMs);
  const { promise, resolve, reject } = Promise.withResolvers<FastifyReply>();
  const opened = () => {
    if (file === undefined) throw new Error('The response has not been opened.');
    return file;
  };
  const open = (headers: Record<string, number> = {}) => {
    // After a lost database connection reads are retried. But bytes that were sent cannot be taken back.
    if (file !== undefined) throw new Error('The connection to the database was lost in the middle of the export.');
    const isGzip = format !== 'xlsx' && takesGzip(request.headers['accept-encoding']);
    file = new ExportFile({
      format,
      isGzip,
      properties: { title: say(title), creator: applicationName, madeAtMs: nowMs },
    });
    void reply
      .headers(headers)
      .type(exportTypes[format])
      .header('content-disposition', `attachment; filename="${exportFileName(asked)}"`);
    if (isGzip) void reply.header('content-encoding', 'gzip');
    if (format !== 'xlsx') void reply.header('vary', 'accept-encoding');
    resolve(reply.send(file.output));
  };
  const signal = clientGone(reply, tooLong.signal);
  const send = async (part: Part) => {
    await opened().send(part);
    await yieldOrAbort(signal);
  };
  const sendRows: ExportAnswer['sendRows'] = async ({ rowCount, totalCount }, { sheet, toColumns }) => {
    open({ [exportHeaders.rowCount]: rowCount, [exportHeaders.totalCount]: totalCount });
    await send({ kind: 'sheet', sheet, rowCount });
    return (rows) => send({ kind: 'columns', columns: toColumns(rows) });
  };
  const sendAbout: ExportAnswer['sendAbout'] = async (about) => {
    const madeBy = guard.current(request);
    const notes = [...(subject === null ? [] : [[say('Customer'), subject.name, subject.code]]), ...about.notes];
    const known = { applicationName, range, timeZone, scope, madeAtMs: nowMs, madeBy };
    for (const part of aboutSheet(say, { ...about, ...known, notes })) await send(part);
  };
  produce({ signal, open, send, sendRows, sendAbout, nowMs, say, timeZone })
    .then(() => opened().send({ kind: 'end' }))
    .catch((error: unknown) => {
      reject(error);
      if (file === undefined) return;
      if (!signal.aborted) logOf(request).warn({ err: error }, 'an export ended before its end');
      file.fail(error instanceof Error ? error : new Error(String(error)));
    })
    .finally(() => {
      clearTimeout(timer);
      clearInterval(check);
    });
  return promise;
}

/** Whether an `Accept-Encoding` names gzip and does not forbid it (RFC 9110, 12.5.3). */
function takesGzip(accepted: string | string[] | undefined): boolean {
  const weights = new Map<string, number>();
  for (const item of String(accepted ?? '').split(',')) {
    const [coding = '', ...parameters] = item.split(';').map((part) => part.trim().toLowerCase());
    const weight = parameters.find((parameter) => parameter.startsWith('q='));
    weights.set(coding, weight === undefined ? 1 : Number(weight.slice(2)));
  }
  return (weights.get('gzip') ?? weights.get('*') ?? 0) > 0;
}

/** What the sheet "About" says of one kind of file. */
export type ExportNotes = Pick<AboutExport, 'content' | 'devices' | 'notes'>;

/** The contents of the sheet "About". */
interface AboutExport {
  applicationName: string;
  /** The kind of data in the file. */
  content: ExportText;
  range: AskedRange;
  /** The zone in which the reader sees times. */
  timeZone: string;
  /** Null if the file is not about devices. */
  devices: readonly Pick<ChosenDevice, 'name' | 'siteId' | 'siteName' | 'timeZone'>[] | null;
  /** The requested devices: all, or a selection. */
  scope: DeviceScope;
  madeAtMs: number;
  madeBy: Pick<SignedIn, 'displayName' | 'email'>;
  /** Further notes, each with a property, a value and a detail. */
  notes: readonly (readonly Cell[])[];
}

/** The last sheet of every export. It tells people who received the file from someone else what they need to know. */
export function aboutSheet(say: Say, about: AboutExport): Iterable<Part> {
  const { applicationName, content, madeAtMs, madeBy, range, notes, timeZone: zone } = about;
  const devices = about.devices ?? [];
  const zones = [...new Set(devices.map((device) => device.timeZone))].toSorted();
  const name = madeBy.displayName === '' ? madeBy.email : `${madeBy.displayName} (${madeBy.email})`;
  const rows: (readonly Cell[])[] = [
    [say('Application'), applicationName],
    [say('Content'), say(content)],
    ...rangeRows(say, range, zone, about.devices === null ? zone : say('local days at each site')),
    [say('Time zone'), zone],
    ...(zones.some((one) => one !== zone)
      ? [[say('Time zone'), say('local days at each site'), zones.join(', ')]]
      : []),
    [say('Created at', zone), atClock(madeAtMs * 1000, zone), formatInstant(madeAtMs * 1000)],
    [say('Created by'), name],
    ...notes,
    ...(about.devices === null ? [] : choiceRows(say, devices, about.scope)),
    ...devices.map((device): Cell[] => [say('Device'), device.name, device.siteName]),
  ];
  const columns = [say('Property'), say('Value'), say('Detail')].map(
    (header, at) => [header, text, (row: readonly Cell[]) => row[at] ?? null] as const,
  );
  return table(say('About'), columns, rows);
}

function choiceRows(
  say: Say,
  devices: readonly Pick<ChosenDevice, 'siteId' | 'siteName'>[],
  scope: DeviceScope,
): Cell[][] {
  const whole = new Set(chosenSites(scope));
  const sites = new Map(devices.map(({ siteId, siteName }) => [siteId, siteName]));
  return [
    [say('Devices'), { value: devices.length, format: count }, say(chosenIds(scope) === null ? 'all' : 'selected')],
    ...[...sites]
      .filter(([id]) => whole.has(id))
      .map(([, name]): Cell[] => [say('Site'), name, say('all its devices')]),
  ];
}

function rangeRows(
  say: Say,
  { dates, fromMicros, toMicros, untilMicros }: AskedRange,
  zone: string,
  days: string,
): Cell[][] {
  if (dates !== null) {
    return [
      [say('First day'), dates.fromDate, days],
      [say('Last day'), lastDateOf(dates), days],
      ...(untilMicros === undefined
        ? []
        : [[say('Data until', zone), atClock(untilMicros, zone), formatInstant(untilMicros)]]),
    ];
  }
  return [
    [say('From', zone), atClock(fromMicros, zone), formatInstant(fromMicros)],
    [say('To, exclusive', zone), atClock(toMicros, zone), formatInstant(toMicros)],
  ];
}
