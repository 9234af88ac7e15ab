import type { AlarmKind, AlarmRule, AlarmSubject } from '../../shared/alarms.ts';
import type { QuantityName } from '../../shared/quantities.ts';
import type { Transaction } from '../database/pool.ts';
import { yieldToOthers } from '../database/turns.ts';
import type { Finding, OpenAlarm } from './alarm-changes.rules.ts';
import type { Judged } from './alarm-states.rules.ts';
import {
  type InstantOf,
  listFirstAfter,
  listNewValues,
  listReceived,
  listRunningPower,
  listWatchedDevices,
  unitOf,
  type WatchedDevice,
} from './alarm-figures.sql.ts';
import {
  demandTimes,
  forecastDemand,
  isAbout,
  judgeFigure,
  judgeLimit,
  judgeSilence,
  judgeSince,
  minuteMs,
  offlineAfterMs,
  staleMsOf,
  withoutSubMeters,
} from './alarm-kinds.rules.ts';

export type RuleOf<Kind extends AlarmKind> = Extract<AlarmRule, { kind: Kind }>;
export const ofKind = <Kind extends AlarmKind>(rules: readonly AlarmRule[], kind: Kind) =>
  rules.filter((rule): rule is RuleOf<Kind> => rule.kind === kind);

export interface Round<Reading = Transaction> {
  tx: Reading;
  rules: readonly AlarmRule[];
  openOf: (rule: AlarmRule, subjectId: string) => Pick<OpenAlarm, 'sinceMs' | 'firingAtMs'> | undefined;
  nowMs: number;
}

/** The queries that read devices. A test may replace them. */
export const storedReads = { listFirstAfter, listNewValues, listReceived, listRunningPower, listWatchedDevices };
export type DeviceReads<Reading> = {
  [Name in keyof typeof storedReads]: (
    from: Reading,
    ...asked: Parameters<(typeof storedReads)[Name]> extends [unknown, ...infer Asked] ? Asked : never
  ) => ReturnType<(typeof storedReads)[Name]>;
};

/** A reading may arrive this much later than it was measured and still count as current. */
const liveMs = 3_600_000;
/**
 * Older newest readings do not cause alarms: they were imported, or their device was offline long before anyone monitored it.
 */
const oldestMs = 30 * 86_400_000;

const unclearAt = (atMs: number): Judged => ({ fromMs: atMs, toMs: atMs, verdict: 'unclear', valueAt: () => null });

const subjectOf = ({ id, name }: WatchedDevice): AlarmSubject => ({ kind: 'device', id, name });

