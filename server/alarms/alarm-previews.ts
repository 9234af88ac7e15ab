import type { AlarmPreviewEvent, AlarmRuleWrite } from '../../shared/alarms.ts';
import { refuse } from '../base/errors.ts';
import { keptBatchDays } from '../../shared/states.rules.ts';
import { dayMs, formatInstant } from '../base/instants.ts';
import { allCustomers } from '../base/scopes.ts';
import type { Database } from '../database/pool.ts';
import { yieldOrAbort } from '../database/turns.ts';
import { readPastBatches, readSeenCustomers } from '../fleet/customers.ts';
import { afterBatch, judgeCustomer, type PastFigures } from '../fleet/fleet-trouble.rules.ts';
import {
  countStoredReadings,
  listPowerMinutes,
  listSilences,
  listValuesBetween,
  listWatchedDevices,
  unitOf,
  type WatchedDevice,
} from './alarm-figures.sql.ts';
import {
  demandTimes,
  forecastDemand,
  isAbout,
  isOfScope,
  judgeFigure,
  judgeLimit,
  judgeSilence,
  minuteMs,
  offlineAfterMs,
  type PowerSum,
  type RunningPower,
  staleMsOf,
  withoutSubMeters,
} from './alarm-kinds.rules.ts';
import { advance, type Episode, type Judged, type Patience } from './alarm-states.rules.ts';
import { isEnergyRule, judgeEnergy, listSteps } from './energy-figures.ts';
import { judgeByRule, type SeenCustomer } from './evaluate.ts';

const hourMs = 60 * minuteMs;

/** Limits that take some seconds of CPU: for rules that read single readings, and for rules that read slots. */
const [maxReadings, maxSummedReadings] = [5_000_000, 50_000_000];
/** The same for rules about batches: in total, and of a customer on a day, because those are in memory at once. */
const [maxBatches, maxBatchesOfDay] = [3_000_000, 100_000];
const maxEvents = 10_000;
const pieceMs = 31 * dayMs;
/** How long before the range the preview begins, so that an alarm firing at its start does not count as new. */
const leadMs = dayMs;

export interface PreviewQuestion {
  rule: AlarmRuleWrite;
  /** Epoch milliseconds. */
  fromMs: number;
  toMs: number;
}

interface PreviewParts {
  database: Database;
  /** The time zone of subjects without a site. */
  timeZone: string;
}

/**
 * How a rule would have judged a subject in the past, ascending. It comes in pieces, because three months can have millions of
 * readings.
 */
interface Past {
  subject: AlarmPreviewEvent['subject'];
  timeZone: string;
  unitAt: (atMs: number) => string | null;
  pieces: AsyncIterable<readonly Judged[]> | Iterable<readonly Judged[]>;
}

interface Span {
  /** Epoch milliseconds. */
  beginMs: number;
  toMs: number;
}

/**
 * When a rule would have fired in a range, from what is stored of today's devices and customers, as if each reading had arrived when
 * it was measured. The live evaluation judges in the same way. Throws `invalid` for kinds whose past is not stored, and if there is
 * too much to examine.
 */
export async function previewAlarmRule(
  parts: PreviewParts,
  { rule, fromMs, toMs }: PreviewQuestion,
): Promise<AlarmPreviewEvent[]> {
  const holdMs = rule.durationSeconds * 1000;
  const events: AlarmPreviewEvent[] = [];
  for await (const past of listPasts(parts, rule, { beginMs: fromMs - holdMs - leadMs, toMs })) {
    const { subject, timeZone, unitAt, pieces } = past;
    for (const episode of await findEpisodes(pieces, { holdMs, schedule: rule.schedule, timeZone })) {
      const { firingAtMs, resolvedAtMs, value } = episode;
      if (firingAtMs === null || firingAtMs < fromMs || firingAtMs >= toMs) continue;
      if (events.length === maxEvents) throw refuse('manyPreviewEvents', { max: maxEvents });
      events.push({
        subject,
        firingAt: formatInstant(firingAtMs * 1000),
        resolvedAt: resolvedAtMs === null ? null : formatInstant(resolvedAtMs * 1000),
        value,
        unit: unitAt(firingAtMs),
      });
    }
    await yieldOrAbort(parts.database.signal);
  }
  return events.toSorted((a, b) => Date.parse(a.firingAt) - Date.parse(b.firingAt));
}

