import type { AlarmRule, AlarmSubject } from '../../shared/alarms.ts';
import { dayMs } from '../base/instants.ts';
import { calendarRange, rangesOf, sameEverywhere, zonesOf } from '../base/ranges.ts';
import type { Database } from '../database/pool.ts';
import { wholeSpan } from '../energy/energy.rules.ts';
import { readEnergy } from '../energy/read-energy.ts';
import { stateCosts } from '../rates/cost-statement.rules.ts';
import { addsUp } from '../rates/energy-totals.rules.ts';
import { totalEnergy } from '../rates/total-energy.ts';
import { baseLoadDays } from '../reports/base-load.rules.ts';
import { readQuality } from '../reports/read-quality.ts';
import { readBaseLoad, readUsual } from '../reports/read-usual.ts';
import { daysBeforeRange } from '../reports/usual.rules.ts';
import { listWatchedDevices, type WatchedDevice } from './alarm-figures.sql.ts';
import { isAbout, judgeFigure } from './alarm-kinds.rules.ts';
import { listAlarmRules } from './alarm-rules.sql.ts';
import type { Judged } from './alarm-states.rules.ts';

/** The subject of a rule of one of the kinds below, and its last figure. */
export interface EnergyFinding {
  subject: AlarmSubject;
  timeZone: string;
  unit: string | null;
  judged: Judged[];
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** How often each kind is computed: as often as its figure can change noticeably. */
const everyMs = { dataQuality: 10 * minuteMs, unusual: 10 * minuteMs, budget: hourMs, baseLoad: 6 * hourMs } as const;
type EnergyKind = keyof typeof everyMs;
type EnergyRule = Extract<AlarmRule, { kind: EnergyKind }>;
type RuleOf<Kind extends EnergyKind> = Extract<AlarmRule, { kind: Kind }>;

const isEnergyRule = (rule: AlarmRule): rule is EnergyRule => rule.kind in everyMs;

interface Figures {
  /** The rule for which it was computed. */
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

/**
 * The report figures that rules need. They take long, so they are computed from time to time, one rule at a time and outside the
 * transaction of the evaluation, which uses the latest ones.
 */
export function createEnergyFigures(parts: FigureParts) {
  const known = new Map<string, Figures>();
  return {
    /** Computes the rule that has waited longest, if one is due. */
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
      const [first] = due;
      if (first === undefined) return;
      const { rule, asked } = first;
      const before = known.get(rule.id);
      const [atMs, last] = [now(), before?.asked === asked ? before.findings : []];
      // A figure that cannot be computed now is tried again when it is next due.
      known.set(rule.id, { asked, atMs, findings: last });
      const devices = (await listWatchedDevices(database)).filter((device) => isAbout(rule.scope, device));
      known.set(rule.id, { asked, atMs, findings: await findOf(parts, rule, devices, atMs) });
    },
    findingsOf: (rule: AlarmRule): readonly EnergyFinding[] => known.get(rule.id)?.findings ?? [],
  };
}

export type EnergyFigures = ReturnType<typeof createEnergyFigures>;

async function findOf(
  parts: FigureParts,
  rule: EnergyRule,
  devices: readonly WatchedDevice[],
  nowMs: number,
): Promise<EnergyFinding[]> {
  if (devices.length === 0) return [];
  if (rule.kind === 'dataQuality') return findQuality(parts, rule, devices, nowMs);
  if (rule.kind === 'budget') return [await findBudget(parts, rule, devices, nowMs)];
  const findings: EnergyFinding[] = [];
  for (const [siteId, own] of Map.groupBy(devices, (device) => device.siteId)) {
    const [first] = own;
    if (first === undefined) continue;
    const { siteName: name, timeZone } = first;
    const found =
      rule.kind === 'baseLoad'
        ? await judgeBaseLoad(parts, rule, own, nowMs)
        : await judgeUnusual(parts, rule, own, nowMs);
    findings.push({ subject: { kind: 'site', id: siteId, name }, timeZone, ...found });
  }
  return findings;
}

const scopeOf = (devices: readonly WatchedDevice[]) => ({ devices: devices.map(({ id }) => id) });

async function findQuality(
  { database, timeZone }: FigureParts,
  { condition: { missingPercent, anomalies } }: RuleOf<'dataQuality'>,
  devices: readonly WatchedDevice[],
  nowMs: number,
): Promise<EnergyFinding[]> {
  const range = { fromMicros: (nowMs - dayMs) * 1000, toMicros: nowMs * 1000 };
  const question = { scope: scopeOf(devices), range, isTolerant: true };
  const quality = await readEnergy(database, question, (snapshot) =>
    readQuality(snapshot, { ranges: sameEverywhere(range), timeZone, flagLimit: 0 }, nowMs * 1000),
  );
  return devices.map((device): EnergyFinding => {
    const subject: AlarmSubject = { kind: 'device', id: device.id, name: device.name };
    const own = quality.devices.get(device.number);
    const { missing = 0, measured = 0, interpolated = 0 } = own?.slots ?? {};
    const due = missing + measured + interpolated;
    const percent = due === 0 ? 0 : (100 * missing) / due;
    const count = anomalies.reduce((sum, kind) => sum + (own?.counts[kind] ?? 0), 0);
    const isMissing = missingPercent !== null && percent > missingPercent;
    const judged: Judged = {
      fromMs: nowMs,
      toMs: nowMs,
      verdict: isMissing || count > 0 ? 'bad' : 'good',
      valueAt: () => (isMissing ? percent : count),
    };
    return { subject, timeZone: device.timeZone, unit: isMissing ? '%' : null, judged: [judged] };
  });
}

async function judgeBaseLoad(
  { database }: FigureParts,
  { condition: { limitKw } }: RuleOf<'baseLoad'>,
  devices: readonly WatchedDevice[],
  nowMs: number,
) {
  const nowMicros = nowMs * 1000;
  const question = { scope: scopeOf(devices), range: baseLoadDays(nowMicros) };
  const { kw } = await readEnergy(database, question, (snapshot) =>
    readBaseLoad(snapshot, sameEverywhere({ fromMicros: nowMicros - 1, toMicros: nowMicros }), {
      nowMicros,
      isByDevice: false,
    }),
  );
  return { unit: 'kW', judged: judgeFigure(kw, limitKw, nowMs) };
}

/** A figure counts only if the devices have sent all readings for it: they may arrive this much later. */
const settledMs = 5 * minuteMs;
/** With fewer weeks there is no usual consumption. */
const minWeeks = 3;
/** A site that uses almost nothing differs by any percentage. */
const minUsualKwh = 0.1;

/** The last whole hour or day of a site, once it ended some minutes ago. */
function lastWhole(per: 'hour' | 'day', nowMs: number, timeZone: string) {
  const until = Temporal.Instant.fromEpochMilliseconds(nowMs - settledMs).toZonedDateTimeISO(timeZone);
  const end = per === 'day' ? until.startOfDay() : until.round({ smallestUnit: 'hour', roundingMode: 'floor' });
  const start = per === 'day' ? end.subtract({ days: 1 }) : end.subtract({ hours: 1 });
  return { fromMicros: start.epochMilliseconds * 1000, toMicros: end.epochMilliseconds * 1000 };
}

async function judgeUnusual(
  { database }: FigureParts,
  { condition: { percent, per } }: RuleOf<'unusual'>,
  devices: readonly WatchedDevice[],
  nowMs: number,
) {
  const timeZone = devices[0]?.timeZone ?? 'UTC';
  const range = lastWhole(per, nowMs, timeZone);
  const within = { fromMicros: daysBeforeRange(range).fromMicros, toMicros: range.toMicros };
  const deviation = await readEnergy(database, { scope: scopeOf(devices), range: within }, async (snapshot) => {
    const measuring = snapshot.devices.filter(addsUp);
    const isComplete = measuring.every(({ spans }) => (wholeSpan(spans)?.lastMicros ?? 0) >= range.toMicros);
    if (!isComplete) return null;
    const asked = { ...range, dates: null };
    const { energy } = await readUsual(snapshot, asked, { bucket: 'hour', timeZone, untilMicros: undefined });
    if (energy === null || energy.weekCount < minWeeks || energy.median < minUsualKwh) return null;
    const totals = await totalEnergy(snapshot, sameEverywhere(range));
    const kwh = totals.totalSites().reduce((sum, { priced }) => sum + priced.importedKwh, 0);
    return (100 * (kwh - energy.median)) / energy.median;
  });
  const atMs = range.toMicros / 1000;
  const judged = judgeFigure(deviation === null ? null : Math.abs(deviation), percent, atMs, 0);
  return { unit: '%', judged: judged.map((one) => ({ ...one, valueAt: () => deviation })) };
}

/** For a month that has just begun there is no forecast without usual consumption. */
const minElapsedMs = 3 * dayMs;

/** The cost of the month: the cost so far and, for the rest, the usual energy at the mean price so far. */
async function findBudget(
  { database, timeZone: ofPortal }: FigureParts,
  { scope, condition: { currency, amount } }: RuleOf<'budget'>,
  devices: readonly WatchedDevice[],
  nowMs: number,
): Promise<EnergyFinding> {
  const [first] = devices;
  const isOfSite = scope.siteIds?.length === 1 && first !== undefined;
  const timeZone = isOfSite ? first.timeZone : ofPortal;
  const subject: AlarmSubject = isOfSite
    ? { kind: 'site', id: first.siteId, name: first.siteName }
    : { kind: 'portal', id: null, name: 'Portal' };
  const today = Temporal.Instant.fromEpochMilliseconds(nowMs).toZonedDateTimeISO(timeZone).toPlainDate();
  const month = today.with({ day: 1 });
  const dates = { fromDate: month.toString(), toDate: month.add({ months: 1 }).toString() };
  const asked = calendarRange(dates);
  const nowMicros = nowMs * 1000;
  const within = {
    fromMicros: Math.min(asked.fromMicros, daysBeforeRange({ fromMicros: nowMicros, toMicros: nowMicros }).fromMicros),
    toMicros: asked.toMicros,
  };
  const forecast = await readEnergy(database, { scope: scopeOf(devices), range: within }, async (snapshot) => {
    const ranges = rangesOf(asked, zonesOf(snapshot.devices));
    const { fromMicros, toMicros } = ranges.of(timeZone);
    const sites = (await totalEnergy(snapshot, ranges)).totalSites();
    const cost = stateCosts(sites).costs.find((one) => one.currency === currency);
    if (cost === undefined) return null;
    const kwh = sites.reduce((sum, { priced }) => sum + priced.importedKwh, 0);
    const rest = { fromMicros: nowMicros, toMicros, dates: null };
    const usual =
      nowMicros < toMicros
        ? (await readUsual(snapshot, rest, { bucket: 'day', timeZone, untilMicros: undefined })).energy
        : null;
    const elapsedMs = (nowMicros - fromMicros) / 1000;
    const byTime = elapsedMs < minElapsedMs ? null : (kwh * (toMicros - nowMicros)) / 1000 / elapsedMs;
    const restKwh = usual === null || usual.weekCount < minWeeks ? byTime : usual.median;
    if (restKwh === null || kwh <= 0) return null;
    const net = cost.energyCost + cost.fixedCharge;
    const withVat = net === 0 ? cost.energyCost : cost.energyCost * (1 + cost.vat / net);
    return cost.total + (withVat * restKwh) / kwh;
  });
  return { subject, timeZone, unit: currency, judged: judgeFigure(forecast, amount, nowMs, 0.02) };
}
