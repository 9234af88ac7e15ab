import { beforeAll, describe, expect, inject, it } from 'vitest';
import { shares } from '../../server/base/budgets.ts';
import type { Database, Transaction } from '../../server/database/pool.ts';
import { listDueRows } from '../../server/push/push-outbox.sql.ts';
import { listWalkedRows } from '../../server/push/push-recording.sql.ts';
import { appOfFile } from '../support/app-of-file.ts';
import { createDevice, createSite } from '../support/sites.ts';

const start = Date.parse('2025-01-01T00:00:00Z') * 1000;
const dayMicros = 86_400_000_000;
const horizon = '2030-01-01T00:00:00Z';
const portal = appOfFile({ now: () => start / 1000 });
let database: Database;

// Entries of ten rows each, one transaction each, for some of twelve devices, over eight months.
beforeAll(async () => {
  database = portal.database.within(shares.background);
  const session = { app: portal.app, headers: await portal.signIn() };
  const siteId = await createSite(session);
  for (let device = 1; device <= 12; device += 1) await createDevice(session, siteId, { externalId: `m-${device}` });
  await portal.engine.ensurePartitions(
    database,
    Array.from({ length: 248 }, (_, at) => start + at * dayMicros),
  );
  await database.query({
    text: `INSERT INTO monitoring.measurements (time, active_power_milliwatts, device_number, received_at)
           SELECT timestamptz '2025-01-01Z' + n / 12 * interval '10 minutes', n, n % 12 + 1,
                  timestamptz '2025-06-01Z' + n / 120 * interval '1 second'
           FROM generate_series(0, 400000) n`,
  });
  if (inject('postgres').engine === 'timescale') {
    await database.query({
      text: `SELECT compress_chunk(c) FROM show_chunks('monitoring.measurements', older_than => timestamptz '2025-05-01Z') c`,
    });
  }
}, 120_000);

async function fillOutbox(entries: number): Promise<void> {
  await database.query({ text: 'TRUNCATE monitoring.push_outbox' });
  await database.query(
    {
      text: `INSERT INTO monitoring.push_outbox (received_at, row_count, device_numbers, from_micros, to_micros)
             SELECT timestamptz '2025-06-01Z' + n % 3000 * interval '1 second' + n / 3000 * interval '1 hour', 120,
                    array_agg(d), array_agg(f), array_agg(f + 5400000000)
             FROM generate_series(0, $1 - 1) n CROSS JOIN generate_series(1, 12) d
             CROSS JOIN LATERAL (SELECT ${start} + n % 3000 * 6000000000 AS f) r GROUP BY n ORDER BY n`,
    },
    [entries],
  );
  await database.query({ text: 'VACUUM (ANALYZE)' });
}

/** The plans of all statements, with actual rows. */
async function plansOf(work: (tx: Transaction) => Promise<unknown>): Promise<string[]> {
  const plans: string[] = [];
  const explain = async (tx: Transaction, query: string, values: readonly unknown[] = []) => {
    const text = `EXPLAIN (ANALYZE, BUFFERS, TIMING OFF) ${query}`;
    const { rows } = await tx.query<{ 'QUERY PLAN': string }>({ text }, values);
    plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
  };
  await database.snapshot((tx) =>
    work({
      ...tx,
      async query(statement, values) {
        await explain(tx, statement.text, values);
        return tx.query(statement, values);
      },
      async copyOut(text) {
        await explain(tx, /^COPY \((.*)\) TO STDOUT/s.exec(text)?.[1] ?? '');
        return tx.copyOut(text);
      },
    }),
  );
  return plans;
}

const blocksOf = (plan: string) =>
  [...(/Buffers: shared([^\n]*)/.exec(plan)?.[1] ?? '').matchAll(/(?:hit|read)=(\d+)/g)].reduce(
    (sum, [, blocks]) => sum + Number(blocks),
    0,
  );

describe('a batch of measurements', () => {
  it('is read by index and costs the same at a backlog of a thousand entries and of a hundred thousand', async () => {
    const costs: number[] = [];
    for (const entries of [1_000, 100_000]) {
      await fillOutbox(entries);
      const plans = await plansOf(async (tx) => {
        const due = await listDueRows(tx, horizon, 1_000);
        expect(due?.rows.count).toBe(1_000);
      });
      for (const plan of plans) expect(plan).not.toMatch(/Seq Scan on (measurements|_hyper)/);
      // At most a thousand entries are read.
      if (entries > 1_000) expect(plans.join('\n')).not.toMatch(/Seq Scan on push_outbox/);
      costs.push(plans.reduce((sum, plan) => sum + blocksOf(plan), 0));
    }
    const [few = 0, many = 0] = costs;
    expect(few).toBeGreaterThan(0);
    expect(many).toBeLessThan(few * 1.5 + 100);
  }, 120_000);

  it('rows stored before the recording are read by device and time', async () => {
    const position = { deviceNumber: 3, time: '2025-03-01T00:00:00Z' };
    const plans = await plansOf((tx) => listWalkedRows(tx, horizon, position, 500));
    for (const plan of plans) expect(plan).not.toMatch(/Seq Scan on (measurements|_hyper)/);
  });
});