/** Finds the alarms in the pieces. The last alarm may still be open. */
export async function findEpisodes(pieces: Past['pieces'], patience: Patience): Promise<Episode[]> {
  const found: Episode[] = [];
  let open: Episode | null = null;
  for await (const judged of pieces) {
    const episodes: Episode[] = advance(open, judged, patience, found.at(-1)?.resolvedAtMs ?? undefined);
    open = episodes.find(({ resolvedAtMs }) => resolvedAtMs === null) ?? null;
    found.push(...episodes.filter(({ resolvedAtMs }) => resolvedAtMs !== null));
    if (found.length > maxEvents) throw refuse('manyPreviewEvents', { max: maxEvents });
  }
  return open === null ? found : [...found, open];
}

async function* listPasts(parts: PreviewParts, rule: AlarmRuleWrite, span: Span): AsyncGenerator<Past> {
  const { database } = parts;
  if (rule.kind === 'customerNeverSent') {
    for (const { id, name, createdAt, firstSeenAt, ...customer } of await readSeenCustomers(database, allCustomers)) {
      if (!customer.isActive || customer.isAway === true || !isOfScope(rule.scope, { id, ...customer })) continue;
      const seenMs = firstSeenAt === null ? null : Date.parse(firstSeenAt);
      const nowMs = Math.max(span.toMs, seenMs ?? 0);
      const judged = judgeSilence(Date.parse(createdAt), seenMs, nowMs, rule.condition.afterHours * hourMs);
      const subject = { kind: 'customer', id, name } as const;
      yield { subject, timeZone: parts.timeZone, unitAt: () => 's', pieces: [judged] };
    }
    return;
  }
  if (rule.kind === 'customerSilent' || rule.kind === 'customerFailing') {
    yield* listCustomers(parts, rule, span);
    return;
  }
  const isOfReadings = rule.kind === 'offline' || rule.kind === 'limit' || rule.kind === 'demandForecast';
  if (!isOfReadings && !isEnergyRule(rule)) throw refuse('noPreviewOfKind', {}, { field: 'rule.kind' });
  const all = await listWatchedDevices(database);
  const devices = all.filter((device) => isAbout(rule.scope, device));
  const numbers = devices.map(({ number }) => number);
  const count = await countStoredReadings(database, numbers, span.beginMs, span.toMs);
  const max = isOfReadings ? maxReadings : maxSummedReadings;
  if (count > max) throw refuse('previewTooLarge', { count, max });
  if (!isOfReadings) {
    const steps = (timeZone: string) => listSteps(rule, { fromMs: span.beginMs, toMs: span.toMs }, timeZone);
    for (const { subject, timeZone, unitAt, judged } of await judgeEnergy(parts, rule, devices, steps)) {
      yield { subject, timeZone, unitAt, pieces: [judged] };
    }
    return;
  }
  if (rule.kind === 'demandForecast') {
    for (const [siteId, ofSite] of Map.groupBy(devices, (device) => device.siteId)) {
      const [first] = ofSite;
      if (first === undefined) continue;
      const counted = withoutSubMeters(ofSite, all);
      yield {
        subject: { kind: 'site', id: siteId, name: first.siteName },
        timeZone: first.timeZone,
        unitAt: () => 'kW',
        pieces: listDemand(database, counted, rule.condition.limitKw, span),
      };
    }
    return;
  }
  for (const device of devices) {
    const [pieces, unit] =
      rule.kind === 'offline'
        ? [listSilence(database, device, offlineAfterMs(rule.condition.afterSeconds, device), span), 's']
        : [listBeyond(database, device, rule.condition, span), unitOf(rule.condition.quantity)];
    const subject = { kind: 'device', id: device.id, name: device.name } as const;
    yield { subject, timeZone: device.timeZone, unitAt: () => unit, pieces };
  }
}

type BatchRule = Extract<AlarmRuleWrite, { kind: 'customerSilent' | 'customerFailing' }>;

