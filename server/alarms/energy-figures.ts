import type { AlarmRule, AlarmSubject } from '../../shared/alarms.ts';
import { dayMicros, dayMs, type MicrosRange } from '../base/instants.ts';
import { calendarRange, cutAt, rangesOf, zonesOf } from '../base/ranges.ts';
import type { Database } from '../database/pool.ts';
import { dayOf, emptyEnergy, energyColumns, slotMicros, slotsPerDay, wholeSpan } from '../energy/energy.rules.ts';
import type { EnergyReader, SnapshotDevice } from '../energy/energy-reader.ts';
import { readEnergy } from '../energy/read-energy.ts';
import { stateCosts } from '../rates/cost-statement.rules.ts';
import { addsUp } from '../energy/device-tree.rules.ts';
import { totalEnergy } from '../rates/total-energy.ts';
import { baseLoadDays, createNightLoad, planNights } from '../reports/base-load.rules.ts';
import { gapsIn, knownParts, knownSpan } from '../energy/power.rules.ts';
import { judgeDevices } from '../reports/read-quality.ts';
import {
  createUsualZone,
  daysBeforeRange,
  planWeeks,
  usualEnergy,
  type UsualMeasured,
} from '../reports/usual.rules.ts';
import { listWatchedDevices, type WatchedDevice } from './alarm-figures.sql.ts';
import { isAbout, isGapAt, judgeFigure, judgeQuality, type SilentTime } from './alarm-kinds.rules.ts';
import { listAlarmRules } from './alarm-rules.sql.ts';
import type { Judged } from './alarm-states.rules.ts';

