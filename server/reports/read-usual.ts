import { type AskedRange, cutAt, rangesOf, sharedZone, type SiteRanges, zonesOf } from '../base/ranges.ts';
import { gapsIn, knownParts, knownSpan } from '../energy/power.rules.ts';
import { type BucketSize, siteEdges } from '../base/buckets.ts';
import { emptyEnergy, wholeSpan, energyColumns, slotsPerDay, type StoredDay } from '../energy/energy.rules.ts';
import { addsUp } from '../energy/device-tree.rules.ts';
import { dateAt, dayMicros, type MicrosRange, overlapOf } from '../base/instants.ts';
import {
  createUsualZone,
  daysBeforeRange,
  planWeeks,
  usualEnergy,
  type UsualMeasured,
  usualPower,
} from './usual.rules.ts';
import type { EnergyReader, SnapshotDevice } from '../energy/energy-reader.ts';
import type { Big } from 'big.js';
import { listTariffs } from '../rates/tariffs.sql.ts';
import { baseLoadNights, createNightLoad, planNights, yearlyCost } from './base-load.rules.ts';
import { minorDigits } from '../../shared/primitives.ts';
import { roundMoney, zero } from '../base/money.ts';
import { localDays } from '../rates/tariffs.rules.ts';

/** Days of devices read at once. */
const deviceDaysAtOnce = 2_000;

/**
 * Usual consumption in a range: power by bucket, energy, and energy up to an instant (null without data), and the
 * devices with too little data. Buckets use the time zone that the sites share, else the given one.
 */
export async function readUsual(
  snapshot: EnergyReader,
  range: AskedRange,
  { bucket, timeZone, untilMicros }: { bucket: BucketSize; timeZone: string; untilMicros: number },
) {
  const zonesOfSites = zonesOf(snapshot.devices);
  const ranges = rangesOf(range, zonesOfSites);
  const zone = sharedZone(snapshot.devices, timeZone);
  const edgesOf = siteEdges(ranges, bucket, zone);
  const { profiles, withoutUsual } = await readProfiles(snapshot, ranges);
  const [zones, all] = [[...profiles.keys()], [...profiles.values()]];
  const energyIn = (cut: SiteRanges) => usualEnergy(all, (at) => cut.of(zones[at] ?? 'UTC'));
  const edges = new Map(zones.map((one) => [one, edgesOf(one)]));
  const starts = edgesOf(zone).slice(0, -1);
  const bands = starts.map((_, index) =>
    usualPower(all, (at) => {
      const own = zones[at] ?? 'UTC';
      const [from = 0, to = 0] = edges.get(own)?.slice(index, index + 2) ?? [];
      return overlapOf({ fromMicros: from, toMicros: to }, ranges.of(own));
    }),
  );
  const energyUntil = energyIn(rangesOf(cutAt(range, untilMicros), zonesOfSites));
  return { ranges, starts, bands, energy: energyIn(ranges), energyUntil, withoutUsual };
}

/**
 * Usual consumption before a range, by the time zones of the sites, and the devices with too little data. Reads only
 * the quarter-hours of the eight weeks before that correspond to the range: eight days for a single day, eight weeks
 * for a week or more. The snapshot must hold {@link daysBeforeRange}.
 */
async function readProfiles(snapshot: EnergyReader, ranges: SiteRanges) {
  const zones = new Map(
    [...new Set(snapshot.devices.map(({ timeZone }) => timeZone))].map((timeZone) => [
      timeZone,
      createUsualZone(planWeeks(ranges.of(timeZone), timeZone)),
    ]),
  );
  const before = daysBeforeRange(ranges.all);
  const days = new Set([...zones.values()].flatMap(({ weeks }) => weeks.days));
  const spans = [...runsOf(days)].map(({ first, end }) => ({ fromDay: first, toDay: end }));
  const devices = snapshot.devices.filter(
    (device) => addsUp(device) && isMeasuring(device, ranges.of(device.timeZone).fromMicros),
  );
  const withoutUsual: string[] = [];
  await eachDevice(snapshot, { devices, spans, within: before }, ({ id, timeZone }, own) => {
    if (zones.get(timeZone)?.addDevice(own) !== true) withoutUsual.push(id);
  });
  return { profiles: new Map([...zones].map(([zone, usual]) => [zone, usual.close()])), withoutUsual };
}

/** Whether a device has sent within the day before an instant, or since. */
const isMeasuring = ({ spans }: SnapshotDevice, atMicros: number): boolean =>
  (wholeSpan(spans)?.lastMicros ?? -Infinity) >= atMicros - dayMicros;

interface MeasuredDays {
  devices: readonly SnapshotDevice[];
  /** Ascending; the days between them are not read, and empty. */
  spans: readonly { fromDay: number; toDay: number }[];
  /** Holds those days, which the snapshot must hold. */
  within: MicrosRange;
}

/** Calls back with the quarter-hours of each device over some days, and which of them are known; the arrays are reused. */
async function eachDevice(
  snapshot: EnergyReader,
  { devices, spans, within }: MeasuredDays,
  work: (device: SnapshotDevice, measured: UsualMeasured) => void,
): Promise<void> {
  const [firstDay = 0, endDay = 0] = [spans[0]?.fromDay, spans.at(-1)?.toDay];
  const gapsOf = Map.groupBy(await snapshot.listFlags(within), (flag) => flag.deviceNumber);
  const daysOfEach = spans.reduce((sum, { fromDay, toDay }) => sum + toDay - fromDay, 0);
  const atOnce = Math.max(1, Math.floor(deviceDaysAtOnce / Math.max(1, daysOfEach)));
  const energy = emptyEnergy((endDay - firstDay) * slotsPerDay);
  for (let at = 0; at < devices.length; at += atOnce) {
    const some = devices.slice(at, at + atOnce);
    const own = snapshot.only(some);
    const days: StoredDay[] = [];
    for (const span of spans) days.push(...(await own.listDays(span)));
    const byDevice = Map.groupBy(days, (day) => day.deviceNumber);
    for (const one of some) {
      for (const name of energyColumns) energy[name].fill(0);
      for (const day of byDevice.get(one.number) ?? []) day.fillEnergy(energy, (day.day - firstDay) * slotsPerDay);
      const known = knownParts(within, knownSpan(one), gapsIn(gapsOf.get(one.number)));
      work(one, { firstSlot: firstDay * slotsPerDay, energy, known });
    }
    await snapshot.yieldOrAbort();
  }
}

