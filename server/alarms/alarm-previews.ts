import type { AlarmPreviewEvent, AlarmRuleWrite } from '../../shared/alarms.ts';
import { refuse } from '../base/errors.ts';
import { dayMs, formatInstant } from '../base/instants.ts';
import type { Database } from '../database/pool.ts';
import { yieldOrAbort } from '../database/turns.ts';
import {
  countStoredReadings,
  listSilences,
  listValuesBetween,
  listWatchedDevices,
  type WatchedDevice,
} from './alarm-figures.sql.ts';
import { isAbout, judgeLimit, judgeSilence, offlineAfterMs, staleMsOf } from './alarm-kinds.rules.ts';
import { advance, type Episode, type Patience } from './alarm-states.rules.ts';

/** Some seconds of a core. */
const maxReadings = 5_000_000;
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

/**
 * When a rule would have fired in a range, from the stored readings of today's devices, as if each had arrived when it was
 * measured. Throws `invalid` for kinds whose figures are not stored, and if there is too much to examine.
 */
export async function previewAlarmRule(
  database: Database,
  { rule, fromMs, toMs }: PreviewQuestion,
): Promise<AlarmPreviewEvent[]> {
  if (rule.kind !== 'offline' && rule.kind !== 'limit') throw refuse('noPreviewOfKind', {}, { field: 'rule.kind' });
  const devices = (await listWatchedDevices(database)).filter((device) => isAbout(rule.scope, device));
  const beginMs = fromMs - rule.durationSeconds * 1000 - leadMs;
  const numbers = devices.map(({ number }) => number);
  const count = await countStoredReadings(database, numbers, beginMs, toMs);
  if (count > maxReadings) throw refuse('previewTooLarge', { count, max: maxReadings });
  const events: AlarmPreviewEvent[] = [];
  for (const device of devices) {
    const patience: Patience = {
      holdMs: rule.durationSeconds * 1000,
      schedule: rule.schedule,
      timeZone: device.timeZone,
    };
    const range = { database, device, beginMs, toMs, patience };
    const episodes =
      rule.kind === 'offline'
        ? await findSilences(range, offlineAfterMs(rule.condition.afterSeconds, device))
        : await findBeyond(range, rule.condition);
    for (const { firingAtMs, resolvedAtMs, value } of episodes) {
      if (firingAtMs === null || firingAtMs < fromMs || firingAtMs >= toMs) continue;
      if (events.length === maxEvents) throw refuse('manyPreviewEvents', { max: maxEvents });
      events.push({
        subject: { kind: 'device', id: device.id, name: device.name },
        firingAt: formatInstant(firingAtMs * 1000),
        resolvedAt: resolvedAtMs === null ? null : formatInstant(resolvedAtMs * 1000),
        value,
      });
    }
    await yieldOrAbort(database.signal);
  }
  return events.toSorted((a, b) => Date.parse(a.firingAt) - Date.parse(b.firingAt));
}

interface DeviceRange {
  database: Database;
  device: WatchedDevice;
  beginMs: number;
  toMs: number;
  patience: Patience;
}

async function findSilences(
  { database, device, beginMs, toMs, patience }: DeviceRange,
  afterMs: number,
): Promise<Episode[]> {
  const silences = await listSilences(database, device.number, beginMs - afterMs, toMs, afterMs);
  const judged = silences.flatMap(({ lastMs, nextMs }) => judgeSilence(lastMs, nextMs, nextMs ?? toMs, afterMs));
  return advance(null, judged, patience);
}

/** Piece by piece, each with the last value of the previous one. */
async function findBeyond(
  { database, device, beginMs, toMs, patience }: DeviceRange,
  condition: Parameters<typeof judgeLimit>[1] & { quantity: Parameters<typeof listValuesBetween>[1] },
): Promise<Episode[]> {
  const found: Episode[] = [];
  let open: Episode | null = null;
  let last: { atMs: number; value: number } | undefined;
  for (let atMs = beginMs; atMs < toMs; atMs += pieceMs) {
    const own = await listValuesBetween(
      database,
      condition.quantity,
      device.number,
      atMs,
      Math.min(toMs, atMs + pieceMs),
    );
    const values = last === undefined ? own : [last, ...own];
    last = values.at(-1);
    const episodes = advance(
      open,
      judgeLimit(values, condition, staleMsOf(device)),
      patience,
      found.at(-1)?.resolvedAtMs ?? undefined,
    );
    open = episodes.find(({ resolvedAtMs }) => resolvedAtMs === null) ?? null;
    found.push(...episodes.filter(({ resolvedAtMs }) => resolvedAtMs !== null));
    if (found.length > maxEvents) throw refuse('manyPreviewEvents', { max: maxEvents });
    await yieldOrAbort(database.signal);
  }
  return open === null ? found : [...found, open];
}
