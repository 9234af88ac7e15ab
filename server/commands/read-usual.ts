import type { SiteRanges } from '../domain/asked-range.ts';
import { gapsIn, knownParts } from '../domain/average-power.ts';
import { knownSpan } from '../domain/data-quality.ts';
import { emptyEnergy } from '../domain/energy.ts';
import { dayMicros, energyColumns, slotsPerDay, type StoredDay } from '../domain/energy-day.ts';
import { addsUp } from '../domain/energy-totals.ts';
import type { MicrosRange } from '../domain/instants.ts';
import { runsOf } from '../domain/runs.ts';
import { createUsualZone, daysBeforeRange, planWeeks, type UsualMeasured } from '../domain/usual.ts';
import type { EnergySnapshot } from './read-energy.ts';

/** Days of devices read at once. */
const deviceDaysAtOnce = 2_000;

/**
 * What was usual before a range, by the time zones of the sites, and the devices that were not measured for long enough to tell.
 * Reads only the quarter-hours of the eight weeks before that correspond to some of the range: eight days for a single day, eight
 * weeks for a week or more. The snapshot must hold {@link daysBeforeRange}.
 */
export async function readUsual(snapshot: EnergySnapshot, ranges: SiteRanges) {
  const zones = new Map(
    [...new Set(snapshot.devices.map(({ timeZone }) => timeZone))].map((timeZone) => [
      timeZone,
      createUsualZone(planWeeks(ranges.of(timeZone), timeZone)),
    ]),
  );
  const before = daysBeforeRange(ranges.all);
  const days = new Set([...zones.values()].flatMap(({ weeks }) => weeks.days));
  const spans = [...runsOf(days)].map(({ first, end }) => ({ fromDay: first, toDay: end }));
  const measured = new Map(snapshot.measured.map((device) => [device.deviceNumber, device]));
  const isMeasuring = ({ number, timeZone }: EnergySnapshot['devices'][number]) =>
    (measured.get(number)?.spans.any?.lastMicros ?? -Infinity) >= ranges.of(timeZone).fromMicros - dayMicros;
  const devices = snapshot.devices.filter((device) => addsUp(device) && isMeasuring(device));
  const withoutUsual: string[] = [];
  await eachDevice(snapshot, { devices, spans, within: before }, ({ id, timeZone }, own) => {
    if (zones.get(timeZone)?.addDevice(own) !== true) withoutUsual.push(id);
  });
  return { profiles: new Map([...zones].map(([zone, usual]) => [zone, usual.close()])), withoutUsual };
}

type Device = EnergySnapshot['devices'][number];

export interface MeasuredDays {
  devices: readonly Device[];
  /** Ascending; what lies between them is not read, and empty. */
  spans: readonly { fromDay: number; toDay: number }[];
  /** Holds those days; the snapshot must hold it. */
  within: MicrosRange;
}

/** Calls back with the quarter-hours of each device over some days, and which are known; the arrays are reused. */
export async function eachDevice(
  snapshot: EnergySnapshot,
  { devices, spans, within }: MeasuredDays,
  work: (device: Device, measured: UsualMeasured) => void,
): Promise<void> {
  const [firstDay = 0, endDay = 0] = [spans[0]?.fromDay, spans.at(-1)?.toDay];
  const measured = new Map(snapshot.measured.map((device) => [device.deviceNumber, device]));
  const gapsOf = Map.groupBy(await snapshot.listFlags(within), (flag) => flag.deviceNumber);
  const daysOfEach = spans.reduce((sum, { fromDay, toDay }) => sum + toDay - fromDay, 0);
  const atOnce = Math.max(1, Math.floor(deviceDaysAtOnce / Math.max(1, daysOfEach)));
  const energy = emptyEnergy((endDay - firstDay) * slotsPerDay);
  for (let at = 0; at < devices.length; at += atOnce) {
    const some = devices.slice(at, at + atOnce);
    const deviceNumbers = some.map(({ number }) => number);
    const days: StoredDay[] = [];
    for (const span of spans) days.push(...(await snapshot.listDays({ deviceNumbers, ...span })));
    const byDevice = Map.groupBy(days, (day) => day.deviceNumber);
    for (const one of some) {
      const device = measured.get(one.number);
      for (const name of energyColumns) energy[name].fill(0);
      for (const day of byDevice.get(one.number) ?? []) day.fillEnergy(energy, (day.day - firstDay) * slotsPerDay);
      const known = device === undefined ? [] : knownParts(within, knownSpan(device), gapsIn(gapsOf.get(one.number)));
      work(one, { firstSlot: firstDay * slotsPerDay, energy, known });
    }
    await snapshot.yieldOrAbort();
  }
}