/**
 * The base load at the end of a range, on request also that of each device; each municipality has its own nights and tariff. The
 * snapshot must hold `baseLoadDays`.
 */
export async function readBaseLoad(
  snapshot: EnergyReader,
  ranges: SiteRanges,
  { nowMicros, isByDevice }: { nowMicros: number; isByDevice: boolean },
) {
  const devices = snapshot.devices.filter(addsUp);
  const endOf = (timeZone: string) => Math.min(ranges.of(timeZone).toMicros, nowMicros);
  const loads = new Map(
    devices.map(({ municipalityId, timeZone }) => {
      const nights = planNights(endOf(timeZone), timeZone);
      return [municipalityId, { timeZone, nights, load: createNightLoad(nights) }];
    }),
  );
  const byDevice: { device: SnapshotDevice; kw: number; nightCount: number }[] = [];
  const nights = [...loads.values()].map((own) => own.nights);
  const fromDay = Math.min(...nights.map((own) => own.fromDay));
  const toDay = Math.max(...nights.map((own) => own.toDay));
  if (nights.length > 0) {
    const within = { fromMicros: fromDay * dayMicros, toMicros: toDay * dayMicros };
    const read = { devices: isByDevice ? snapshot.devices : devices, spans: [{ fromDay, toDay }], within };
    await eachDevice(snapshot, read, (device, measured) => {
      const ofPlace = loads.get(device.municipalityId);
      if (addsUp(device)) ofPlace?.load.addDevice(measured, device.id);
      if (!isByDevice) return;
      const alone = createNightLoad(ofPlace?.nights ?? planNights(endOf(device.timeZone), device.timeZone));
      alone.addDevice(measured);
      const own = alone.close();
      if (own !== null) byDevice.push({ device, ...own });
    });
  }
  const tariffs = await listTariffs(snapshot.tx, [...loads.keys()]);
  const tariffOf = (municipalityId: string, timeZone: string) => {
    const day = { fromMicros: endOf(timeZone) - 1, toMicros: endOf(timeZone) };
    return localDays(day, timeZone, tariffs.get(municipalityId) ?? [])[0]?.tariff ?? null;
  };
  const lastNights = [...loads.values()]
    .map(({ timeZone }) => dateAt(endOf(timeZone) - 1, timeZone).toString())
    .toSorted();
  const leftOut = new Set<string>();
  const found = [...loads].flatMap(([municipalityId, { timeZone, load }]) => {
    const own = load.close();
    const all = devices.filter((one) => one.municipalityId === municipalityId).map(({ id }) => id);
    for (const id of own === null ? all : load.listLeftOut()) leftOut.add(id);
    return own === null ? [] : [{ ...own, tariff: tariffOf(municipalityId, timeZone) }];
  });
  const costs = new Map<string, Big>();
  let unpricedKw = 0;
  for (const { kw, tariff } of found) {
    if (tariff === null) unpricedKw += kw;
    else costs.set(tariff.currency, (costs.get(tariff.currency) ?? zero).plus(yearlyCost(tariff, kw)));
  }
  return {
    /** The base load of all municipalities together; null if none has enough nights. */
    kw: found.length === 0 ? null : found.reduce((sum, { kw }) => sum + kw, 0),
    /** Devices that measure, but not for long enough to be included. */
    leftOut: devices.filter((one) => leftOut.has(one.id) && isMeasuring(one, endOf(one.timeZone))),
    /** The fewest nights that one of them is based on. */
    nightCount: found.length === 0 ? 0 : Math.min(...found.map((own) => own.nightCount)),
    /** Local dates, over all zones; undefined without devices. */
    firstNight:
      lastNights[0] &&
      Temporal.PlainDate.from(lastNights[0])
        .subtract({ days: baseLoadNights - 1 })
        .toString(),
    lastNight: lastNights.at(-1),
    /** Devices with enough nights of their own, the highest first. */
    byDevice: byDevice
      .toSorted((a, b) => b.kw - a.kw)
      .map(({ device, kw, nightCount }) => {
        const tariff = tariffOf(device.municipalityId, device.timeZone);
        const perYear = tariff && roundMoney(yearlyCost(tariff, kw), minorDigits(tariff.currency));
        return { device, kw, nightCount, cost: tariff && perYear && { currency: tariff.currency, perYear } };
      }),
    /** The part that no cost includes, because no tariff is in force there. */
    unpricedKw,
    /** The cost per year, rounded, by currency in the order of the codes. */
    costs: new Map(
      [...costs]
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([currency, cost]) => [currency, roundMoney(cost, minorDigits(currency))]),
    ),
  };
}

/** Consecutive numbers, half-open. */
function runsOf(numbers: Iterable<number>): { first: number; end: number }[] {
  const runs: { first: number; end: number }[] = [];
  for (const number of [...numbers].toSorted((a, b) => a - b)) {
    const last = runs.at(-1);
    if (last?.end === number) last.end += 1;
    else runs.push({ first: number, end: number + 1 });
  }
  return runs;
}
