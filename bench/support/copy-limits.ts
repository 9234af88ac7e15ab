import { clientMeasurements } from '../../server/database/engines/engine.ts';
import { Database, type OpenTransaction } from '../../server/database/pool.ts';
import { inEnglish } from '../../server/base/errors.ts';
import { JudgedReadings } from '../../server/ingest/judged-readings.rules.ts';
import { judgeRow } from '../../server/ingest/readings.rules.ts';
import { SortedReadings } from '../../server/ingest/sorted-readings.rules.ts';
import { columnsBefore, columnsBehind, encodeCopy, layoutOf } from '../../server/ingest/ingest.sql.ts';
import { timed } from './measuring.ts';
import type { BenchRow } from './meter-rows.ts';

const names = (columns: readonly { name: string }[]) => columns.map(({ name }) => name).join(', ');
/** In the order of the columns of COPY. */
const columns = `time, ${names(columnsBefore)}, device_number, ${names(columnsBehind)}`;

/**
 * Binary COPY into the table itself, or into a temporary table with INSERT … ON CONFLICT DO NOTHING. `fleet` is the latter for
 * the table of the fleet, with one customer.
 */
export type Way = 'direct' | 'temporary' | 'fleet';

/** Encoded before the measurement. */
export function encodeBatches(batches: Iterable<readonly BenchRow[]>): Buffer[] {
  return Array.from(batches, (batch) => {
    const readings = judged(batch);
    const target = { layout: layoutOf(clientMeasurements), at: new Date(0) };
    return Buffer.concat([
      ...encodeCopy(
        readings,
        readings.positions(() => true),
        target,
      ),
    ]);
  });
}

/** Seconds that the database takes for batches, one transaction each, on a copy of the real table. */
export async function measureCopies(
  connectionString: string,
  { way, width, batches }: { way: Way; width: number; batches: readonly Buffer[] },
): Promise<number> {
  const database = new Database(connectionString, { maxConnections: width });
  await database.query({ text: 'DROP TABLE IF EXISTS bench_limit' });
  await database.query({
    text: `CREATE TABLE bench_limit (LIKE ${way === 'fleet' ? 'fleet' : 'monitoring'}.measurements INCLUDING ALL)`,
  });
  const store: Record<Way, (tx: OpenTransaction, bytes: Buffer) => Promise<unknown>> = {
    direct: (tx, bytes) =>
      tx.commit([{ text: `COPY bench_limit (${columns}) FROM STDIN (FORMAT binary)`, bytes: [bytes] }]),
    temporary: (tx, bytes) => tx.commit(overTemporary(bytes)),
    fleet: (tx, bytes) =>
      tx.commit(overTemporary(bytes, 'customer_id, received_at, ', `'00000000-0000-7000-8000-000000000001', now(), `)),
  };
  const seconds = await timed(batches.values(), width, (bytes) => database.transaction((tx) => store[way](tx, bytes)));
  await database.query({ text: 'DROP TABLE bench_limit' });
  await database.close();
  return seconds;
}

const overTemporary = (bytes: Buffer, names = '', values = '') => [
  {
    text: `CREATE TEMPORARY TABLE IF NOT EXISTS bench_incoming ON COMMIT DELETE ROWS AS SELECT ${columns} FROM bench_limit WITH NO DATA`,
  },
  { text: 'COPY bench_incoming FROM STDIN (FORMAT binary)', bytes: [bytes] },
  {
    text: `INSERT INTO bench_limit (${names}${columns}) SELECT ${values}${columns} FROM bench_incoming ON CONFLICT DO NOTHING`,
  },
];

function judged(rows: readonly BenchRow[]): SortedReadings {
  const readings = new JudgedReadings();
  for (const [index, row] of rows.entries()) {
    const verdict = judgeRow({ ...row }, index, Date.now() * 1000);
    if ('problem' in verdict) throw new Error(inEnglish(verdict.problem));
    readings.add(index, verdict.externalId, verdict);
  }
  const places = readings.externalIds.map((id) => ({ customerId: null, number: Number(id.split('-')[1]) }));
  const sorted = new SortedReadings([readings], places);
  const steps = readings.sorted();
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  const { order, starts } = step.value;
  for (const at of places.keys()) {
    for (const row of order.subarray(starts[at], starts[at + 1])) sorted.add(at, 0, row, true);
  }
  return sorted;
}
