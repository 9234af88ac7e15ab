import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, Statement } from '../../server/database/pool.ts';
import { abortDownload } from './downloads.ts';
import { type Asked, exportPath } from './export-downloads.ts';
import { latencyOf } from './measuring.ts';
import type { BenchPortal } from './portal.ts';
import { count, head, judged, line, milliseconds } from './report.ts';

const runs = 7;
const stopsWithinMs = 1_000;
const patienceMs = 30_000;
const lookEachMs = 1;
/** More than all buffers between database and client, so that the export waits in its transaction. */
const restMs = 1_500;

const LIST_TRANSACTIONS = {
  text: `SELECT pid || ' ' || xact_start AS "transaction" FROM pg_stat_activity
         WHERE datname = current_database() AND xact_start IS NOT NULL AND pid <> pg_backend_pid()`,
};
// Only exports read readings with their reactive power.
const LIST_EXPORTS = { text: `${LIST_TRANSACTIONS.text} AND query LIKE '%reactive_power_millivars%'` };

/** Aborts downloads in the middle, and prints how long their queries stay in the database. */
export async function measureAborts(portal: BenchPortal, asked: Asked): Promise<void> {
  head(
    'a download that is given up | downloads: | until its transaction is over, median ms: | worst ms: | mark | holds',
  );
  const { database } = portal;
  const path = exportPath(asked, 'xlsx');
  for (const [what, waitMs] of [
    ['while its rows are read', 0],
    ['after nobody has taken anything for a while', restMs],
  ] as const) {
    const taken: number[] = [];
    for (let run = 1; run <= runs; run += 1) {
      let found: string[] = [];
      const abortedAt = await abortDownload(portal, path, {
        afterBytes: run * 500_000,
        async inTheMiddle() {
          await sleep(waitMs);
          found = await list(database, LIST_EXPORTS);
          if (found.length !== 1) throw new Error(`${found.length} exports are under way, was one.`);
        },
      });
      while ((await list(database, LIST_TRANSACTIONS)).some((transaction) => found.includes(transaction))) {
        if (performance.now() - abortedAt > patienceMs) {
          throw new Error('An export went on after its download was given up.');
        }
        await sleep(lookEachMs);
      }
      taken.push(performance.now() - abortedAt);
    }
    const { median, worst } = latencyOf(taken);
    const verdict = judged(`< ${count(stopsWithinMs)} ms`, worst < stopsWithinMs);
    line(what, taken.length, milliseconds(median), milliseconds(worst), ...verdict);
  }
}

async function list(database: Database, statement: Statement): Promise<string[]> {
  const { rows } = await database.query<{ transaction: string }>(statement);
  return rows.map(({ transaction }) => transaction);
}
