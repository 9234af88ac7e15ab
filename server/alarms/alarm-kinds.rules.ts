import type { AlarmRecipient, AlarmRule } from '../../shared/alarms.ts';
import { dayMicros } from '../base/instants.ts';
import { type EnergyRules, gapLimitMicros, slotMicros } from '../energy/energy.rules.ts';
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

/**
 * Judges values against a limit. Each value applies until the next one. The last value, and the last one before a gap of more
 * than `staleMs`, applies only at its own instant.
 */
export function judgeLimit(values: readonly ValueAt[], limit: Limit, staleMs: number): Judged[] {
  return values.flatMap(({ atMs, value }, at): Judged[] => {
    const nextMs = values[at + 1]?.atMs ?? atMs;
    const isGap = nextMs - atMs > staleMs;
    const judged: Judged = {
      fromMs: atMs,
      toMs: isGap ? atMs : nextMs,
      verdict: judgeValue(value, limit),
      valueAt: () => value,
    };
    return isGap ? [judged, { fromMs: atMs, toMs: nextMs, verdict: 'unclear', valueAt: () => null }] : [judged];
  });
}

/** Judges the time without readings between the reading at `lastMs` and the one at `nextMs`, or now if `nextMs` is null. */
export function judgeSilence(lastMs: number, nextMs: number | null, nowMs: number, afterMs: number): Judged[] {
  const seconds = (atMs: number) => Math.round((atMs - lastMs) / 1000);
  const [silentMs, untilMs] = [lastMs + afterMs, nextMs ?? nowMs];
  const judged: Judged[] = [];
  if (untilMs > silentMs) judged.push({ fromMs: silentMs, toMs: untilMs, verdict: 'bad', valueAt: seconds });
  else if (nextMs === null) judged.push({ fromMs: lastMs, toMs: nowMs, verdict: 'good', valueAt: () => 0 });
  if (nextMs !== null) judged.push({ fromMs: nextMs, toMs: nowMs, verdict: 'good', valueAt: () => 0 });
  return judged;
}

/** Judges a state that began in the past and still lasts. */
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

/** Whether a scope includes a device: each list that the scope has must contain it. */
export function isAbout(
  { siteIds, deviceIds, endUses }: DeviceLists,
  { id, siteId, endUse }: { id: string; siteId: string; endUse: string | null },
): boolean {
  const isIn = (list: readonly string[] | undefined, value: string) =>
    list === undefined || list.length === 0 || list.includes(value);
  const uses = endUses?.map((use) => use.toLowerCase());
  return isIn(deviceIds, id) && isIn(siteIds, siteId) && isIn(uses, endUse?.toLowerCase() ?? '');
}

interface CustomerLists {
  customerIds?: readonly string[] | undefined;
  groups?: readonly string[] | undefined;
}

/** Whether a scope includes a customer. */
export const isOfScope = (
  { customerIds = [], groups = [] }: CustomerLists,
  { id, group }: { id: string; group: string | null },
): boolean =>
  (customerIds.length === 0 || customerIds.includes(id)) && (groups.length === 0 || groups.includes(group ?? ''));

interface Paced {
  expectedIntervalSeconds: number | null;
}

/** After this time without a reading the state of a device is unknown. */
export const staleMsOf = (device: Paced): number => currentForMicros(device) / 1000;

/** The time without readings after which a device is offline: the rule's own limit, or else the limit of the device. */
export const offlineAfterMs = (afterSeconds: number | null, device: Paced): number =>
  afterSeconds === null ? staleMsOf(device) : afterSeconds * 1000;

interface TreePlace {
  id: string;
  parentDeviceId: string | null;
}

/** The devices without those that are sub-meters, at any level, of another device in the list. */
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

export const minuteMs = 60_000;
const quarterHourMs = 15 * minuteMs;
/** The mean power of this many last minutes is assumed for the rest of the quarter-hour. */
const recentMs = 3 * minuteMs;
/** The forecast must fall by this share of the limit before the alarm is resolved. */
const demandHysteresis = 0.05;

/** Readings of a device: their number, and the sum of their imported power in mW. */
export interface PowerSum {
  sum: number;
  count: number;
}

/** The readings of a device in the running quarter-hour and in the last minutes. */
export interface RunningPower {
  running: PowerSum;
  recent: PowerSum;
  lastMs: number;
}

/** For a demand that is judged at a whole minute: when its quarter-hour began, and when the last minutes began. */
export const demandTimes = (atMs: number) => ({
  slotMs: Math.floor((atMs - 1) / quarterHourMs) * quarterHourMs,
  recentMs: atMs - recentMs,
});

/**
 * The demand (kW) of the quarter-hour that began at `slotMs`: the measured part, and the power of the last minutes for the
 * rest. Null if a device has no reading in either of them.
 */
