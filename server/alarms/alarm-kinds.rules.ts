import type { AlarmRecipient } from '../../shared/alarms.ts';
import { currentForMicros } from '../energy/power.rules.ts';
import type { Judged } from './alarm-states.rules.ts';

/** A value of a quantity. Epoch milliseconds. */
export interface ValueAt {
  atMs: number;
  value: number;
}

interface Limit {
  above: number | null;
  below: number | null;
  hysteresis: number;
}

function judgeValue(value: number, { above, below, hysteresis }: Limit): Judged['verdict'] {
  if ((above !== null && value > above) || (below !== null && value < below)) return 'bad';
  const isBack = (above === null || value <= above - hysteresis) && (below === null || value >= below + hysteresis);
  return isBack ? 'good' : 'unclear';
}

/** Each value applies until the next one, but at most for `staleMs`; the last one applies at its own instant. */
export function judgeLimit(values: readonly ValueAt[], limit: Limit, staleMs: number): Judged[] {
  return values.flatMap(({ atMs, value }, at): Judged[] => {
    const nextMs = values[at + 1]?.atMs ?? atMs;
    const judged: Judged = {
      fromMs: atMs,
      toMs: Math.min(nextMs, atMs + staleMs),
      verdict: judgeValue(value, limit),
      valueAt: () => value,
    };
    if (nextMs <= judged.toMs) return [judged];
    return [judged, { fromMs: judged.toMs, toMs: nextMs, verdict: 'unclear', valueAt: () => null }];
  });
}

/** A time without readings after the one at `lastMs`, until the one at `nextMs` or, without one, until now. */
export function judgeSilence(lastMs: number, nextMs: number | null, nowMs: number, afterMs: number): Judged[] {
  const seconds = (atMs: number) => Math.round((atMs - lastMs) / 1000);
  const [silentMs, untilMs] = [lastMs + afterMs, nextMs ?? nowMs];
  const judged: Judged[] = [];
  if (untilMs > silentMs) judged.push({ fromMs: silentMs, toMs: untilMs, verdict: 'bad', valueAt: seconds });
  else if (nextMs === null) judged.push({ fromMs: lastMs, toMs: nowMs, verdict: 'good', valueAt: () => 0 });
  if (nextMs !== null) judged.push({ fromMs: nextMs, toMs: nowMs, verdict: 'good', valueAt: () => 0 });
  return judged;
}

/** A state that is known to last until now. */
export function judgeSince(
  verdict: Judged['verdict'],
  sinceMs: number,
  nowMs: number,
  valueAt: Judged['valueAt'] = () => null,
): Judged[] {
  return [{ fromMs: Math.min(sinceMs, nowMs), toMs: nowMs, verdict, valueAt }];
}

interface DeviceLists {
  siteIds?: readonly string[] | undefined;
  deviceIds?: readonly string[] | undefined;
  endUses?: readonly string[] | undefined;
}

/** Whether a scope includes a device: it is in each list that is given. */
export function isAbout(
  { siteIds, deviceIds, endUses }: DeviceLists,
  { id, siteId, endUse }: { id: string; siteId: string; endUse: string | null },
): boolean {
  const isIn = (list: readonly string[] | undefined, value: string) =>
    list === undefined || list.length === 0 || list.includes(value);
  const uses = endUses?.map((use) => use.toLowerCase());
  return isIn(deviceIds, id) && isIn(siteIds, siteId) && isIn(uses, endUse?.toLowerCase() ?? '');
}

interface Paced {
  expectedIntervalSeconds: number | null;
}

/** After this time without a reading the state of a device is unknown. */
export const staleMsOf = (device: Paced): number => currentForMicros(device) / 1000;

/** After this time a device is offline: that of the rule, or the device's own. */
export const offlineAfterMs = (afterSeconds: number | null, device: Paced): number =>
  afterSeconds === null ? staleMsOf(device) : afterSeconds * 1000;

interface TreePlace {
  id: string;
  parentDeviceId: string | null;
}

/** The devices that are not sub-meters of another one of them, at any level. */
export function withoutSubMeters<Device extends TreePlace>(
  some: readonly Device[],
  all: readonly TreePlace[],
): Device[] {
  const parentOf = new Map(all.map(({ id, parentDeviceId }) => [id, parentDeviceId]));
  const ids = new Set(some.map(({ id }) => id));
  return some.filter(({ id }) => {
    const seen = new Set<string>();
    for (let at = parentOf.get(id) ?? null; at !== null && !seen.has(at); at = parentOf.get(at) ?? null) {
      if (ids.has(at)) return false;
      seen.add(at);
    }
    return true;
  });
}

const quarterHourMs = 900_000;
/** The forecast must fall by this share of the limit before the alarm is resolved. */
const demandHysteresis = 0.05;

interface Running {
  mean: number | null;
  recent: number | null;
  lastMs: number;
}

/**
 * The demand of a running quarter-hour, kW: its measured part and, for the rest, the power of the last minutes. Null if a device
 * has no reading in either.
 */
export function forecastDemand(devices: readonly Running[], slotMs: number): number | null {
  let demand = 0;
  for (const { mean, recent, lastMs } of devices) {
    const [past, rest] = [mean ?? recent, recent ?? mean];
    if (past === null || rest === null) return null;
    const elapsed = Math.min(1, Math.max(0, (lastMs - slotMs) / quarterHourMs));
    demand += past * elapsed + rest * (1 - elapsed);
  }
  return devices.length === 0 ? null : demand;
}

/** A figure at one instant against a limit, with a share of hysteresis. */
export function judgeFigure(
  value: number | null,
  limit: number,
  atMs: number,
  hysteresis = demandHysteresis,
): Judged[] {
  if (value === null) return [{ fromMs: atMs, toMs: atMs, verdict: 'unclear', valueAt: () => null }];
  const verdict = value > limit ? 'bad' : value <= limit * (1 - hysteresis) ? 'good' : 'unclear';
  return [{ fromMs: atMs, toMs: atMs, verdict, valueAt: () => value }];
}

/** The outbox replaces it with a recipient for each of them. */
export const administrators = 'role:Admin';

/** The recipients of a rule, as in the outbox. */
export const recipientsOf = (rule: { recipients: readonly AlarmRecipient[] } | null | undefined): string[] =>
  (rule?.recipients ?? []).map((one) => {
    if ('userId' in one) return `user:${one.userId}`;
    if ('role' in one) return administrators;
    return 'email' in one ? `email:${one.email.toLowerCase()}` : `webhook:${one.webhookId}`;
  });