/** Customers, judged by their kept batches. */
async function* listCustomers(
  { database, timeZone }: PreviewParts,
  rule: BatchRule,
  { toMs }: Span,
): AsyncGenerator<Past> {
  let left = maxBatches;
  // All kept batches, because the usual interval follows from those before.
  const beginMs = toMs - (keptBatchDays + 1) * dayMs;
  async function* listBatches(id: string) {
    for (let fromMs = beginMs; fromMs < toMs; fromMs += dayMs) {
      const [from, to] = [new Date(fromMs), new Date(Math.min(toMs, fromMs + dayMs))];
      const max = Math.min(left, maxBatchesOfDay);
      const batches = await readPastBatches(database, id, from, to, max + 1);
      if (batches.length > max) throw refuse('previewTooManyBatches', { max: maxBatches });
      left -= batches.length;
      yield batches;
      await yieldOrAbort(database.signal);
    }
  }
  for (const customer of await readSeenCustomers(database, allCustomers)) {
    const { id, name, isActive, isAway } = customer;
    // Its batches cannot be read now.
    if (!isActive || isAway === true || !isOfScope(rule.scope, customer)) continue;
    const pieces = judgeBatches(rule, customer, listBatches(id), { beginMs, toMs });
    yield { subject: { kind: 'customer', id, name }, timeZone, unitAt: () => 's', pieces };
  }
}

/** No customer is silent before this time without a batch. */
const leastSilentMs = 10 * minuteMs;

const isoOf = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());
const msOf = (at: string | null) => (at === null ? null : Date.parse(at));

/** A customer with figures of the past. */
export const customerAt = (customer: SeenCustomer, figures: PastFigures): SeenCustomer => ({
  ...customer,
  firstSeenAt: figures.seenMs === null ? null : customer.firstSeenAt,
  lastSeenAt: isoOf(figures.seenMs),
  lastMeasuredAt: isoOf(figures.measuredMs),
  pushGapsSeconds: figures.gapsSeconds,
  lastFailedAt: isoOf(figures.failedMs),
  lastFailure: figures.failure,
  isRefused: figures.isRefused,
  failingSince: isoOf(figures.failingMs),
  tokenRefusedSince: isoOf(figures.tokenRefusedSinceMs),
  tokenRefusedAt: isoOf(figures.tokenRefusedMs),
  tokenRefusal: figures.tokenRefusal,
  lastError: null,
});

/** Of a customer that has never sent a batch. */
export const noFigures: PastFigures = {
  seenMs: null,
  measuredMs: null,
  gapsSeconds: [],
  failedMs: null,
  failingMs: null,
  failure: null,
  isRefused: false,
  tokenRefusedMs: null,
  tokenRefusedSinceMs: null,
  tokenRefusal: null,
};

/** How the live evaluation would have judged a customer after each batch, and where only time has passed. */
export async function* judgeBatches(
  rule: BatchRule,
  customer: SeenCustomer,
  batches: AsyncIterable<Awaited<ReturnType<typeof readPastBatches>>>,
  { beginMs, toMs }: Span,
): AsyncGenerator<Judged[]> {
  const lastSeenMs = msOf(customer.lastSeenAt);
  const isUnchanged = lastSeenMs !== null && lastSeenMs < beginMs;
  const { pushGapsSeconds: gapsSeconds, lastMeasuredAt } = customer;
  let figures: PastFigures = isUnchanged
    ? { ...noFigures, seenMs: lastSeenMs, measuredMs: msOf(lastMeasuredAt), gapsSeconds }
    : noFigures;
  let [atMs, isBad] = [beginMs, false];
  const judgeUntil = (untilMs: number): Judged[] => {
    const { seenMs, measuredMs, failedMs, tokenRefusedMs } = figures;
    const isQuiet = untilMs - (measuredMs ?? 0) > leastSilentMs;
    const isFailing = failedMs === atMs || tokenRefusedMs === atMs;
    if (!isBad && !(rule.kind === 'customerSilent' ? isQuiet : isFailing)) return [];
    const state = customerAt(customer, figures);
    const factor = rule.kind === 'customerSilent' ? rule.condition.factor : undefined;
    const { silentAfterSeconds, patienceSeconds } = judgeCustomer(state, atMs, factor);
    const turns = [seenMs, measuredMs ?? msOf(state.firstSeenAt), failedMs, tokenRefusedMs].flatMap((ms) =>
      ms === null ? [] : [ms + silentAfterSeconds * 1000 + 1, ms + patienceSeconds * 1000 + 1],
    );
    const instants = [atMs, ...turns.filter((ms) => ms > atMs && ms < untilMs).toSorted((a, b) => a - b), untilMs - 1];
    const judged = instants.flatMap((ms) => judgeByRule(rule, state, ms));
    isBad = judged.at(-1)?.verdict === 'bad';
    return judged;
  };
  for await (const some of batches) {
    for (const batch of some) {
      const judged = judgeUntil(batch.atMs);
      if (judged.length > 0) yield judged;
      figures = afterBatch(figures, batch);
      atMs = batch.atMs;
    }
  }
  yield judgeUntil(toMs);
}

