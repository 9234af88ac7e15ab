import type { ChosenDevice } from '../db/measurements.ts';
import { type AskedRange, lastDateOf } from '../domain/asked-range.ts';
import { formatInstant } from '../domain/instants.ts';
import { chosenIds, chosenSites, type DeviceScope } from '../domain/scopes.ts';
import type { Cell, Part } from '../export/sheet.ts';
import { atClock, count, table, text } from './export-formats.ts';
import type { SignedIn } from './guard.ts';
import { sharedZone } from './ranges.ts';

/** The contents of the sheet "About". */
export interface AboutExport {
  applicationName: string;
  /** The kind of data in the file. */
  content: string;
  range: AskedRange;
  /** The zone for the range and the time of creation if the devices have several zones or none. */
  timeZone: string;
  /** Null where the file is not about devices. */
  devices: readonly Pick<ChosenDevice, 'name' | 'siteId' | 'siteName' | 'timeZone'>[] | null;
  /** What was asked for: all of them, or what somebody chose. */
  scope: DeviceScope;
  madeAtMs: number;
  madeBy: Pick<SignedIn, 'displayName' | 'email'>;
  /** Further notes: property, value, detail. */
  notes: readonly (readonly Cell[])[];
}

/** The last sheet of every export: what somebody needs to know who received the file from somebody else. */
export function aboutSheet(about: AboutExport): Part[] {
  const { applicationName, content, madeAtMs, madeBy, range, notes } = about;
  const devices = about.devices ?? [];
  const zone = sharedZone(devices, about.timeZone);
  const zones = [...new Set(devices.map((device) => device.timeZone))].toSorted();
  const name = madeBy.displayName === '' ? madeBy.email : `${madeBy.displayName} (${madeBy.email})`;
  const rows: (readonly Cell[])[] = [
    ['Application', applicationName],
    ['Content', content],
    ...rangeRows(range, zone, about.devices === null ? zone : 'local days of each site'),
    ['Time zone', zones.length > 1 ? 'that of each site' : zone, zones.length > 1 ? zones.join(', ') : null],
    [`Made at (${zone})`, atClock(madeAtMs * 1000, zone), formatInstant(madeAtMs * 1000)],
    ['Made by', name],
    ...notes,
    ...(about.devices === null ? [] : choiceRows(devices, about.scope)),
    ...devices.map((device): Cell[] => ['Device', device.name, device.siteName]),
  ];
  const columns = ['Property', 'Value', 'Detail'].map(
    (header, at) => [header, text, (row: readonly Cell[]) => row[at] ?? null] as const,
  );
  return table('About', columns, rows);
}

function choiceRows(devices: readonly Pick<ChosenDevice, 'siteId' | 'siteName'>[], scope: DeviceScope): Cell[][] {
  const whole = new Set(chosenSites(scope));
  const sites = new Map(devices.map(({ siteId, siteName }) => [siteId, siteName]));
  return [
    ['Devices', { value: devices.length, format: count }, chosenIds(scope) === null ? 'all' : 'chosen'],
    ...[...sites].filter(([id]) => whole.has(id)).map(([, name]): Cell[] => ['Site', name, 'with all its devices']),
  ];
}

function rangeRows({ dates, fromMicros, toMicros }: AskedRange, zone: string, days: string): Cell[][] {
  if (dates !== null) {
    return [
      ['First day', dates.fromDate, days],
      ['Last day', lastDateOf(dates), days],
    ];
  }
  return [
    [`From (${zone})`, atClock(fromMicros, zone), formatInstant(fromMicros)],
    [`To, exclusive (${zone})`, atClock(toMicros, zone), formatInstant(toMicros)],
  ];
}