/** A subject of a rule of one of the kinds below, with its judged figures. */
export interface EnergyFinding {
  subject: AlarmSubject;
  timeZone: string;
  /** The unit of the newest figure. */
  unit: string | null;
  /** The unit of the figure at an instant. */
  unitAt: (atMs: number) => string | null;
  judged: Judged[];
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** A figure counts only if the devices have sent all readings for it: they may arrive this much later. */
const settledMs = 5 * minuteMs;
/** How often the figures of each kind are computed. They cover whole hours or days, so this is often enough. */
const everyMs = { dataQuality: 10 * minuteMs, unusual: 10 * minuteMs, budget: hourMs, baseLoad: hourMs } as const;
type EnergyKind = keyof typeof everyMs;
type ConditionOf<Kind extends EnergyKind> = Pick<Extract<AlarmRule, { kind: Kind }>, 'kind' | 'scope' | 'condition'>;
/** The conditions whose figures come from energy. */
export type EnergyCondition = { [Kind in EnergyKind]: ConditionOf<Kind> }[EnergyKind];

export const isEnergyRule = <Rule extends { kind: string }>(rule: Rule): rule is Rule & EnergyCondition =>
  rule.kind in everyMs;

interface Figures {
  /** The rule, as text, for which the figures were computed. */
  asked: string;
  atMs: number;
  findings: EnergyFinding[];
}

interface FigureParts {
  database: Database;
  /** The site of a figure if the rule covers more than one. */
  timeZone: string;
  /** Epoch milliseconds. */
  now: () => number;
}

/** Figures are computed for at most this long before other work gets its turn. */
const turnMs = 1_000;

/**
 * The report figures that rules need. Computing them takes long. So it happens only from time to time, one rule at a time, and
 * outside the transaction of the evaluation. The evaluation uses the latest figures.
 */
export function createEnergyFigures(parts: FigureParts) {
  const known = new Map<string, Figures>();
  return {
    /** Computes the rules that are due, those that have waited longest first, for about a second. */
    async refresh(): Promise<void> {
      const { database, now } = parts;
      const active = (await listAlarmRules(database)).filter(isEnergyRule).filter(({ isActive }) => isActive);
      for (const id of known.keys()) if (!active.some((rule) => rule.id === id)) known.delete(id);
      const due = active
        .map((rule) => ({ rule, asked: JSON.stringify([rule.kind, rule.scope, rule.condition]) }))
        .filter(({ rule, asked }) => {
          const last = known.get(rule.id);
          return last?.asked !== asked || now() - last.atMs >= everyMs[rule.kind];
        })
        .toSorted((a, b) => (known.get(a.rule.id)?.atMs ?? 0) - (known.get(b.rule.id)?.atMs ?? 0));
      const devices = due.length === 0 ? [] : await listWatchedDevices(database);
      const startedMs = performance.now();
      for (const { rule, asked } of due) {
        const before = known.get(rule.id);
        const [atMs, last] = [now(), before?.asked === asked ? before.findings : []];
        // If a figure cannot be computed now, the next attempt is made when the figure is next due.
        known.set(rule.id, { asked, atMs, findings: last });
        const [fromMs, toMs] = [atMs - 2 * dayMs, atMs - settledMs];
        const newest = (timeZone: string) => listSteps(rule, { fromMs, toMs }, timeZone).slice(-1);
        known.set(rule.id, { asked, atMs, findings: await judgeEnergy(parts, rule, devices, newest) });
        if (performance.now() - startedMs > turnMs) return;
      }
    },
    findingsOf: (rule: AlarmRule): readonly EnergyFinding[] => known.get(rule.id)?.findings ?? [],
  };
}

export type EnergyFigures = ReturnType<typeof createEnergyFigures>;

/**
 * The instants after `fromMs` up to `toMs` at which the figure of a rule is judged: the starts of hours or local days. So a
 * figure does not depend on when the portal computes it, and the past is judged like the present.
 */
export function listSteps(
  rule: EnergyCondition,
  { fromMs, toMs }: { fromMs: number; toMs: number },
  timeZone: string,
): number[] {
  const isHourly = rule.kind === 'dataQuality' || (rule.kind === 'unusual' && rule.condition.per === 'hour');
  const from = Temporal.Instant.fromEpochMilliseconds(fromMs).toZonedDateTimeISO(timeZone);
  const steps: number[] = [];
  let at = isHourly ? from.round({ smallestUnit: 'hour', roundingMode: 'floor' }) : from.startOfDay();
  for (; at.epochMilliseconds <= toMs; at = isHourly ? at.add({ hours: 1 }) : at.add({ days: 1 }).startOfDay()) {
    if (at.epochMilliseconds > fromMs) steps.push(at.epochMilliseconds);
  }
  return steps;
}

/** The figures of a rule at the steps of a time zone, ascending; by the readings up to each of them. */
export async function judgeEnergy(
  parts: Pick<FigureParts, 'database' | 'timeZone'>,
  rule: EnergyCondition,
  all: readonly WatchedDevice[],
  stepsIn: (timeZone: string) => readonly number[],
): Promise<EnergyFinding[]> {
  const devices = all.filter((device) => isAbout(rule.scope, device));
  const [first] = devices;
  if (first === undefined) return [];
  if (rule.kind === 'dataQuality') return findQuality(parts, rule, devices, stepsIn('UTC'));
  if (rule.kind === 'budget') {
    const isOfSite = rule.scope.siteIds?.length === 1;
    const timeZone = isOfSite ? first.timeZone : parts.timeZone;
    const subject: AlarmSubject = isOfSite
      ? { kind: 'site', id: first.siteId, name: first.siteName }
      : { kind: 'portal', id: null, name: 'Portal' };
    const judged = await judgeBudget(parts, rule, devices, { steps: stepsIn(timeZone), timeZone });
    const unit = rule.condition.currency;
    return [{ subject, timeZone, unit, unitAt: () => unit, judged }];
  }
  const findings: EnergyFinding[] = [];
  for (const [siteId, own] of Map.groupBy(devices, (device) => device.siteId)) {
    const { siteName: name, timeZone } = own[0] ?? first;
    const times = { steps: stepsIn(timeZone), timeZone };
    const judged =
      rule.kind === 'baseLoad'
        ? await judgeBaseLoad(parts, rule, own, times)
        : await judgeUnusual(parts, rule, own, times);
    const unit = rule.kind === 'baseLoad' ? 'kW' : '%';
    findings.push({ subject: { kind: 'site', id: siteId, name }, timeZone, unit, unitAt: () => unit, judged });
  }
  return findings;
}

const scopeOf = (devices: readonly WatchedDevice[]) => ({ devices: devices.map(({ id }) => id) });

interface Times {
  /** Epoch milliseconds, ascending. */
  steps: readonly number[];
  timeZone: string;
}

/** The range from the first to the last step. */
const rangeOf = (steps: readonly number[]): MicrosRange => ({
  fromMicros: (steps[0] ?? 0) * 1000,
  toMicros: (steps.at(-1) ?? 0) * 1000,
});

async function findQuality(
  { database }: Pick<FigureParts, 'database'>,
  { condition }: ConditionOf<'dataQuality'>,
  devices: readonly WatchedDevice[],
  steps: readonly number[],
): Promise<EnergyFinding[]> {
  if (steps.length === 0) return [];
  const { fromMicros, toMicros } = rangeOf(steps);
  const range = { fromMicros: fromMicros - dayMicros, toMicros };
  const question = { scope: scopeOf(devices), range, isTolerant: true };
  const slots = await readEnergy(database, question, async (snapshot) => {
    const flags = Map.groupBy(await snapshot.listFlags(range), (flag) => flag.deviceNumber);
    const judged = await judgeDevices(snapshot, () => range, flags, toMicros);
    return new Map(
      judged.map(({ device, states, firstSlot }) => {
        const own = flags.get(device.number) ?? [];
        return [device.number, { states, firstSlot, flags: own, device: silenceOf(device) }];
      }),
    );
  });
  return devices.map((device): EnergyFinding => {
    const subject: AlarmSubject = { kind: 'device', id: device.id, name: device.name };
    const own = slots.get(device.number);
    const judged = own === undefined ? [] : judgeQuality(own, condition, steps);
    const unitAt = (atMs: number) =>
      judged.findLast(({ verdict, fromMs }) => verdict === 'bad' && fromMs <= atMs)?.unit ?? null;
    return { subject, timeZone: device.timeZone, unit: judged.at(-1)?.unit ?? null, unitAt, judged };
  });
}

const silenceOf = ({ spans, rules }: SnapshotDevice) => ({
  lastMicros: wholeSpan(spans)?.lastMicros ?? -Infinity,
  rules,
});

/** The number of device-days that are read at once. */
const deviceDaysAtOnce = 2_000;

/** Calls back with the quarter-hours and gaps of each device in a range, one device at a time. The arrays are reused. */
async function eachDevice(
  snapshot: EnergyReader,
  within: MicrosRange,
  work: (device: SnapshotDevice, measured: UsualMeasured, gaps: readonly SilentTime[]) => void,
): Promise<void> {
  const flagsOf = Map.groupBy(await snapshot.listFlags(within), (flag) => flag.deviceNumber);
  const [fromDay, toDay] = [dayOf(within.fromMicros), dayOf(within.toMicros - 1) + 1];
  const energy = emptyEnergy((toDay - fromDay) * slotsPerDay);
  const devices = snapshot.devices.filter(addsUp);
  const atOnce = Math.max(1, Math.floor(deviceDaysAtOnce / (toDay - fromDay)));
  for (let at = 0; at < devices.length; at += atOnce) {
    const some = devices.slice(at, at + atOnce);
    const days = Map.groupBy(await snapshot.only(some).listDays({ fromDay, toDay }), (day) => day.deviceNumber);
    for (const device of some) {
      for (const name of energyColumns) energy[name].fill(0);
      for (const day of days.get(device.number) ?? []) day.fillEnergy(energy, (day.day - fromDay) * slotsPerDay);
      const flags = flagsOf.get(device.number) ?? [];
      const known = knownParts(within, knownSpan(device), gapsIn(flags));
      work(device, { firstSlot: fromDay * slotsPerDay, energy, known }, flags);
    }
    await snapshot.yieldOrAbort();
  }
}

/** The base load of a site at the start of each local day. */
async function judgeBaseLoad(
  { database }: Pick<FigureParts, 'database'>,
  { condition: { limitKw } }: ConditionOf<'baseLoad'>,
  devices: readonly WatchedDevice[],
  { steps, timeZone }: Times,
): Promise<Judged[]> {
  if (steps.length === 0) return [];
  const { fromMicros, toMicros } = rangeOf(steps);
  const range = { fromMicros: baseLoadDays(fromMicros).fromMicros, toMicros };
  const loads = steps.map((atMs) => ({ atMs, load: createNightLoad(planNights(atMs * 1000, timeZone)) }));
  await readEnergy(database, { scope: scopeOf(devices), range }, (snapshot) =>
    eachDevice(snapshot, range, ({ id }, measured) => {
      for (const { load } of loads) load.addDevice(measured, id);
    }),
  );
  return loads.flatMap(({ atMs, load }) => judgeFigure(load.close()?.kw ?? null, limitKw, atMs));
}

/** With fewer weeks of history, no usual consumption is computed. */
const minWeeks = 3;
/** Below this usual consumption no deviation counts: of almost nothing, any difference is a large percentage. */
const minUsualKwh = 0.1;

/** The energy of the hour or day before each step against the median of the weeks before its day. */
async function judgeUnusual(
  { database }: Pick<FigureParts, 'database'>,
  { condition: { percent, per } }: ConditionOf<'unusual'>,
  devices: readonly WatchedDevice[],
  { steps, timeZone }: Times,
): Promise<Judged[]> {
  if (steps.length === 0) return [];
  const patienceMicros = (per === 'day' ? dayMs : hourMs) * 1000;
  const asked = steps.map((atMs) => {
    const last = Temporal.Instant.fromEpochMilliseconds(atMs - 1).toZonedDateTimeISO(timeZone);
    const start = last.startOfDay();
    const day = {
      fromMicros: start.epochMilliseconds * 1000,
      toMicros: start.add({ days: 1 }).startOfDay().epochMilliseconds * 1000,
    };
    const fromMicros = per === 'day' ? day.fromMicros : (atMs - hourMs) * 1000;
    return { atMs, day, range: { fromMicros, toMicros: atMs * 1000 }, kwh: 0, isComplete: true };
  });
  const days = [...Map.groupBy(asked, ({ day }) => day.fromMicros).values()].flatMap((ofDay) => {
    const [first] = ofDay;
    return first === undefined ? [] : [{ ofDay, zone: createUsualZone(planWeeks(first.day, timeZone)) }];
  });
  const [firstDay] = asked;
  const range = {
    fromMicros: daysBeforeRange(firstDay?.day ?? rangeOf(steps)).fromMicros,
    toMicros: rangeOf(steps).toMicros,
  };
  await readEnergy(database, { scope: scopeOf(devices), range }, (snapshot) =>
    eachDevice(snapshot, range, (device, measured, gaps) => {
      const { lastMicros } = silenceOf(device);
      for (const { zone, ofDay } of days) {
        zone.addDevice(measured);
        for (const one of ofDay) {
          const { fromMicros, toMicros } = one.range;
          const from = Math.floor(fromMicros / slotMicros) - measured.firstSlot;
          const to = Math.floor(toMicros / slotMicros) - measured.firstSlot;
          for (let slot = from; slot < to; slot += 1) one.kwh += measured.energy.importedKwh[slot] ?? 0;
          if (lastMicros < toMicros || isGapAt(gaps, toMicros, patienceMicros)) one.isComplete = false;
        }
      }
    }),
  );
  return days.flatMap(({ zone, ofDay }) => {
    const profile = zone.close();
    return ofDay.flatMap(({ atMs, range: span, kwh, isComplete }) => {
      const usual = isComplete ? usualEnergy([profile], () => span) : null;
      const isKnown = usual !== null && usual.weekCount >= minWeeks && usual.median >= minUsualKwh;
      const deviation = isKnown ? (100 * (kwh - usual.median)) / usual.median : null;
      const judged = judgeFigure(deviation === null ? null : Math.abs(deviation), percent, atMs, 0);
      return judged.map((one) => ({ ...one, valueAt: () => deviation }));
    });
  });
}

/** Until the month is this old, there is no forecast unless the usual consumption is known. */
const minElapsedMs = 3 * dayMs;

/** The cost of the month at the start of each local day: the cost so far and, for the rest, the usual energy at the mean price so far. */
async function judgeBudget(
  { database }: Pick<FigureParts, 'database'>,
  { condition: { currency, amount } }: ConditionOf<'budget'>,
  devices: readonly WatchedDevice[],
  { steps, timeZone }: Times,
): Promise<Judged[]> {
  const monthOf = (atMs: number) =>
    Temporal.Instant.fromEpochMilliseconds(atMs - 1)
      .toZonedDateTimeISO(timeZone)
      .toPlainDate()
      .with({ day: 1 });
  const judged: Judged[] = [];
  for (const [fromDate, ofMonth] of Map.groupBy(steps, (atMs) => monthOf(atMs).toString())) {
    const month = monthOf(ofMonth[0] ?? 0);
    const asked = calendarRange({ fromDate, toDate: month.add({ months: 1 }).toString() });
    const { fromMicros, toMicros } = rangesOf(asked, []).of(timeZone);
    const { fromMicros: firstMicros, toMicros: lastMicros } = rangeOf(ofMonth);
    const within = {
      fromMicros: Math.min(asked.fromMicros, daysBeforeRange({ fromMicros: firstMicros, toMicros }).fromMicros),
      toMicros: Math.max(lastMicros, firstMicros + 1),
    };
    const forecasts = await readEnergy(database, { scope: scopeOf(devices), range: within }, async (snapshot) => {
      const zones = zonesOf(snapshot.devices);
      const plans = ofMonth.map((atMs) => {
        const rest = { fromMicros: atMs * 1000, toMicros };
        const usual = new Map([...new Set(zones)].map((zone) => [zone, createUsualZone(planWeeks(rest, zone))]));
        return { atMs, rest, usual: rest.fromMicros < toMicros ? usual : new Map() };
      });
      await eachDevice(snapshot, within, (device, measured, gaps) => {
        for (const { rest, usual } of plans) {
          const isSending = silenceOf(device).lastMicros >= rest.fromMicros - dayMicros;
          if (isSending && !isGapAt(gaps, rest.fromMicros - dayMicros, dayMicros))
            usual.get(device.timeZone)?.addDevice(measured);
        }
      });
      const found: { atMs: number; forecast: number | null }[] = [];
      for (const { atMs, rest, usual } of plans) {
        const sites = (await totalEnergy(snapshot, rangesOf(cutAt(asked, atMs * 1000), zones))).totalSites();
        const cost = stateCosts(sites).costs.find((one) => one.currency === currency);
        const kwh = sites.reduce((sum, { priced }) => sum + priced.importedKwh, 0);
        const profiles = [...usual.values()].map((one) => one.close());
        const elapsedMicros = atMs * 1000 - fromMicros;
        const share = (toMicros - fromMicros) / elapsedMicros;
        const usualRest = usualEnergy(profiles, () => rest);
        const byTime = elapsedMicros < minElapsedMs * 1000 && share > 1 ? null : kwh * (share - 1);
        const restKwh = usualRest === null || usualRest.weekCount < minWeeks ? byTime : usualRest.median;
        if (cost === undefined || restKwh === null || kwh <= 0) {
          found.push({ atMs, forecast: null });
          continue;
        }
        const net = cost.energyCost + cost.fixedCharge;
        const ofMonthNet = cost.energyCost * (1 + restKwh / kwh) + cost.fixedCharge * share;
        found.push({ atMs, forecast: net === 0 ? ofMonthNet : ofMonthNet * (1 + cost.vat / net) });
      }
      return found;
    });
    judged.push(...forecasts.flatMap(({ atMs, forecast }) => judgeFigure(forecast, amount, atMs, 0.02)));
  }
  return judged;
}
