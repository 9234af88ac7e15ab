import { randomUUIDv7 } from 'node:crypto';
import type { AlarmKind, AlarmRule, AlarmSubject } from '../../shared/alarms.ts';
import type { QuantityName } from '../../shared/quantities.ts';
import { storedQuantities } from '../base/quantities.ts';
import type { Database, Transaction } from '../database/pool.ts';
import { yieldToOthers } from '../database/turns.ts';
import { readSeenCustomers } from '../fleet/customers.ts';
import { judgeCustomer } from '../fleet/fleet-trouble.rules.ts';
import { countPushFailures } from '../push/push.ts';
import type { EnergyFigures } from './energy-figures.ts';
import {
  type InstantOf,
  listFirstAfter,
  listNewValues,
  listReceived,
  listRunningPower,
  listUsedKeys,
  listWatchedDevices,
  type WatchedDevice,
} from './alarm-figures.sql.ts';
import {
  forecastDemand,
  isAbout,
  judgeFigure,
  judgeLimit,
  judgeSilence,
  judgeSince,
  offlineAfterMs,
  recipientsOf,
  staleMsOf,
  withoutSubMeters,
} from './alarm-kinds.rules.ts';
import { listAlarmRules } from './alarm-rules.sql.ts';
import { advance, type Episode, type Judged } from './alarm-states.rules.ts';
import {
  addAlarmEvents,
  type AlarmEvent,
  type AlarmKey,
  type AlarmRow,
  deleteAlarms,
  listOpenAlarms,
  listResolvedAlarms,
  type OpenAlarm,
  portalId,
  putAlarms,
  resolveAlarms,
  tryLockAlarms,
} from './alarms.sql.ts';
import { addToOutbox, type OutboxEntry } from './outbox.sql.ts';

export interface EvaluationParts {
  database: Database;
  runMode: 'Client' | 'Admin';
  /** Of what has no site. */
  timeZone: string;
  /** The latest report figures; none in an Admin. */
  figures?: Pick<EnergyFigures, 'findingsOf'>;
  /** Whether this Client pushes to a fleet. */
  pushes: boolean;
  /** Epoch milliseconds. */
  now: () => number;
}

/** A subject of a rule, and what is known of it now. */
interface Finding {
  rule: AlarmRule;
  subject: AlarmSubject;
  timeZone: string;
  unit: string | null;
  /** How long the condition must last in addition to the duration of the rule. */
  holdSeconds?: number;
  judged: Judged[];
}

type RuleOf<Kind extends AlarmKind> = Extract<AlarmRule, { kind: Kind }>;

interface Round {
  tx: Transaction;
  rules: readonly AlarmRule[];
  openOf: (rule: AlarmRule, subjectId: string) => OpenAlarm | undefined;
  nowMs: number;
}

/** A reading may arrive this much later than it was measured and still count as current. */
const liveMs = 3_600_000;
/** Older readings were imported, or their device was offline long before anyone monitored it. */
const oldestMs = 30 * 86_400_000;
/** Alarms resolved longer ago say nothing about current figures. */
const recentlyMs = 3 * 86_400_000;

const keyOf = ({ ruleId, subjectKind, subjectId }: AlarmKey) => `${ruleId} ${subjectKind} ${subjectId}`;
const ofKind = <Kind extends AlarmKind>(rules: readonly AlarmRule[], kind: Kind) =>
  rules.filter((rule): rule is RuleOf<Kind> => rule.kind === kind);

/**
 * Evaluates the rules now and writes the results in one transaction. Imported history and late rows never fire: only current
 * readings count. Returns how many alarms changed; null while another portal of the database evaluates.
 */
