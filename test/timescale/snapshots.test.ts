import { afterAll, beforeAll, expect, it } from 'vitest';
import { chooseEngine } from '../../server/database/engines/choose-engine.ts';
import { Database } from '../../server/database/pool.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';

let made: TestDatabase;
let database: Database;

beforeAll(async () => {
  made = await createTestDatabase();
  const first = new Database(made.connectionString);
  const log = { info: () => undefined, warn: () => undefined };
  await (await chooseEngine(first, { compressAfterDays: 7, now: Date.now, log })).prepare(first);
  await first.close();
  database = new Database(made.connectionString);
});
afterAll(async () => {
  await database.close();
  await made.drop();
});

const count = { text: 'SELECT count(*)::integer AS count FROM monitoring.measurements' };
const compress = `SELECT compress_chunk(c, true) FROM show_chunks('monitoring.measurements', older_than => timestamptz '2026-03-01Z') c`;

beforeAll(() =>
  database.query({
    text: `INSERT INTO monitoring.measurements (time, active_power_milliwatts, device_number)
           SELECT timestamptz '2026-01-01Z' + n * interval '1 minute', n, 1 FROM generate_series(0, 9999) n`,
  }),
);

// Compression that deletes instead (timescaledb.compress_truncate_behaviour) waits for nobody, and takes the rows out of the
// snapshot of a reader.
it('a chunk that is being read is not compressed: the rows stay in the snapshot', async () => {
  await database.snapshot(async (reader) => {
    expect((await reader.query(count)).rows).toEqual([{ count: 10_000 }]);
    const compressing = database.transaction(async (tx) => {
      await tx.query({ text: `SET LOCAL lock_timeout = 300` });
      await tx.query({ text: compress });
    });
    await expect(compressing).rejects.toThrow('busy');
    expect((await reader.query(count)).rows).toEqual([{ count: 10_000 }]);
  });
});

it('a read that began before a chunk is compressed, and reads it afterwards, sees its rows', async () => {
  await database.snapshot(async (reader) => {
    await reader.query({ text: 'SELECT FROM monitoring.devices' });
    await database.query({ text: compress });
    expect((await reader.query(count)).rows).toEqual([{ count: 10_000 }]);
  });
  expect((await database.query(count)).rows).toEqual([{ count: 10_000 }]);
});
