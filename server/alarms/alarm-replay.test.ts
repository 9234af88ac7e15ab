import { expect, test } from 'vitest';
import { type AlarmRule, clientAlarmRule } from '../../shared/alarms.ts';
import { formatInstant } from '../base/instants.ts';
import { type AlarmRow, changesOf, keyOf, type OpenAlarm, type ResolvedAlarm } from './alarm-changes.rules.ts';
import type { InstantOf, WatchedDevice } from './alarm-figures.sql.ts';
import {
  isAbout,
  judgeLimit,
  judgeSilence,
  minuteMs,
  offlineAfterMs,
  staleMsOf,
  withoutSubMeters,
} from './alarm-kinds.rules.ts';
import { findEpisodes, judgeDemand } from './alarm-previews.ts';
import type { Judged } from './alarm-states.rules.ts';
import { createDeviceFindings, type DeviceReads } from './device-findings.ts';

// Morocco puts its clocks back for Ramadan, so that both days are within 60: 10 March and 14 April 2024.
const timeZone = 'Africa/Casablanca';
const [fromMs, toMs] = [Date.parse('2024-02-25T00:00Z'), Date.parse('2024-04-25T00:00Z')];
const stepMs = 10 * minuteMs;
const everyMs = 5 * minuteMs;

interface Reading {
  atMs: number;
  activePowerKw: number;
  voltageV: number;
}

const deviceOf = (number: number, more: Partial<WatchedDevice> = {}): WatchedDevice => ({
  id: `00000000-0000-7000-8000-00000000000${number}`,
  number,
  name: `Meter ${number}`,
  siteId: number < 3 ? 'a0000000-0000-7000-8000-000000000000' : 'b0000000-0000-7000-8000-000000000000',
  siteName: number < 3 ? 'Works' : 'Office',
  parentDeviceId: null,
  endUse: number === 1 ? 'Cooling' : null,
  timeZone,
  expectedIntervalSeconds: 600,
  lastMs: null,
  ...more,
});
const main = deviceOf(1);
const devices = [main, deviceOf(2, { parentDeviceId: main.id }), deviceOf(3), deviceOf(4)];

/** A reading every ten minutes, with silences and days of another load; of device 2 some minutes later. */
function readingsOf({ number }: WatchedDevice): Reading[] {
  const readings: Reading[] = [];
  let seed = number * 7919;
  const chance = () => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648;
  for (let atMs = fromMs + number * minuteMs; atMs < toMs; atMs += stepMs) {
    if (chance() < 0.004) atMs += Math.floor(chance() * 60) * stepMs;
    if (atMs >= toMs) break;
    const day = Math.floor(atMs / 86_400_000);
    const activePowerKw = 10 + 8 * Math.sin(atMs / 9e6 + number) + chance() * 4 + (day % 9 === number ? 12 : 0);
    readings.push({ atMs, activePowerKw, voltageV: 230 + 25 * Math.sin(atMs / 5e7) + chance() });
  }
  return readings;
}
const readings = new Map(devices.map((device) => [device.number, readingsOf(device)]));

let made = 0;
const rule = (kind: string, condition: object, more: object = {}) => {
  made += 1;
  const id = `c0000000-0000-7000-8000-0000000000${String(made).padStart(2, '0')}`;
  return clientAlarmRule.parse({ id, name: `Rule ${made}`, kind, condition, ...more });
};
const night = [{ daysOfWeek: 127, startTime: '22:00', endTime: '06:00' }];
const aroundChange = [{ daysOfWeek: 127, startTime: '01:30', endTime: '03:30' }];
const power = (more: object) => ({ quantity: 'activePowerKw', ...more });
const rules: AlarmRule[] = [
  rule('offline', { afterSeconds: null }),
  rule('offline', { afterSeconds: 1_800 }, { durationSeconds: 600 }),
  rule('offline', { afterSeconds: 7_200 }, { schedule: night }),
  rule('offline', { afterSeconds: 3_600 }, { scope: { endUses: ['cooling'] } }),
  rule('offline', { afterSeconds: 900 }, { schedule: aroundChange }),
  rule('limit', power({ above: 18 })),
  rule('limit', power({ above: 18, hysteresis: 3 })),
  rule('limit', power({ above: 15 }), { durationSeconds: 3_600 }),
  rule('limit', power({ above: 15, hysteresis: 1 }), { durationSeconds: 1_200, schedule: night }),
  rule('limit', power({ above: 12 }), { schedule: aroundChange }),
  rule('limit', power({ below: 3 }), { durationSeconds: 900 }),
  rule('limit', power({ below: 4, above: 25 }), { scope: { siteIds: [main.siteId] } }),
  rule('limit', { quantity: 'voltageV', above: 253 }, { durationSeconds: 60 }),
  rule('limit', { quantity: 'voltageV', below: 207, hysteresis: 2 }),
  rule('limit', { quantity: 'voltageV', above: 250, below: 210 }, { durationSeconds: 7_200, severity: 'info' }),
  rule('demandForecast', { limitKw: 20 }),
  rule('demandForecast', { limitKw: 16 }, { durationSeconds: 240 }),
  rule('demandForecast', { limitKw: 30 }, { scope: { deviceIds: [deviceOf(3).id, deviceOf(4).id] } }),
  rule('demandForecast', { limitKw: 15 }, { schedule: night }),
  rule('demandForecast', { limitKw: 12 }, { schedule: aroundChange, durationSeconds: 600 }),
];