async function* listSilence(database: Database, { number }: WatchedDevice, afterMs: number, { beginMs, toMs }: Span) {
  const silences = await listSilences(database, number, beginMs - afterMs, toMs, afterMs);
  yield silences.flatMap(({ lastMs, nextMs }) => judgeSilence(lastMs, nextMs, nextMs ?? toMs, afterMs));
}

/** Each piece begins with the last value of the previous one. */
async function* listBeyond(
  database: Database,
  device: WatchedDevice,
  condition: Parameters<typeof judgeLimit>[1] & { quantity: Parameters<typeof listValuesBetween>[1] },
  { beginMs, toMs }: Span,
) {
  let last: { atMs: number; value: number } | undefined;
  for (let atMs = beginMs; atMs < toMs; atMs += pieceMs) {
    const untilMs = Math.min(toMs, atMs + pieceMs);
    const own = await listValuesBetween(database, condition.quantity, device.number, atMs, untilMs);
    const values = last === undefined ? own : [last, ...own];
    last = values.at(-1);
    yield judgeLimit(values, condition, staleMsOf(device));
    await yieldOrAbort(database.signal);
  }
}

const demandPieceMs = 3 * dayMs;

/** The demand of a site at each whole minute. */
async function* listDemand(
  database: Database,
  devices: readonly WatchedDevice[],
  limitKw: number,
  { beginMs, toMs }: Span,
) {
  const numbers = devices.map(({ number }) => number);
  for (let fromMs = Math.ceil(beginMs / minuteMs) * minuteMs; fromMs <= toMs; fromMs += demandPieceMs) {
    const untilMs = Math.min(toMs + 1, fromMs + demandPieceMs);
    const rows = await listPowerMinutes(database, numbers, fromMs - leadMs, untilMs);
    yield judgeDemand(devices, rows, limitKw, { fromMs, untilMs });
    await yieldOrAbort(database.signal);
  }
}

/**
 * The demand of some devices at each whole minute of a range. It needs the power by minute in the range and in the day before.
 */
export function judgeDemand(
  devices: readonly WatchedDevice[],
  rows: readonly (PowerSum & { number: number; minute: number; lastMs: number })[],
  limitKw: number,
  { fromMs, untilMs }: { fromMs: number; untilMs: number },
): Judged[] {
  const byDevice = Map.groupBy(rows, ({ number }) => number);
  const own = devices.map((device) => ({
    staleMs: staleMsOf(device),
    minutes: new Map((byDevice.get(device.number) ?? []).map((row) => [row.minute, row])),
    lastMs: (byDevice.get(device.number) ?? []).reduce(
      (last, row) => (row.minute * minuteMs < fromMs ? Math.max(last, row.lastMs) : last),
      -Infinity,
    ),
  }));
  const sumOf = (minutes: ReadonlyMap<number, PowerSum>, sinceMs: number, atMs: number): PowerSum => {
    const all = { sum: 0, count: 0 };
    for (let minute = sinceMs / minuteMs; minute < atMs / minuteMs; minute += 1) {
      const { sum, count } = minutes.get(minute) ?? { sum: 0, count: 0 };
      all.sum += sum;
      all.count += count;
    }
    return all;
  };
  const judged: Judged[] = [];
  for (let atMs = fromMs; atMs < untilMs; atMs += minuteMs) {
    const { slotMs, recentMs } = demandTimes(atMs);
    const known: RunningPower[] = [];
    for (const device of own) {
      device.lastMs = device.minutes.get(atMs / minuteMs - 1)?.lastMs ?? device.lastMs;
      if (atMs - device.lastMs > device.staleMs) continue;
      const [running, recent] = [sumOf(device.minutes, slotMs, atMs), sumOf(device.minutes, recentMs, atMs)];
      known.push({ running, recent, lastMs: device.lastMs });
    }
    judged.push(...judgeFigure(forecastDemand(known, slotMs), limitKw, atMs));
  }
  return judged;
}