export function createEvaluation({ database, runMode, timeZone, pushes, now, figures }: EvaluationParts) {
  const findOfDevices = createDeviceFindings();

  return async (): Promise<number | null> => {
    const nowMs = now();
    let noteJudged = () => {};
    const changed = await database.transaction(async (tx) => {
      if (!(await tryLockAlarms(tx))) return null;
      const all = await listAlarmRules(tx);
      const rules = all.filter(({ isActive }) => isActive);
      const open = await listOpenAlarms(tx);
      if (rules.length === 0 && open.length === 0) return 0;
      const openAlarms = new Map(open.map((alarm) => [`${alarm.ruleId} ${alarm.subjectId}`, alarm]));
      const round = { tx, rules, openOf: (rule: AlarmRule, id: string) => openAlarms.get(`${rule.id} ${id}`), nowMs };
      let findings: Finding[];
      if (runMode === 'Admin') findings = await findOfCustomers(round, timeZone);
      else {
        const ofDevices = await findOfDevices(round);
        findings = [
          ...ofDevices.findings,
          ...(pushes ? await findOfPush(round, timeZone) : []),
          ...(await findOfKeys(round, timeZone)),
          ...rules.flatMap((rule) => (figures?.findingsOf(rule) ?? []).map((found) => ({ ...found, rule }))),
        ];
        ({ noteJudged } = ofDevices);
      }
      return writeChanges(tx, { findings, open, rules: new Map(all.map((rule) => [rule.id, rule])) }, nowMs);
    });
    if (changed !== null) noteJudged();
    return changed;
  };
}

/** Writes the results of the findings; open alarms without a finding end. */
async function writeChanges(
  tx: Transaction,
  {
    findings,
    open,
    rules,
  }: {
    findings: readonly Finding[];
    open: readonly OpenAlarm[];
    /** Including inactive ones. */
    rules: ReadonlyMap<string, AlarmRule>;
  },
  nowMs: number,
) {
  const openAlarms = new Map(open.map((alarm) => [keyOf(alarm), alarm]));
  const resolved = new Map(
    (await listResolvedAlarms(tx, new Date(nowMs - recentlyMs))).map((alarm) => [keyOf(alarm), alarm]),
  );
  const rows: AlarmRow[] = [];
  const events: AlarmEvent[] = [];
  const gone: string[] = [];
  const told: OutboxEntry[] = [];
  const tell = (rule: AlarmRule | undefined, snoozedUntilMs: number | null, happened: readonly AlarmEvent[]) => {
    if ((snoozedUntilMs ?? 0) > nowMs) return;
    for (const recipient of recipientsOf(rule)) told.push(...happened.map((event) => ({ ...event, recipient })));
  };
  const left = new Map(openAlarms);
  for (const { rule, subject, timeZone, unit, holdSeconds = 0, judged } of findings) {
    const key = { ruleId: rule.id, subjectKind: subject.kind, subjectId: subject.id ?? portalId };
    const before = openAlarms.get(keyOf(key));
    if (before?.kind === rule.kind) left.delete(keyOf(key));
    else if (before !== undefined || !judged.some(({ verdict }) => verdict === 'bad')) continue;
    const patience = { holdMs: (rule.durationSeconds + holdSeconds) * 1000, schedule: rule.schedule, timeZone };
    const last = resolved.get(keyOf(key));
    const episodes = advance(before === undefined ? null : episodeOf(before), judged, patience, last?.resolvedAtMs);
    const isBefore = ({ sinceMs }: Episode) => before !== undefined && sinceMs === before.sinceMs;
    if (before !== undefined && !episodes.some(isBefore)) gone.push(before.id);
    for (const episode of episodes) {
      const { firingAtMs, resolvedAtMs, value, resolvedValue } = episode;
      const known = isBefore(episode) ? before : undefined;
      const fires = firingAtMs !== null && (known?.firingAtMs ?? null) === null;
      if (known !== undefined && !fires && resolvedAtMs === null) continue;
      const id = known?.id ?? randomUUIDv7();
      rows.push({
        ...key,
        ...episode,
        id,
        ruleName: rule.name,
        kind: rule.kind,
        severity: rule.severity,
        subjectName: subject.name,
        snoozedUntilMs: (known ?? last)?.snoozedUntilMs ?? null,
        unit,
      });
      const happened: AlarmEvent[] = [
        ...(fires ? [{ alarmId: id, event: 'firing', atMs: firingAtMs, value } as const] : []),
        ...(resolvedAtMs === null
          ? []
          : [{ alarmId: id, event: 'resolved', atMs: resolvedAtMs, value: resolvedValue } as const]),
      ];
      events.push(...happened);
      tell(rule, (known ?? last)?.snoozedUntilMs ?? null, happened);
    }
  }
  const ended: string[] = [];
  for (const { id, firingAtMs, ruleId, snoozedUntilMs } of left.values()) {
    if (firingAtMs === null) gone.push(id);
    else {
      ended.push(id);
      const happened: AlarmEvent = { alarmId: id, event: 'resolved', atMs: nowMs, value: null };
      events.push(happened);
      tell(rules.get(ruleId), snoozedUntilMs, [happened]);
    }
  }
  if (gone.length > 0) await deleteAlarms(tx, gone);
  if (ended.length > 0) await resolveAlarms(tx, ended, nowMs);
  if (rows.length > 0) await putAlarms(tx, rows);
  if (events.length > 0) await addAlarmEvents(tx, events);
  if (told.length > 0) await addToOutbox(tx, told);
  return events.length;
}