const isBetween = ({ atMs }: Reading, from: number, to: number) => atMs >= from && atMs <= to;
const milliwatts = (reading: Reading) => Math.round(reading.activePowerKw * 1e6);
const sumOf = (own: readonly Reading[]) => ({
  sum: own.reduce((all, one) => all + milliwatts(one), 0),
  count: own.length,
});

/** The readings that have arrived by now, instead of the database. */
function createReads(nowMs: () => number): DeviceReads<null> {
  const until = new Map(devices.map(({ number }) => [number, 0]));
  /** Those of the last days; each is asked for as soon as it has come. */
  const recent = (number: number) => {
    const own = readings.get(number) ?? [];
    let end = until.get(number) ?? 0;
    while ((own[end]?.atMs ?? Infinity) <= nowMs()) end += 1;
    until.set(number, end);
    return own.slice(Math.max(0, end - 150), end);
  };
  return {
    listWatchedDevices: async () =>
      devices.map((device) => ({ ...device, lastMs: recent(device.number).at(-1)?.atMs ?? null })),
    listReceived: async (_, asked) => [...asked],
    listFirstAfter: async (_, asked, untilMs) =>
      asked.flatMap(({ number, atMs }): InstantOf[] => {
        const first = recent(number).find((one) => one.atMs > atMs && one.atMs <= untilMs);
        return first === undefined ? [] : [{ number, atMs: first.atMs }];
      }),
    listNewValues: async (_, quantity, from, untilMs) =>
      from.flatMap(({ number, atMs }) =>
        recent(number)
          .filter((one) => isBetween(one, atMs, untilMs))
          .map((one) => ({
            number,
            atMs: one.atMs,
            value: quantity === 'voltageV' ? one.voltageV : one.activePowerKw,
          })),
      ),
    listRunningPower: async (_, from, { slotMs, recentMs, atMs }) =>
      from.flatMap(({ number, atMs: firstMs }) => {
        const own = recent(number).filter((one) => isBetween(one, firstMs, atMs - 1));
        const last = own.at(-1);
        const since = (ms: number) => sumOf(own.filter((one) => one.atMs >= ms));
        return last === undefined
          ? []
          : [{ number, lastMs: last.atMs, running: since(slotMs), recent: since(recentMs) }];
      }),
  };
}

const presented = ({ ruleId, subjectId, firingAtMs, resolvedAtMs, value }: Omit<AlarmRow, 'id'>) =>
  `${ruleId.slice(-2)} ${subjectId.slice(0, 1)}${subjectId.slice(-1)} ${formatInstant((firingAtMs ?? 0) * 1000)} ` +
  `${resolvedAtMs === null ? '' : formatInstant(resolvedAtMs * 1000)} ${value}`;

