import { removalLimits, type RemovalPreview, type RemovedKind } from '../../shared/removals.ts';
import { type Changing, makeChange } from '../accounts/audit.ts';
import { limiterOf } from '../base/budgets.ts';
import { found, refuse, refuseField } from '../base/errors.ts';
import { formatInstant, type MicrosRange } from '../base/instants.ts';
import { type CalendarDates, calendarRange, rangesOf, refuseTooLong, zonesOf } from '../base/ranges.ts';
import { LOCK_INGEST_SHARED } from '../database/ingest-lock.ts';
import type { Database, Transaction } from '../database/pool.ts';
import {
  type ChosenDevice,
  findKeptFrom,
  listChosenDevices,
  lockKeptMeasurements,
} from '../energy/measurements.sql.ts';
import { readEnergyWithin } from '../energy/read-energy.ts';
import { findAffected, findRemovable, type Removal, removeReadings } from '../energy/remove-readings.ts';
import { compareMonths, monthsOf, noPreview, presentPreview } from '../rates/previews.ts';
import { totalEnergy } from '../rates/total-energy.ts';
import { noLongerKept } from './readings.rules.ts';
import { recordRemoval } from './removals.sql.ts';

interface AskedRemoval extends MicrosRange {
  deviceId: string;
  kind: RemovedKind;
}

const { rows: maxRows, days: maxDays } = removalLimits;
/** The maximum number of days with dirty slots that are computed in memory. */
const maxDaysToCompute = 2_000;
const previews = limiterOf('previews');
const patienceMs = 15_000;

/**
 * Shows the effect of a removal. The removal is made, compared and rolled back in one transaction. Throws the same errors as
 * {@link removeFromDevice}, and `unavailable` while many slots of the device are still to be computed.
 */
export async function previewRemoval(
  database: Database,
  asked: AskedRemoval,
  accountId: string,
): Promise<RemovalPreview> {
  const tryOut = () =>
    database.transaction(
      async (tx) => {
        await lockKeptMeasurements(tx);
        const { device, removal } = await openRemoval(tx, asked);
        const rows = await findRemovable(tx, removal, maxRows);
        if (rows === null) return nothingRemoved;
        refuseTooMany(rows.count);
        const dates = monthsOf(await findAffected(tx, removal, rows), device.timeZone);
        const before = await readTotals(tx, device, dates);
        await tx.send([{ text: 'SAVEPOINT before_removal' }]);
        await removeReadings(tx, removal);
        const after = await readTotals(tx, device, dates);
        await tx.send([{ text: 'ROLLBACK TO SAVEPOINT before_removal' }]);
        const energy = (name: 'importedKwh' | 'exportedKwh') => ({
          before: before[0]?.priced[name] ?? 0,
          after: after[0]?.priced[name] ?? 0,
        });
        const last = asked.kind === 'readings' ? rows.toMicros - 1 : rows.toMicros;
        return {
          count: rows.count,
          firstAt: formatInstant(rows.fromMicros),
          lastAt: formatInstant(last),
          energyImportedKwh: energy('importedKwh'),
          energyExportedKwh: energy('exportedKwh'),
          costs: presentPreview(compareMonths(dates, before, after)),
        };
      },
      { opening: [{ text: 'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ' }] },
    );
  const patience = () => AbortSignal.timeout(patienceMs);
  return previews.run(tryOut, { key: accountId, signal: database.signal, patience });
}

const none = { before: 0, after: 0 };
const nothingRemoved: RemovalPreview = {
  count: 0,
  firstAt: null,
  lastAt: null,
  energyImportedKwh: none,
  energyExportedKwh: none,
  costs: presentPreview(noPreview),
};

/**
 * Removes all readings or intervals of a device in a range. If their number is not `expected` (the number that the preview
 * showed), nothing is removed. The slots are computed again, and the fleet removes the same rows. If a removed row is sent again, it counts
 * as new. Throws `notFound`; `invalid` if the range is too long, has too many rows or is before the kept readings; and
 * `conflict` if the number has changed.
 */
export async function removeFromDevice(changing: Changing, asked: AskedRemoval, expected: number): Promise<void> {
  await makeChange(changing, async (tx, recordChange) => {
    // Until the commit no device can be deleted, and no month can be removed by the retention.
    await tx.send([LOCK_INGEST_SHARED]);
    const { device, removal } = await openRemoval(tx, asked);
    const removed = await removeReadings(tx, removal, maxRows);
    refuseTooMany(removed);
    if (removed !== expected) throw refuse('removalChanged', { count: removed });
    await recordRemoval(tx, removal);
    const { kind, fromMicros, toMicros } = removal;
    await recordChange('device.remove-readings', {
      id: device.id,
      name: device.name,
      before: { kind, count: removed, startTime: formatInstant(fromMicros), endTime: formatInstant(toMicros) },
    });
  });
}

async function openRemoval(
  tx: Transaction,
  { deviceId, kind, fromMicros, toMicros }: AskedRemoval,
): Promise<{ device: ChosenDevice; removal: Removal }> {
  refuseTooLong({ fromMicros, toMicros, dates: null }, maxDays);
  const [stored = null] = await listChosenDevices(tx, { devices: [deviceId] });
  const device = found(stored, 'device');
  const keptFrom = await findKeptFrom(tx);
  if (fromMicros < keptFrom) throw refuseField('from', noLongerKept(fromMicros, keptFrom));
  return { device, removal: { deviceNumber: device.number, kind, fromMicros, toMicros } };
}

function refuseTooMany(count: number): void {
  if (count > maxRows) throw refuse('removalTooLarge', { max: maxRows }, { field: 'to' });
}

/** The totals of the device in some months, by month. */
async function readTotals(tx: Transaction, { id }: ChosenDevice, dates: CalendarDates) {
  const range = calendarRange(dates);
  const question = { scope: { devices: [id] }, range, maxDays: maxDaysToCompute, broken: new Set<number>() };
  const totals = await readEnergyWithin(tx, question, async (reader) => {
    const own = await totalEnergy(reader, rangesOf(range, zonesOf(reader.devices)), 'month');
    return own.totalSites();
  });
  if (totals === null) throw refuse('manyNewReadingsOfThese');
  return totals;
}
