import type { ChosenDevice } from '../energy/measurements.sql.ts';
import { type AskedRange, lastDateOf, sharedZone } from '../base/ranges.ts';
import { formatInstant } from '../base/instants.ts';
import { chosenIds, chosenSites, type DeviceScope } from '../base/scopes.ts';
import type { ExportText } from './texts/de.ts';
import type { Say } from './say.ts';
import type { Cell, Part } from '../workbook/sheet.ts';
import { atClock, count, table, text } from './export-formats.ts';
import type { SignedIn } from '../http/guard.ts';

/** The contents of the sheet "About". */
export interface AboutExport {
  applicationName: string;
  /** The kind of data in the file. */
  content: ExportText;
  range: AskedRange;
  /** The zone for the range and the time of creation if the devices have several zones or none. */
  timeZone: string;
  /** Null if the file is not about devices. */
  devices: readonly Pick<ChosenDevice, 'name' | 'siteId' | 'siteName' | 'timeZone'>[] | null;
  /** The requested devices: all, or a selection. */
  scope: DeviceScope;
  madeAtMs: number;
  madeBy: Pick<SignedIn, 'displayName' | 'email'>;
  /** Further notes: property, value, detail. */
  notes: readonly (readonly Cell[])[];
}

/** The last sheet of every export, with what a person needs to know who was passed the file. */
export function aboutSheet(say: Say, about: AboutExport): Iterable<Part> {
  const { applicationName, content, madeAtMs, madeBy, range, notes } = about;
  const devices = about.devices ?? [];
  const zone = sharedZone(devices, about.timeZone);
  const zones = [...new Set(devices.map((device) => device.timeZone))].toSorted();
  const name = madeBy.displayName === '' ? madeBy.email : `${madeBy.displayName} (${madeBy.email})`;
  const rows: (readonly Cell[])[] = [
    [say('Application'), applicationName],
    [say('Content'), say(content)],
    ...rangeRows(say, range, zone, about.devices === null ? zone : say('local days of each site')),
    [say('Time zone'), zones.length > 1 ? say('that of each site') : zone, zones.length > 1 ? zones.join(', ') : null],
    [say('Made at', zone), atClock(madeAtMs * 1000, zone), formatInstant(madeAtMs * 1000)],
    [say('Made by'), name],
    ...notes,
    ...(about.devices === null ? [] : choiceRows(say, devices, about.scope)),
    ...devices.map((device): Cell[] => [say('Device'), device.name, device.siteName]),
  ];
  const columns = [say('Property'), say('Value'), say('Detail')].map(
    (header, at) => [header, text, (row: readonly Cell[]) => row[at] ?? null] as const,
  );
  return table(say('About'), columns, rows);
}

function choiceRows(
  say: Say,
  devices: readonly Pick<ChosenDevice, 'siteId' | 'siteName'>[],
  scope: DeviceScope,
): Cell[][] {
  const whole = new Set(chosenSites(scope));
  const sites = new Map(devices.map(({ siteId, siteName }) => [siteId, siteName]));
  return [
    [say('Devices'), { value: devices.length, format: count }, say(chosenIds(scope) === null ? 'all' : 'chosen')],
    ...[...sites]
      .filter(([id]) => whole.has(id))
      .map(([, name]): Cell[] => [say('Site'), name, say('with all its devices')]),
  ];
}

function rangeRows(
  say: Say,
  { dates, fromMicros, toMicros, untilMicros }: AskedRange,
  zone: string,
  days: string,
): Cell[][] {
  if (dates !== null) {
    return [
      [say('First day'), dates.fromDate, days],
      [say('Last day'), lastDateOf(dates), days],
      ...(untilMicros === undefined
        ? []
        : [[say('Counted until', zone), atClock(untilMicros, zone), formatInstant(untilMicros)]]),
    ];
  }
  return [
    [say('From', zone), atClock(fromMicros, zone), formatInstant(fromMicros)],
    [say('To, exclusive', zone), atClock(toMicros, zone), formatInstant(toMicros)],
  ];
}