/** The live evaluation of some rules, every so often. */
async function replay(rules: readonly AlarmRule[], everyMs: number): Promise<string[]> {
  let nowMs = fromMs;
  const find = createDeviceFindings(createReads(() => nowMs));
  const open = new Map<string, OpenAlarm>();
  const resolved = new Map<string, ResolvedAlarm>();
  const fired = new Map<string, AlarmRow>();
  const byId = new Map(rules.map((one) => [one.id, one]));
  for (; nowMs < toMs; nowMs += everyMs) {
    const bySubject = new Map([...open.values()].map((alarm) => [`${alarm.ruleId} ${alarm.subjectId}`, alarm]));
    const openOf = (one: AlarmRule, id: string) => bySubject.get(`${one.id} ${id}`);
    const { findings, noteJudged } = await find({ tx: null, rules, openOf, nowMs });
    const judging = { findings, open: [...open.values()], resolved: [...resolved.values()], rules: byId, nowMs };
    const { rows, gone } = changesOf({ ...judging, newId: () => String((made += 1)) });
    for (const id of gone) for (const [key, alarm] of open) if (alarm.id === id) open.delete(key);
    for (const row of rows) {
      if (row.firingAtMs !== null) fired.set(row.id, row);
      if (row.resolvedAtMs === null) open.set(keyOf(row), { ...row, isAcknowledged: false, isEscalated: false });
      else {
        open.delete(keyOf(row));
        resolved.set(keyOf(row), { ...row, resolvedAtMs: row.resolvedAtMs });
      }
    }
    noteJudged();
  }
  return [...fired.values()].map(presented);
}

/** The verdicts of a preview over the same readings. */
function pastsOf(one: AlarmRule): { subjectId: string; judged: Judged[] }[] {
  const own = devices.filter((device) =>
    isAbout('endUses' in one.scope || 'siteIds' in one.scope || 'deviceIds' in one.scope ? one.scope : {}, device),
  );
  const of = ({ number }: WatchedDevice) => readings.get(number) ?? [];
  if (one.kind === 'offline') {
    return own.map((device) => {
      const afterMs = offlineAfterMs(one.condition.afterSeconds, device);
      const silences = of(device).map(({ atMs }, at, all) => ({ lastMs: atMs, nextMs: all[at + 1]?.atMs ?? null }));
      const long = silences.filter(({ lastMs, nextMs }) => nextMs === null || nextMs - lastMs > afterMs);
      const lastMs = toMs - everyMs;
      const judged = long.flatMap((each) => judgeSilence(each.lastMs, each.nextMs, each.nextMs ?? lastMs, afterMs));
      return { subjectId: device.id, judged };
    });
  }
  if (one.kind === 'limit') {
    const { quantity } = one.condition;
    return own.map((device) => {
      const values = of(device)
        .filter(({ atMs }) => atMs < toMs)
        .map((each) => ({ atMs: each.atMs, value: quantity === 'voltageV' ? each.voltageV : each.activePowerKw }));
      return { subjectId: device.id, judged: judgeLimit(values, one.condition, staleMsOf(device)) };
    });
  }
  if (one.kind !== 'demandForecast') return [];
  return [...Map.groupBy(own, ({ siteId }) => siteId)].map(([subjectId, ofSite]) => {
    const counted = withoutSubMeters(ofSite, devices);
    const minutes = counted.flatMap((device) =>
      [...Map.groupBy(of(device), ({ atMs }) => Math.floor(atMs / minuteMs))].map(([minute, all]) => ({
        number: device.number,
        minute,
        lastMs: all.at(-1)?.atMs ?? 0,
        ...sumOf(all),
      })),
    );
    return { subjectId, judged: judgeDemand(counted, minutes, one.condition.limitKw, { fromMs, untilMs: toMs }) };
  });
}

test('20 rules over 60 days with both changes of the clocks: the preview equals the live evaluation, event for event', async () => {
  const events: string[] = [];
  for (const one of rules) {
    const patience = { holdMs: one.durationSeconds * 1000, schedule: one.schedule, timeZone };
    for (const { subjectId, judged } of pastsOf(one)) {
      for (const episode of await findEpisodes([judged], patience)) {
        const shown = { ruleId: one.id, subjectId, subjectName: '', subjectKind: 'device', ruleName: '' } as const;
        const more = { kind: one.kind, severity: one.severity, snoozedUntilMs: null, unit: null };
        if (episode.firingAtMs !== null) events.push(presented({ ...shown, ...more, ...episode }));
      }
    }
  }
  const [ofDemand, others] = [true, false].map((isOfDemand) =>
    rules.filter(({ kind }) => (kind === 'demandForecast') === isOfDemand),
  );
  // The demand is judged each minute; the instants of the others follow from the readings.
  const live = [...(await replay(ofDemand ?? [], minuteMs)), ...(await replay(others ?? [], everyMs))].toSorted();
  expect(live).toEqual(events.toSorted());
  for (const one of rules) {
    expect(live.filter((event) => event.startsWith(`${one.id.slice(-2)} `)).length, one.name).toBeGreaterThan(2);
  }
}, 60_000);
