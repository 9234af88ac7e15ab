import type { ExportFormat } from '../../shared/exports.ts';
import type { ReadingsHead } from './export-readings.ts';
import { formatOffset, listOffsets, offsetsIn } from '../base/time-zones.ts';
import { quantities } from '../../shared/quantities.ts';
import type { ReadingColumns } from '../energy/reading-columns.sql.ts';
import type { Say } from './say.ts';
import { type Column, type Columns, serialOf, type Sheet } from '../workbook/sheet.ts';
import { clockOf, dateTime, instant, number, text } from './export-formats.ts';

/** A sheet of readings and its rows. */
export interface ReadingSheet {
  sheet: Sheet;
  toColumns: (readings: ReadingColumns) => Columns;
}

/**
 * Readings as a sheet. A workbook has local times, with the zone in the header (in a column of its own if there are several
 * zones), and the offset from UTC, which distinguishes the hour that autumn repeats; the plain formats have the fields of a
 * RawMeasurementRow with times in UTC.
 */
export function readingSheet(
  say: Say,
  format: ExportFormat,
  head: Pick<ReadingsHead, 'devices' | 'range'>,
): ReadingSheet {
  return format === 'xlsx' ? localSheet(say, head) : plainSheet(say, head);
}

function plainSheet(say: Say, { devices }: Pick<ReadingsHead, 'devices'>): ReadingSheet {
  const places = placesOf(say, devices);
  const columns = [{ header: say('Time'), field: 'time', format: instant }, ...places.columns, ...quantityColumns(say)];
  return {
    sheet: { name: say('Measurements'), columns },
    toColumns: ({ timeMicros, deviceNumber, quantities }) => [
      timeMicros,
      ...places.toColumns(deviceNumber),
      ...quantities,
    ],
  };
}

function localSheet(say: Say, { devices, range }: Pick<ReadingsHead, 'devices' | 'range'>): ReadingSheet {
  const places = placesOf(say, devices);
  const zones = [...new Set(devices.map((device) => device.timeZone))];
  const clocks = zones.map((timeZone) => offsetsIn(range, timeZone));
  const zoneOf = byNumber(devices, ({ timeZone }) => zones.indexOf(timeZone));
  const offsets = listOffsets(range, zones);
  const offsetNumbers = new Map(offsets.map((offset, at) => [offset, at]));
  const zoneColumn: Column[] =
    zones.length > 1 ? [{ header: say('Time zone'), field: 'timeZone', format: text, texts: zones }] : [];
  const columns: Column[] = [
    { header: say('Time', clockOf(say, devices, 'UTC')), field: 'time', format: dateTime },
    ...zoneColumn,
    ...places.columns,
    ...quantityColumns(say),
    { header: say('UTC offset'), field: 'utcOffset', format: text, texts: offsets.map(formatOffset) },
  ];
  return {
    sheet: { name: say('Measurements'), columns },
    toColumns({ timeMicros, deviceNumber, quantities }) {
      const zone = deviceNumber.map((number) => zoneOf[number] ?? 0);
      const offset = timeMicros.map((micros, at) => clocks[zone[at] ?? 0]?.(micros) ?? 0);
      return [
        timeMicros.map((micros, at) => serialOf(micros + (offset[at] ?? 0))),
        ...(zones.length > 1 ? [zone] : []),
        ...places.toColumns(deviceNumber),
        ...quantities,
        offset.map((micros) => offsetNumbers.get(micros) ?? Number.NaN),
      ];
    },
  };
}

/** The columns of site and device. */
function placesOf(say: Say, devices: ReadingsHead['devices']) {
  const siteNames = new Map(devices.map(({ siteId, siteName }) => [siteId, siteName]));
  const siteNumbers = new Map([...siteNames.keys()].map((siteId, at) => [siteId, at]));
  const deviceOf = byNumber(devices, (_, at) => at);
  const siteOf = byNumber(devices, ({ siteId }) => siteNumbers.get(siteId) ?? Number.NaN);
  const columns: Column[] = [
    { header: say('Device'), field: 'deviceName', format: text, texts: devices.map((device) => device.name) },
    { header: say('Site'), field: 'siteName', format: text, texts: [...siteNames.values()] },
  ];
  const toColumns = (deviceNumber: Float64Array<ArrayBuffer>): Columns => [
    deviceNumber.map((number) => deviceOf[number] ?? Number.NaN),
    deviceNumber.map((number) => siteOf[number] ?? Number.NaN),
  ];
  return { columns, toColumns };
}

/** A value of each device by its number. */
function byNumber(
  devices: ReadingsHead['devices'],
  valueOf: (device: ReadingsHead['devices'][number], at: number) => number,
): number[] {
  const values: number[] = [];
  for (const [at, device] of devices.entries()) values[device.number] = valueOf(device, at);
  return values;
}

/** With all stored decimals. */
const quantityColumns = (say: Say): Column[] =>
  quantities.map(({ name, label, unit, decimals, exportDecimals }) => ({
    header: say(label, unit),
    field: name,
    format: number(unit, exportDecimals, decimals - exportDecimals),
  }));
