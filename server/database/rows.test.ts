import { expect, it } from 'vitest';
import { noSpans, emptyEnergy, slotsPerDay } from '../energy/energy.rules.ts';
import { emptyStatistics } from '../energy/statistics.rules.ts';
import { listDevicesWithSites } from '../sites/devices.sql.ts';
import * as dirtyRanges from '../energy/dirty-ranges.sql.ts';
import * as energyDays from '../energy/energy-days.sql.ts';
import {
  deleteFlags,
  listFlags,
  replaceFlags,
  deleteFailures,
  listFailures,
  upsertFailure,
  deleteGaps,
  insertGaps,
  listGaps,
} from '../energy/energy-flags.sql.ts';
import { deleteOldestSums, findSums, insertSums, listWeekVersions } from '../energy/energy-sums.sql.ts';
import { listKnownIntervals, listNeighbours } from '../energy/energy-neighbours.sql.ts';
import { listReadings, listSilences, listSpansWithin } from '../energy/energy-readings.sql.ts';
import {
  countReadings,
  deleteOldestReadings,
  listChosenDevices,
  listLastTimes,
  listCurrentPower,
  listReadingsPage,
  listEnergyRules,
  findKeptFrom,
  listDirtyBefore,
  lockKeptMeasurements,
  lockOutReaders,
  setKeptFrom,
} from '../energy/measurements.sql.ts';
import type { Transaction } from './pool.ts';
import { readReadingColumns } from '../energy/reading-columns.sql.ts';
import { findSite, listSites } from '../sites/sites.sql.ts';
import { listTariffs } from '../rates/tariffs.sql.ts';

interface Sent {
  name?: string;
  text: string;
  values: readonly unknown[];
}

const endOfRows = Buffer.concat([Buffer.alloc(19), Buffer.from([0xff, 0xff])]);

/** Every statement of the energy store, as it is sent for a customer of the fleet or for the Client's own. */
async function sendAll(customerId: string | null): Promise<Sent[]> {
  const sent: Sent[] = [];
  const tx: Transaction = {
    customerId,
    query: async (statement, values = []) => {
      sent.push({ ...statement, values });
      return { rows: [], rowCount: 0 };
    },
    send: async (steps) => {
      for (const { name, text, values = [] } of steps) sent.push({ ...(name !== undefined && { name }), text, values });
      return steps.map(() => []);
    },
    copyOut: async (text) => {
      sent.push({ text, values: [] });
      return endOfRows;
    },
  };
  const interval = { deviceNumber: 7, fromMicros: 0, toMicros: 1 };
  const days = { deviceNumber: 7, fromDay: 1, toDay: 2 };
  const filter = { deviceNumbers: [7], fromDay: 1, toDay: 2 };
  const empty = { deviceNumber: 7, day: 1, ...emptyEnergy(slotsPerDay), statistics: emptyStatistics(slotsPerDay) };
  const spans = { any: { firstMicros: 0, lastMicros: 1 }, imported: null, exported: null, intervals: null };
  await energyDays.countSamples(tx, filter);
  await energyDays.countExactSamples(tx, [empty]);
  await energyDays.listEnergyDays(tx, { ...filter, statistics: { depth: 'all', days: [1] } });
  await energyDays.listExactDays(tx, [empty]);
  await energyDays.writeEnergyDays(tx, [empty, { ...empty, importedKwh: new Float64Array(slotsPerDay).fill(1) }]);
  await energyDays.deleteEnergyDays(tx, [days]);
  await listWeekVersions(tx, filter);
  await findSums(tx, ['00']);
  await insertSums(tx, [{ key: '00', sums: new Float64Array(1) }]);
  await deleteOldestSums(tx, 1);
  await replaceFlags(
    tx,
    [interval],
    [{ ...interval, timeMicros: 0, kind: 'gap', direction: 'both', untilMicros: null, kwh: null }],
  );
  await deleteFlags(tx, 7, 0);
  await listFlags(tx, [7], interval);
  await listGaps(tx, filter);
  await deleteGaps(tx, [days]);
  await insertGaps(tx, [{ ...days, importedKwh: 1, exportedKwh: 0 }]);
  await listFailures(tx, [7]);
  await upsertFailure(tx, { deviceNumber: 7, attempts: 1, sinceMicros: 0, retryMicros: 0 }, 'because');
  await deleteFailures(tx, [7]);
  await tx.send([dirtyRanges.insertDirtyRanges(tx, dirtyRanges.rangeColumns([interval]))]);
  await dirtyRanges.markStoredDaysDirty(tx, 7);
  await dirtyRanges.markMeasuredDaysDirty(tx, 7);
  await dirtyRanges.listDirtyRanges(tx, [interval], 1);
  await dirtyRanges.listDirtySpans(tx, [7]);
  await dirtyRanges.listDirtyDevices(tx, null, 1, 0);
  await dirtyRanges.listDirtyDevices(tx, [interval], 1, 0);
  await dirtyRanges.listReadingSpans(tx, [7]);
  await dirtyRanges.lockReadingSpans(tx, [7], { skip: true });
  await dirtyRanges.lockReadingSpans(tx, [7], { skip: false });
  await dirtyRanges.takeDirtyRanges(tx, [interval], { dirtyRanges: 1, days: 1 });
  await dirtyRanges.deleteDirtyRanges(tx, 7);
  await dirtyRanges.deleteReadingSpans(tx, 7);
  await dirtyRanges.updateReadingSpans(tx, new Map([[7, noSpans]]));
  await listReadings(tx, [interval]);
  await listSilences(tx, [interval]);
  await listSpansWithin(tx, [interval]);
  await listKnownIntervals(tx, [{ deviceNumber: 7, intervals: [interval, { fromMicros: 2, toMicros: 3 }], spans }]);
  await listNeighbours(tx, [{ ...interval, spans: { ...spans, imported: { firstMicros: -1, lastMicros: 2 } } }], 2);
  await listEnergyRules(tx, [7]);
  await deleteOldestReadings(tx, 7, 10);
  await listChosenDevices(tx, { devices: 'all' });
  await listLastTimes(tx, [7]);
  await listDevicesWithSites(tx);
  await listSites(tx);
  await findSite(tx, customer);
  await countReadings(tx, [7], interval);
  await listReadingsPage(tx, [7], interval, { limit: 1, offset: 0 });
  await readReadingColumns(tx, [7], interval, 1);
  await listCurrentPower(tx, [{ number: 7, afterMicros: 0 }], 1);
  await listTariffs(tx, null);
  await listDirtyBefore(tx, 0);
  await findKeptFrom(tx);
  await setKeptFrom(tx, 0);
  await lockKeptMeasurements(tx);
  await lockOutReaders(tx);
  return sent;
}