export function forecastDemand(devices: readonly RunningPower[], slotMs: number): number | null {
  const mean = ({ sum, count }: PowerSum) => (count === 0 ? null : sum / count / 1e6);
  let demand = 0;
  for (const { running, recent, lastMs } of devices) {
    const [past, rest] = [mean(running) ?? mean(recent), mean(recent) ?? mean(running)];
    if (past === null || rest === null) return null;
    const elapsed = Math.min(1, Math.max(0, (lastMs - slotMs) / quarterHourMs));
    demand += past * elapsed + rest * (1 - elapsed);
  }
  return devices.length === 0 ? null : demand;
}

/** A flag of a device; a gap has an end. */
export interface SilentTime {
  timeMicros: number;
  untilMicros: number | null;
  kind: string;
}

const isGap = ({ kind }: SilentTime) => kind === 'gap' || kind === 'interpolated';

/** Whether a gap begins before an instant and ends more than `patienceMicros` after it. */
export const isGapAt = (flags: readonly SilentTime[], atMicros: number, patienceMicros: number): boolean =>
  flags.some(
    (flag) => isGap(flag) && flag.timeMicros < atMicros && (flag.untilMicros ?? 0) > atMicros + patienceMicros,
  );

/**
 * An anomaly counts this long after its reading, because only later readings tell a reset from a glitch. A gap counts once it
 * ends.
 */
const certainMicros = dayMicros / 24;

interface QualitySlots {
  /** The state of each quarter-hour, starting with `firstSlot` (counted from 1970). */
  states: readonly ('missing' | 'measured' | 'interpolated')[];
  firstSlot: number;
  flags: readonly SilentTime[];
  device: { lastMicros: number; rules: EnergyRules };
}

/**
 * The data quality of the 24 hours before each instant, judged by the readings up to that instant. While a gap lasts, nobody
 * knows whether its energy will be interpolated. Readings that may still be on their way do not count as missing.
 */
export function judgeQuality(
  { states, firstSlot, flags, device }: QualitySlots,
  { missingPercent, anomalies }: Extract<AlarmRule, { kind: 'dataQuality' }>['condition'],
  steps: readonly number[],
): (Judged & { unit: string | null })[] {
  const missingBefore = new Uint32Array(states.length + 1);
  for (const [at, state] of states.entries()) {
    missingBefore[at + 1] = (missingBefore[at] ?? 0) + (state === 'missing' ? 1 : 0);
  }
  const missingUpTo = (slot: number) => missingBefore[Math.min(states.length, Math.max(0, slot - firstSlot))] ?? 0;
  const { lastMicros, rules } = device;
  const gaps = [...flags.filter(isGap), { timeMicros: lastMicros, untilMicros: Infinity }];
  return steps.map((atMs) => {
    const [fromMicros, toMicros] = [atMs * 1000 - dayMicros, atMs * 1000];
    const [from, to] = [Math.max(firstSlot, Math.floor(fromMicros / slotMicros)), Math.ceil(toMicros / slotMicros)];
    const open = gaps.find(({ timeMicros, untilMicros }) => timeMicros < toMicros && (untilMicros ?? 0) > toMicros);
    const end = open === undefined ? to : Math.min(to, Math.max(from, Math.floor(open.timeMicros / slotMicros) + 1));
    const isSilent = open !== undefined && toMicros - open.timeMicros > gapLimitMicros(rules);
    const missing = missingUpTo(end) - missingUpTo(from) + (isSilent ? to - end : 0);
    const percent = to <= from ? 0 : (100 * missing) / (to - from);
    const count = flags.filter(({ kind, timeMicros, untilMicros }) => {
      const knownMicros = untilMicros ?? timeMicros + certainMicros;
      return anomalies.some((one) => one === kind) && knownMicros <= toMicros && knownMicros > fromMicros;
    }).length;
    const isMissing = missingPercent !== null && percent > missingPercent;
    return {
      fromMs: atMs,
      toMs: atMs,
      verdict: isMissing || count > 0 ? 'bad' : 'good',
      valueAt: () => (isMissing ? percent : count),
      unit: isMissing ? '%' : null,
    };
  });
}

/** Judges a figure at one instant against a limit, with a share of hysteresis. */
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

/** Stands for all administrators. The outbox replaces it with one recipient for each of them. */
export const administrators = 'role:Admin';

/** The recipients of a rule, as in the outbox. */
export const recipientsOf = (rule: { recipients: readonly AlarmRecipient[] } | null | undefined): string[] =>
  (rule?.recipients ?? []).map((one) => {
    if ('userId' in one) return `user:${one.userId}`;
    if ('role' in one) return administrators;
    return 'email' in one ? `email:${one.email.toLowerCase()}` : `webhook:${one.webhookId}`;
  });