const episodeOf = ({ sinceMs, firingAtMs, value }: OpenAlarm): Episode => ({
  sinceMs,
  firingAtMs,
  resolvedAtMs: null,
  value,
  resolvedValue: null,
});

const subjectOf = ({ id, name }: WatchedDevice): AlarmSubject => ({ kind: 'device', id, name });

function createDeviceFindings() {
  /** The instant up to which the readings of each device were judged. */
  const judgedTo = new Map<number, number>();
  /** Whether the newest reading of an offline device arrived at about the time it was measured. */
  const live = new Map<number, { lastMs: number; isLive: boolean }>();

  /** The devices whose newest reading arrived at about the time it was measured. */
  async function keepLive(tx: Transaction, devices: readonly WatchedDevice[], nowMs: number): Promise<Set<number>> {
    const unknown = devices.flatMap(({ number, lastMs }) =>
      lastMs === null || live.get(number)?.lastMs === lastMs || nowMs - lastMs > oldestMs
        ? []
        : [{ number, atMs: lastMs }],
    );
    const received = new Map<number, number>();
    for (const { number, atMs } of await listReceived(tx, unknown)) {
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
    { tx, rules, openOf, nowMs }: Round,
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
    for (const { number, atMs } of await listFirstAfter(tx, back, nowMs)) {
      firstOf.set(number, Math.max(atMs, firstOf.get(number) ?? 0));
    }
    return pairs.flatMap(({ rule, device, afterMs, lastMs, open, isSilent }): Finding[] => {
      if (isSilent && open === undefined && !isLive.has(device.number)) return [];
      // A late reading may be from before the alarm: it ends as soon as it is disproved.
      const judged = isSilent
        ? judgeSilence(lastMs, null, nowMs, afterMs)
        : judgeSince('good', firstOf.get(device.number) ?? lastMs, nowMs, () => 0);
      return [{ rule, subject: subjectOf(device), timeZone: device.timeZone, unit: 's', judged }];
    });
  }

  async function findLimits(
    { tx, rules, openOf, nowMs }: Round,
    devices: readonly WatchedDevice[],
  ): Promise<Finding[]> {
    const byQuantity = Map.groupBy(ofKind(rules, 'limit'), ({ condition }) => condition.quantity);
    const findings: Finding[] = [];
    for (const [quantity, ofQuantity] of byQuantity) {
      const watched = devices.filter((device) => ofQuantity.some((rule) => isAbout(rule.scope, device)));
      const values = await listValuesOf(tx, quantity, watched, nowMs);
      const unit = storedQuantities.find(({ name }) => name === quantity)?.unit ?? null;
      for (const rule of ofQuantity) {
        for (const device of watched) {
          const some = values.get(device.number);
          if (!isAbout(rule.scope, device) || (some === undefined && openOf(rule, device.id) === undefined)) continue;
          const judged = judgeLimit(some ?? [], rule.condition, staleMsOf(device));
          findings.push({ rule, subject: subjectOf(device), timeZone: device.timeZone, unit, judged });
        }
        await yieldToOthers('alarms');
      }
    }
    return findings;
  }

  /** The values of devices with new current readings, each with the last one that was judged. */
  async function listValuesOf(
    tx: Transaction,
    quantity: QuantityName,
    devices: readonly WatchedDevice[],
    nowMs: number,
  ) {
    const from = devices.flatMap((device): InstantOf[] => {
      const { number, lastMs } = device;
      const fromMs = Math.max(judgedTo.get(number) ?? 0, nowMs - staleMsOf(device));
      return lastMs !== null && lastMs >= fromMs && lastMs !== judgedTo.get(number) ? [{ number, atMs: fromMs }] : [];
    });
    return Map.groupBy(await listNewValues(tx, quantity, from, nowMs), ({ number }) => number);
  }

  return async (round: Round): Promise<{ findings: Finding[]; noteJudged: () => void }> => {
    const devices = await listWatchedDevices(round.tx);
    const findings = [
      ...(await findOffline(round, devices)),
      ...(await findLimits(round, devices)),
      ...(await findDemand(round, devices)),
    ];
    const noteJudged = () => {
      for (const map of [judgedTo, live]) {
        const known = new Set(devices.map(({ number }) => number));
        for (const number of map.keys()) if (!known.has(number)) map.delete(number);
      }
      for (const { number, lastMs } of devices) {
        // Readings in the future are judged when their time has come.
        if (lastMs !== null && lastMs <= round.nowMs) judgedTo.set(number, lastMs);
      }
    };
    return { findings, noteJudged };
  };
}

const quarterHourMs = 900_000;
/** The power of these last minutes is assumed until the end of the quarter-hour. */
const recentMs = 180_000;

/** The demand of the running quarter-hour, by site; of current devices, without sub-meters. */
async function findDemand({ tx, rules, nowMs }: Round, devices: readonly WatchedDevice[]): Promise<Finding[]> {
  const ofDemand = ofKind(rules, 'demandForecast');
  const isCurrent = (device: WatchedDevice) => device.lastMs !== null && nowMs - device.lastMs <= staleMsOf(device);
  const watched = devices.filter((device) => isCurrent(device) && ofDemand.some(({ scope }) => isAbout(scope, device)));
  const slotMs = Math.floor(nowMs / quarterHourMs) * quarterHourMs;
  const numbers = watched.map(({ number }) => number);
  const powers =
    numbers.length === 0 ? [] : await listRunningPower(tx, numbers, { slotMs, recentMs: nowMs - recentMs, nowMs });
  const byNumber = new Map(powers.map((power) => [power.number, power]));
  return ofDemand.flatMap((rule) => {
    const own = devices.filter((device) => isAbout(rule.scope, device));
    return [...Map.groupBy(own, ({ siteId }) => siteId)].flatMap(([siteId, ofSite]): Finding[] => {
      const [first] = ofSite;
      if (first === undefined) return [];
      const counted = withoutSubMeters(ofSite, devices).filter(isCurrent);
      const known = counted.flatMap(({ number }) => byNumber.get(number) ?? []);
      const demand = known.length < counted.length ? null : forecastDemand(known, slotMs);
      const atMs = known.reduce((latest, { lastMs }) => Math.max(latest, lastMs), slotMs);
      const subject: AlarmSubject = { kind: 'site', id: siteId, name: first.siteName };
      const judged = judgeFigure(demand, rule.condition.limitKw, atMs);
      return [{ rule, subject, timeZone: first.timeZone, unit: 'kW', judged }];
    });
  });
}

/** Rejected rows count for this long; they are kept by the hour. */
const rejectedMs = 2 * 3_600_000;

async function findOfKeys({ tx, rules, nowMs }: Round, timeZone: string): Promise<Finding[]> {
  const ofDelivery = ofKind(rules, 'delivery');
  if (ofDelivery.length === 0) return [];
  const keys = await listUsedKeys(tx, new Date(nowMs - rejectedMs));
  return ofDelivery.flatMap((rule) =>
    keys.map(({ id, name, lastMs, accepted, rejected }): Finding => {
      const { silentSeconds, rejectedPercent } = rule.condition;
      const subject: AlarmSubject = { kind: 'apiKey', id, name };
      const isSilent = silentSeconds !== null && nowMs - lastMs > silentSeconds * 1000;
      if (isSilent || rejectedPercent === null) {
        const judged = judgeSilence(Math.min(lastMs, nowMs), null, nowMs, (silentSeconds ?? 0) * 1000);
        return { rule, subject, timeZone, unit: 's', judged };
      }
      const rows = accepted + rejected;
      if (rows === 0 && silentSeconds !== null) {
        return { rule, subject, timeZone, unit: 's', judged: judgeSince('good', lastMs, nowMs, () => 0) };
      }
      const percent = rows === 0 ? null : (100 * rejected) / rows;
      return { rule, subject, timeZone, unit: '%', judged: judgeFigure(percent, rejectedPercent, nowMs) };
    }),
  );
}

const portalSubject: AlarmSubject = { kind: 'portal', id: null, name: 'Portal' };

async function findOfPush({ tx, rules, nowMs }: Round, timeZone: string): Promise<Finding[]> {
  const ofPush = ofKind(rules, 'push');
  if (ofPush.length === 0) return [];
  const failures = await countPushFailures(tx);
  return ofPush.map((rule) => ({
    rule,
    subject: portalSubject,
    timeZone,
    unit: null,
    holdSeconds: rule.condition.failingSeconds,
    judged: judgeSince(failures > 0 ? 'bad' : 'good', nowMs, nowMs, () => failures),
  }));
}

type CustomerKind = 'customerSilent' | 'customerFailing' | 'customerNeverSent' | 'tokenGraceEnds';
const customerKinds: readonly AlarmKind[] = [
  'customerSilent',
  'customerFailing',
  'customerNeverSent',
  'tokenGraceEnds',
];

async function findOfCustomers({ tx, rules, nowMs }: Round, timeZone: string): Promise<Finding[]> {
  const ofCustomers = rules.filter((rule): rule is RuleOf<CustomerKind> => customerKinds.includes(rule.kind));
  if (ofCustomers.length === 0) return [];
  const customers = (await readSeenCustomers(tx)).filter(({ isActive }) => isActive);
  const findings: Finding[] = [];
  for (const rule of ofCustomers) {
    const ids = new Set(rule.scope.customerIds);
    const { groups = [] } = rule.scope;
    for (const customer of customers) {
      if (ids.size > 0 && !ids.has(customer.id)) continue;
      if (groups.length > 0 && !groups.includes(customer.group ?? '')) continue;
      const subject: AlarmSubject = { kind: 'customer', id: customer.id, name: customer.name };
      findings.push({ rule, subject, timeZone, unit: 's', judged: judgeByRule(rule, customer, nowMs) });
    }
    await yieldToOthers('alarms');
  }
  return findings;
}

type SeenCustomer = Awaited<ReturnType<typeof readSeenCustomers>>[number];
const hourMs = 3_600_000;
/** A customer still uses a token if it sent with it within this time before its last batch. */
const sameBatchMs = 120_000;

function judgeByRule(rule: RuleOf<CustomerKind>, customer: SeenCustomer, nowMs: number): Judged[] {
  const [seenMs, createdMs] = [millisOf(customer.lastSeenAt), Date.parse(customer.createdAt)];
  switch (rule.kind) {
    case 'customerSilent': {
      const { state, troubleSince, silentAfterSeconds } = judgeCustomer(customer, nowMs, rule.condition.factor);
      const sinceMs = millisOf(troubleSince);
      if (seenMs === null) return [];
      if (state !== 'silent' || sinceMs === null) return judgeSince('good', seenMs, nowMs, () => 0);
      return judgeSilence(sinceMs, null, nowMs, Math.min(silentAfterSeconds * 1000, nowMs - sinceMs - 1));
    }
    case 'customerFailing': {
      const { failure } = judgeCustomer(customer, nowMs);
      if (failure === null) return judgeSince('good', nowMs, nowMs);
      return judgeSince('bad', Date.parse(failure.since), nowMs);
    }
    case 'customerNeverSent':
      if (seenMs !== null) return judgeSince('good', seenMs, nowMs);
      return judgeSilence(createdMs, null, nowMs, rule.condition.afterHours * hourMs);
    case 'tokenGraceEnds': {
      const [endsMs, usedMs] = [millisOf(customer.previousTokenExpiresAt), millisOf(customer.previousTokenUsedAt)];
      const issuedMs = Date.parse(customer.tokenIssuedAt);
      const isUsed = usedMs !== null && usedMs >= issuedMs && (seenMs ?? usedMs) - usedMs < sameBatchMs;
      const beginsMs = (endsMs ?? 0) - rule.condition.hours * hourMs;
      if (endsMs === null || nowMs >= endsMs || nowMs < beginsMs || !isUsed) return judgeSince('good', nowMs, nowMs);
      return judgeSince('bad', Math.max(beginsMs, issuedMs), nowMs, (atMs) => (endsMs - atMs) / 1000);
    }
  }
}

const millisOf = (instant: string | null) => (instant === null ? null : Date.parse(instant));