const customer = '018f4ad0-0000-7000-8000-00000000000a';
/** Of the whole database, not of a customer. */
const isOfAll = (text: string) => /^(?:SELECT .* FROM|INSERT INTO|LOCK TABLE) fleet\.retention/.test(text);

it("the Client's statements contain no customer", async () => {
  for (const { name = '', text, values } of await sendAll(null)) {
    expect(text).toContain('monitoring.');
    expect(text).not.toMatch(/fleet|customer/);
    expect(name).not.toContain('fleet');
    expect(values.length).toBe(lastParameter(text));
  }
});

it("the fleet's statements use only schema fleet, and each of their tables only with its customer", async () => {
  const sent = await sendAll(customer);
  expect(sent.length).toBe((await sendAll(null)).length);
  for (const { name, text, values } of sent) {
    expect(text).not.toContain('monitoring.');
    if (name !== undefined) expect(name).toMatch(/_fleet$/);
    expect(values.length).toBe(lastParameter(text));
    if (isOfAll(text)) continue;
    if (values.length > 0) expect(values.at(-1)).toBe(customer);
    const asked = values.length > 0 ? `$${values.length}::uuid` : `'${customer}'::uuid`;
    const countOf = (part: string) => text.split(part).length - 1;
    const tables = text.matchAll(/fleet\.(?!retention)\w+/g).toArray().length;
    const keys = countOf(`customer_id = ${asked} AND `) + countOf('(customer_id, ');
    const conflicts = countOf('ON CONFLICT (customer_id');
    expect({ text, keys: keys - conflicts }).toEqual({ text, keys: tables });
    expect({ text, values: countOf(`${asked}, `) }).toEqual({ text, values: countOf('INSERT INTO fleet.') });
  }
});

const lastParameter = (text: string) => Math.max(0, ...text.matchAll(/\$(\d+)/g).map(([, number]) => Number(number)));
