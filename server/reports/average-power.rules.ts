import { daysIn, type SiteRanges } from '../base/ranges.ts';
import { type JudgedDevice, knownSpan } from './data-quality.rules.ts';
import { microsPerHour, type RegisterSpan } from '../energy/energy.rules.ts';
import { addsUp } from '../rates/energy-totals.rules.ts';
import { mergeIntervals } from '../energy/energy-window.rules.ts';
import type { MicrosRange } from '../base/instants.ts';

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

/** The hours of a range in which the energy of a device is known. */
export const measuredHours = (range: MicrosRange, span: RegisterSpan, gaps: readonly MicrosRange[]): number =>
  knownParts(range, span, gaps).reduce((sum, part) => sum + part.toMicros - part.fromMicros, 0) / microsPerHour;

interface DeviceFlag {
  deviceNumber: number;
  kind: string;
  timeMicros: number;
  untilMicros: number | null;
}

interface KnownDevice extends Pick<JudgedDevice, 'rules' | 'spans'> {
  number: number;
  timeZone: string;
  countedIn: string | null;
}

interface Energy {
  importedKwh: number;
  exportedKwh: number;
}

/** What a device adds to the average power of all. */
export interface PowerPart {
  /** How much of a running range its site has had; null where that is all of it, be it an hour longer by its clock than elsewhere. */
  passedMicros: number | null;
  energy: Energy;
  known: readonly MicrosRange[];
}

/**
 * What each device that adds up has measured, and when its energy is known, relative to the start of its site's own days, so that for
 * the same dates a day in Tokyo and a day in New York count as one day. Takes the flags of the whole range.
 */
export function listPowerParts(
  devices: readonly KnownDevice[],
  ranges: SiteRanges,
  {
    flags,
    nowMicros,
    energyOf,
  }: { flags: readonly DeviceFlag[]; nowMicros: number; energyOf: (number: number) => Energy },
): PowerPart[] {
  const ofDevice = Map.groupBy(flags, (flag) => flag.deviceNumber);
  return devices.filter(addsUp).map((device) => {
    const { number, timeZone } = device;
    const { fromMicros, toMicros } = ranges.of(timeZone);
    const known = knownParts({ fromMicros, toMicros }, knownSpan(device), gapsIn(ofDevice.get(number)));
    const moved = known.map((part) => ({
      fromMicros: part.fromMicros - fromMicros,
      toMicros: part.toMicros - fromMicros,
    }));
    // Its own days may be cut.
    const endMicros = ranges.dates === null ? toMicros : daysIn(ranges.dates, timeZone).toMicros;
    const passedUntil = Math.min(toMicros, nowMicros);
    const passedMicros = passedUntil >= endMicros ? null : passedUntil - fromMicros;
    return { passedMicros, energy: energyOf(number), known: moved };
  });
}

/** The gaps among some flags. */
export const gapsIn = (flags: readonly DeviceFlag[] = []): MicrosRange[] =>
  flags.flatMap(({ kind, timeMicros, untilMicros }) =>
    kind === 'gap' && untilMicros !== null ? [{ fromMicros: timeMicros, toMicros: untilMicros }] : [],
  );

/**
 * The average power of devices together, kW: import minus export, divided by the time in which the energy of any of them is known.
 * Averages of devices that measured at different times must not be added; those of sites that have had different parts of their day are:
 * what is still to come is no time without power. Null if nothing is known.
 */
export function averagePowerKw(parts: readonly PowerPart[]): number | null {
  const averages = [...Map.groupBy(parts, ({ passedMicros }) => passedMicros).values()].flatMap((alike) => {
    const known = mergeIntervals(
      alike.flatMap((part) => part.known),
      0,
    );
    const micros = known.reduce((all, { fromMicros, toMicros }) => all + toMicros - fromMicros, 0);
    const kwh = alike.reduce((sum, { energy }) => sum + energy.importedKwh - energy.exportedKwh, 0);
    return micros === 0 ? [] : [(kwh * microsPerHour) / micros];
  });
  return averages.length === 0 ? null : averages.reduce((sum, kw) => sum + kw, 0);
}