/** The findings of the kinds that look at readings. */
export function createDeviceFindings<Reading = Transaction>(reads: DeviceReads<Reading>) {
  /** The instant up to which the readings of each device were judged. */
  const judgedTo = new Map<number, number>();
  /** For each offline device, whether its newest reading arrived at about the time it was measured. */
  const live = new Map<number, { lastMs: number; isLive: boolean }>();

  /** Keeps the devices whose newest reading arrived at about the time it was measured. */
  async function keepLive(tx: Reading, devices: readonly WatchedDevice[], nowMs: number): Promise<Set<number>> {
    const unknown = devices.flatMap(({ number, lastMs }) =>
      lastMs === null || live.get(number)?.lastMs === lastMs || nowMs - lastMs > oldestMs
        ? []
        : [{ number, atMs: lastMs }],
    );
    const received = new Map<number, number>();
    for (const { number, atMs } of await reads.listReceived(tx, unknown)) {
      received.set(number, Math.min(atMs, received.get(number) ?? Infinity));
    }
    for (const { number, atMs: lastMs } of unknown) {
      const receivedMs = received.get(number);
      live.set(number, { lastMs, isLive: receivedMs !== undefined && receivedMs - lastMs <= liveMs });
    }
    return new Set(
      devices.flatMap(({ number, lastMs }) => {
        const known = live.get(number);
        return known?.lastMs === lastMs && known.isLive ? [number] : [];
      }),
    );
  }

  async function findOffline(
    { tx, rules, openOf, nowMs }: Round<Reading>,
    devices: readonly WatchedDevice[],
  ): Promise<Finding[]> {
    const pairs = ofKind(rules, 'offline').flatMap((rule) =>
      devices.flatMap((device) => {
        if (device.lastMs === null || !isAbout(rule.scope, device)) return [];
        const afterMs = offlineAfterMs(rule.condition.afterSeconds, device);
        const [lastMs, open] = [Math.min(device.lastMs, nowMs), openOf(rule, device.id)];
        const isSilent = nowMs - lastMs > afterMs;
        return isSilent || open !== undefined ? [{ rule, device, afterMs, lastMs, open, isSilent }] : [];
      }),
    );
    const silent = pairs.filter(({ isSilent, open }) => isSilent && open === undefined).map(({ device }) => device);
    const isLive = await keepLive(tx, [...new Set(silent)], nowMs);
    // An alarm ends at the first reading after it began, not at the newest one.
    const back = pairs.flatMap(({ device: { number }, open, isSilent }) =>
      isSilent || open === undefined ? [] : [{ number, atMs: open.firingAtMs ?? open.sinceMs }],
    );
    const firstOf = new Map<number, number>();
    for (const { number, atMs } of await reads.listFirstAfter(tx, back, nowMs)) {
      firstOf.set(number, Math.max(atMs, firstOf.get(number) ?? 0));
    }
    return pairs.flatMap(({ rule, device, afterMs, lastMs, open, isSilent }): Finding[] => {
      if (isSilent && open === undefined && !isLive.has(device.number)) return [];
      // A late reading may have been measured before the alarm began. It still ends the alarm, because it disproves the
      // condition.
      const judged = isSilent
        ? judgeSilence(lastMs, null, nowMs, afterMs)
        : judgeSince('good', firstOf.get(device.number) ?? lastMs, nowMs, () => 0);
      return [{ rule, subject: subjectOf(device), timeZone: device.timeZone, unit: 's', judged }];
    });
  }

  async function findLimits(
    { tx, rules, openOf, nowMs }: Round<Reading>,
    devices: readonly WatchedDevice[],
  ): Promise<Finding[]> {
    const byQuantity = Map.groupBy(ofKind(rules, 'limit'), ({ condition }) => condition.quantity);
    const findings: Finding[] = [];
    for (const [quantity, ofQuantity] of byQuantity) {
      const watched = devices.filter((device) => ofQuantity.some((rule) => isAbout(rule.scope, device)));
      const values = await listValuesOf(tx, quantity, watched, nowMs);
      const unit = unitOf(quantity);
      for (const rule of ofQuantity) {
        for (const device of watched) {
          const some = values.get(device.number);
          if (!isAbout(rule.scope, device) || (some === undefined && openOf(rule, device.id) === undefined)) continue;
          const judged = judgeLimit(some?.values ?? [], rule.condition, staleMsOf(device));
          if (some?.isAfterGap === true) judged.unshift(unclearAt(some.values[0]?.atMs ?? nowMs));
          findings.push({ rule, subject: subjectOf(device), timeZone: device.timeZone, unit, judged });
        }
        await yieldToOthers('alarms');
      }
    }
    return findings;
  }

  /**
   * The new values of devices, each with the last value that was judged before. Older values are not judged: they only show
   * whether a gap ended. Nobody knows whether the condition lasted during a gap.
   */
  async function listValuesOf(tx: Reading, quantity: QuantityName, devices: readonly WatchedDevice[], nowMs: number) {
    const asked = new Map<number, { staleMs: number; fromMs: number }>();
    const from = devices.flatMap((device): InstantOf[] => {
      const { number, lastMs } = device;
      const [last, staleMs] = [judgedTo.get(number), staleMsOf(device)];
      const fromMs = Math.max(last ?? 0, nowMs - staleMs);
      if (lastMs === null || lastMs < fromMs || lastMs === last) return [];
      asked.set(number, { staleMs, fromMs });
      return [{ number, atMs: Math.max(last ?? 0, nowMs - 2 * staleMs) }];
    });
    const all = Map.groupBy(await reads.listNewValues(tx, quantity, from, nowMs), ({ number }) => number);
    return new Map(
      [...all].flatMap(([number, own]) => {
        const { staleMs, fromMs } = asked.get(number) ?? { staleMs: 0, fromMs: nowMs };
        const at = own.findIndex(({ atMs }) => atMs >= fromMs);
        const first = own[at];
        if (first === undefined) return [];
        const isAfterGap = first.atMs !== judgedTo.get(number) && !(first.atMs - (own[at - 1]?.atMs ?? 0) <= staleMs);
        return [[number, { values: own.slice(at), isAfterGap }] as const];
      }),
    );
  }

  return async (round: Round<Reading>): Promise<{ findings: Finding[]; noteJudged: () => void }> => {
    const devices = await reads.listWatchedDevices(round.tx);
    const findings = [
      ...(await findOffline(round, devices)),
      ...(await findLimits(round, devices)),
      ...(await findDemand(reads, round, devices)),
    ];
    const noteJudged = () => {
      for (const map of [judgedTo, live]) {
        const known = new Set(devices.map(({ number }) => number));
        for (const number of map.keys()) if (!known.has(number)) map.delete(number);
      }
      for (const { number, lastMs } of devices) {
        // Readings with a time in the future are judged once that time has come.
        if (lastMs !== null && lastMs <= round.nowMs) judgedTo.set(number, lastMs);
      }
    };
    return { findings, noteJudged };
  };
}

/** The demand of the running quarter-hour, by site, at the last whole minute; of current devices, without sub-meters. */
async function findDemand<Reading>(
  reads: DeviceReads<Reading>,
  { tx, rules, nowMs }: Round<Reading>,
  devices: readonly WatchedDevice[],
): Promise<Finding[]> {
  const ofDemand = ofKind(rules, 'demandForecast');
  const atMs = Math.floor(nowMs / minuteMs) * minuteMs;
  const times = demandTimes(atMs);
  const from = devices.flatMap((device): InstantOf[] => {
    const fromMs = atMs - staleMsOf(device);
    const isAsked = (device.lastMs ?? -Infinity) >= fromMs && ofDemand.some(({ scope }) => isAbout(scope, device));
    return isAsked ? [{ number: device.number, atMs: Math.min(fromMs, times.slotMs) }] : [];
  });
  const powers = await reads.listRunningPower(tx, from, { ...times, atMs });
  const byNumber = new Map(powers.map((power) => [power.number, power]));
  return ofDemand.flatMap((rule) => {
    const own = devices.filter((device) => isAbout(rule.scope, device));
    return [...Map.groupBy(own, ({ siteId }) => siteId)].flatMap(([siteId, ofSite]): Finding[] => {
      const [first] = ofSite;
      if (first === undefined) return [];
      const isCurrent = (device: WatchedDevice, { lastMs }: { lastMs: number }) => atMs - lastMs <= staleMsOf(device);
      const current = withoutSubMeters(ofSite, devices).flatMap((device) => {
        const power = byNumber.get(device.number);
        return power !== undefined && isCurrent(device, power) ? [power] : [];
      });
      const demand = forecastDemand(current, times.slotMs);
      const subject: AlarmSubject = { kind: 'site', id: siteId, name: first.siteName };
      const judged = judgeFigure(demand, rule.condition.limitKw, atMs);
      return [{ rule, subject, timeZone: first.timeZone, unit: 'kW', judged }];
    });
  });
}
