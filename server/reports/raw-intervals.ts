import type { RawIntervalsPage } from '../../shared/intervals.ts';
import { type ExportFormat, maxProfileRows } from '../../shared/reports.ts';
import { refuse } from '../base/errors.ts';
import { formatInstant, isAny, listOffsets, type MicrosRange, offsetsIn } from '../base/instants.ts';
import { fromFixedUnits, milliOfKilo, type FixedUnits } from '../base/quantities.ts';
import { type AskedRange, rangesOf, zonesOf } from '../base/ranges.ts';
import type { DeviceScope } from '../base/scopes.ts';
import type { Database } from '../database/pool.ts';
import { countIntervals, listIntervalsPage, listNextIntervals, type StoredInterval } from '../energy/intervals.sql.ts';
import { type ChosenDevice, listChosenDevices } from '../energy/measurements.sql.ts';
import { type Column, type Columns, serialOf, type Sheet } from '../workbook/sheet.ts';
import { dateTime, instant, number, offsetColumn, text } from './export-formats.ts';
import { awake } from './export-readings.ts';
import type { Say } from './say.ts';

interface IntervalsAsked {
  scope: DeviceScope;
  range: AskedRange;
}

/** The devices, and the range in which the intervals of each begin: the site's own days if dates were requested. */
function placesOf(devices: readonly ChosenDevice[], range: AskedRange) {
  const ranges = rangesOf(range, zonesOf(devices));
  return devices.flatMap((device) => {
    const { fromMicros, toMicros } = ranges.of(device.timeZone);
    const asked = { deviceNumber: device.number, fromMicros, toMicros };
    return isAny(asked) ? [{ device, asked }] : [];
  });
}

const kwhOf = (units: FixedUnits | null) => (units === null ? null : fromFixedUnits(units, milliOfKilo));

/** One page of the intervals that begin in a range, newest first, then by device number. */
export const listRawIntervals = (
  database: Database,
  { scope, range }: IntervalsAsked,
  page: { limit: number; offset: number },
): Promise<RawIntervalsPage> =>
  database.snapshot(async (tx) => {
    const devices = await listChosenDevices(tx, scope);
    const asked = placesOf(devices, range).map((place) => place.asked);
    const totalCount = await countIntervals(tx, asked);
    const found = totalCount <= page.offset ? [] : await listIntervalsPage(tx, asked, page);
    const byNumber = new Map(devices.map((device) => [device.number, device]));
    const rows = found.map(({ deviceNumber, fromMicros, toMicros, imported, exported }) => ({
      from: formatInstant(fromMicros),
      to: formatInstant(toMicros),
      deviceName: byNumber.get(deviceNumber)?.name ?? '',
      siteName: byNumber.get(deviceNumber)?.siteName ?? null,
      importedKwh: kwhOf(imported),
      exportedKwh: kwhOf(exported),
    }));
    return { totalCount, ...page, rows };
  });

/** Known before the first interval is read. */
export interface IntervalsHead {
  rowCount: number;
  devices: readonly ChosenDevice[];
  /** From the start of the first interval to the end of the last possible one. */
  range: MicrosRange;
}

/** Some intervals of one device, ascending. */
interface IntervalRows {
  /** The position of the device among the devices. */
  device: number;
  intervals: readonly StoredInterval[];
}

const rowsAtOnce = 2_000;

/** Reads the intervals that begin in a range from one snapshot, one device after the other; see `exportReadings`. */
export const exportRawIntervals = (
  database: Database,
  { scope, range }: IntervalsAsked,
  open: (head: IntervalsHead) => Promise<(rows: IntervalRows) => Promise<void>>,
): Promise<IntervalsHead> =>
  database.snapshot(async (tx) => {
    const devices = await listChosenDevices(tx, scope);
    const places = placesOf(devices, range);
    const rowCount = await countIntervals(
      tx,
      places.map(({ asked }) => asked),
    );
    if (rowCount > maxProfileRows) {
      const field = range.dates === null ? 'to' : 'toDate';
      throw refuse('profileRowsOfDevices', { max: maxProfileRows, count: rowCount }, { field });
    }
    const { fromMicros, toMicros } = rangesOf(range, zonesOf(devices)).all;
    const head = { rowCount, devices, range: { fromMicros, toMicros: toMicros + longestMicros } };
    const take = await open(head);
    for (const { device, asked } of places) {
      const left = { ...asked };
      for (;;) {
        const intervals = await listNextIntervals(tx, left, rowsAtOnce);
        const last = intervals.at(-1);
        if (last === undefined) break;
        await awake(tx, take({ device: devices.indexOf(device), intervals }));
        left.fromMicros = last.toMicros;
      }
    }
    return head;
  });

const longestMicros = 366 * 86_400_000_000;

/** A workbook has local times with their offset in another column, the plain formats have the fields of a page with times in UTC. */
export function intervalSheet(
  say: Say,
  format: ExportFormat,
  { devices, range }: IntervalsHead,
  timeZone: string,
): { sheet: Sheet; toColumns: (rows: IntervalRows) => Columns } {
  const isLocal = format === 'xlsx';
  const offsets = listOffsets(range, [timeZone]);
  const offsetOf = offsetsIn(range, timeZone);
  const clock = isLocal ? timeZone : undefined;
  const time = isLocal ? dateTime : instant;
  const energy = number('kWh', 3, 3);
  const columns: Column[] = [
    { header: say('Start', clock), field: 'from', format: time },
    { header: say('End', clock), field: 'to', format: time },
    { header: say('Device'), field: 'deviceName', format: text, texts: devices.map(({ name }) => name) },
    { header: say('Site'), field: 'siteName', format: text, texts: devices.map(({ siteName }) => siteName) },
    { header: say('Import', 'kWh'), field: 'importedKwh', format: energy },
    { header: say('Export', 'kWh'), field: 'exportedKwh', format: energy },
    ...(isLocal ? [offsetColumn(say, offsets)] : []),
  ];
  return {
    sheet: { name: say('Intervals'), columns },
    toColumns({ device, intervals }) {
      const timeOf = (micros: number) => (isLocal ? serialOf(micros + offsetOf(micros)) : micros);
      const each = (pick: (interval: StoredInterval) => number) => Float64Array.from(intervals, pick);
      return [
        each(({ fromMicros }) => timeOf(fromMicros)),
        each(({ toMicros }) => timeOf(toMicros)),
        each(() => device),
        each(() => device),
        each(({ imported }) => kwhOf(imported) ?? Number.NaN),
        each(({ exported }) => kwhOf(exported) ?? Number.NaN),
        ...(isLocal ? [each(({ fromMicros }) => offsets.indexOf(offsetOf(fromMicros)))] : []),
      ];
    },
  };
}
