import type { SiteRanges } from './asked-range.ts';
import { type JudgedDevice, knownSpan } from './data-quality.ts';
import { microsPerHour, type RegisterSpan } from './energy.ts';
import { addsUp } from './energy-totals.ts';
import { mergeIntervals } from './energy-window.ts';
import type { MicrosRange } from './instants.ts';

/** The parts of a range in which the energy of a device is known: between its first and its last reading, except its gaps. */
export function knownParts(range: MicrosRange, span: RegisterSpan, gaps: readonly MicrosRange[]): MicrosRange[] {
  if (span === null) return [];
  const end = Math.min(range.toMicros, span.lastMicros);
  let start = Math.max(range.fromMicros, span.firstMicros);
  const parts: MicrosRange[] = [];
  for (const gap of mergeIntervals(gaps, 0)) {
    parts.push({ fromMicros: start, toMicros: Math.min(end, gap.fromMicros) });
    start = Math.max(start, gap.toMicros);
  }
  parts.push({ fromMicros: start, toMicros: end });
  return parts.filter(({ fromMicros, toMicros }) => fromMicros < toMicros);
}

interface DeviceFlag {
  deviceNumber: number;
  kind: string;
  timeMicros: number;
  untilMicros: number | null;
}

interface KnownDevices {
  devices: readonly { number: number; timeZone: string; countedIn: string | null }[];
  measured: readonly (Pick<JudgedDevice, 'rules' | 'spans'> & { deviceNumber: number })[];
}

/**
 * When the energy of each device that adds up is known, relative to the start of its site's own days, so that for the same dates a
 * day in Tokyo and a day in New York count as one day. Takes the flags of the whole range.
 */
export function listKnownParts(
  { devices, measured }: KnownDevices,
  ranges: SiteRanges,
  flags: readonly DeviceFlag[],
): MicrosRange[] {
  const ofDevice = Map.groupBy(flags, (flag) => flag.deviceNumber);
  const zones = new Map(devices.filter(addsUp).map((device) => [device.number, device.timeZone]));
  return measured.flatMap((device) => {
    const zone = zones.get(device.deviceNumber);
    if (zone === undefined) return [];
    const own = ranges.of(zone);
    const known = knownParts(own, knownSpan(device), gapsIn(ofDevice.get(device.deviceNumber)));
    return known.map(({ fromMicros, toMicros }) => ({
      fromMicros: fromMicros - own.fromMicros,
      toMicros: toMicros - own.fromMicros,
    }));
  });
}

/** The gaps among some flags. */
export const gapsIn = (flags: readonly DeviceFlag[] = []): MicrosRange[] =>
  flags.flatMap(({ kind, timeMicros, untilMicros }) =>
    kind === 'gap' && untilMicros !== null ? [{ fromMicros: timeMicros, toMicros: untilMicros }] : [],
  );

/**
 * The average power of devices together, kW: import minus export, divided by the time in which the energy of any of them is known.
 * Averages of devices that measured at different times must not be added. Null if nothing is known.
 */
export function averagePowerKw(
  energy: { importedKwh: number; exportedKwh: number },
  known: readonly MicrosRange[],
): number | null {
  const micros = mergeIntervals(known, 0).reduce((all, { fromMicros, toMicros }) => all + toMicros - fromMicros, 0);
  return micros === 0 ? null : ((energy.importedKwh - energy.exportedKwh) * microsPerHour) / micros;
}
