import {
  endRun,
  findDueRun,
  findNextPage,
  leavePage,
  readPage,
  type ReconcilePage,
  sendAgain,
} from './push-reconciliation.ts';
import { countDifferences, findOutboxLoad, listKnownDifferences } from './push-differences.sql.ts';
import { findReconciliation, type ReconcileRun, setRunFailed } from './push-reconciliation.sql.ts';
import { findRecording } from './push-recording.sql.ts';
import { formatInstant } from '../base/instants.ts';
import { compareDays, dayKey, type DifferingDay } from '../energy/day-checksums.rules.ts';
import { type FleetFailure, isWaiting, nextAttempt } from './fleet-answer.ts';
import type { Ending, PushParts } from './parts.ts';

/**
 * After a page the comparison rests three times as long as it took. So it uses at most a quarter of the time of either side.
 */
const usualRestFactor = 3;
/** While rows arrive fast, the comparison uses at most a tenth of the time, with one page a tick. */
const busyRestFactor = 9;
/** The longest time for comparisons in one tick, unless a single page takes longer. */
const maxTickMs = 2_000;
/** How often a page is read again if its days differ only because some rows are still on their way. */
const maxTries = 5;

/** What to do after a page: compare the next one, stop for now, or report a failure. */
type Step = { kind: 'next'; run: ReconcileRun } | { kind: 'wait' } | FleetFailure;
const wait: Step = { kind: 'wait' };

/**
 * Compares stored rows with those of the fleet, page by page, and sends again what differs (docs/adr/0045). Runs
 * between two pushes, so that the fleet's rows do not change during a comparison.
 */
export function createReconcile(parts: PushParts) {
  const { database, client, batchSize, intervalSeconds, now, restFactor = usualRestFactor, quietInMs } = parts;
  let restUntilMs = -Infinity;
  let tries = 0;

  const finish = async (run: ReconcileRun, { givenUp }: Ending): Promise<Step> => {
    const { comparedDays, resentDays } = run;
    const differingDays = await countDifferences(database);
    const found = {
      inStepUpTo: formatInstant(run.beganMicros),
      comparedDays,
      resentDays,
      differingDays,
      intervalSeconds,
    };
    const answer = await client.report(found, givenUp);
    if (answer.kind === 'failed') return answer;
    await endRun(database, run, now());
    return wait;
  };

  /**
   * The days that may still become equal. A day for which the fleet has fewer rows is sent each time: the fleet may have
   * rejected rows while its clock was wrong.
   */
  const isNews = async ({ deviceIds, range }: ReconcilePage) => {
    const known = new Map((await listKnownDifferences(database, deviceIds, range)).map((one) => [dayKey(one), one]));
    return (one: DifferingDay) => {
      const before = known.get(dayKey(one));
      if (before === undefined || (one.own?.count ?? 0) > (one.fleet?.count ?? 0)) return true;
      return before.ownChecksum !== (one.own?.checksum ?? '') || before.fleetChecksum !== (one.fleet?.checksum ?? '');
    };
  };

  const step = async (run: ReconcileRun, ending: Ending): Promise<Step> => {
    const page = await findNextPage(database, run);
    if (page === null) return finish(run, ending);
    const stored = await readPage(database.until(ending.givenUp), page);
    let [comparedDays, differing]: [number, DifferingDay[]] = [0, []];
    if (stored !== null) {
      const [fromDate, toDate] = [stored.range.fromMicros, stored.range.toMicros].map((micros) =>
        formatInstant(micros).slice(0, 10),
      );
      const asked = { fromDate: fromDate ?? '', toDate: toDate ?? '', deviceIds: page.deviceIds };
      const answer = await client.listDays(asked, ending.givenUp);
      if (answer.kind === 'failed') return answer;
      const compared = compareDays(stored.days, answer.days);
      comparedDays = compared.comparedDays;
      differing = compared.differing.filter((one) => !stored.pending.has(dayKey(one)));
      if (differing.length < compared.differing.length && tries < maxTries) {
        tries += 1;
        return wait;
      }
      tries = 0;
      if (page.before.resentToNumber === null) {
        const isNew = run.isRequested ? () => true : await isNews(page);
        const toSend = differing.filter((one) => one.own !== null && isNew(one));
        if (toSend.length > 0) {
          await sendAgain(database, page, toSend);
          return wait;
        }
      }
    }
    await leavePage(database, page, { comparedDays, differing });
    return { kind: 'next', run: { ...page.behind, comparedDays: page.behind.comparedDays + comparedDays } };
  };

  return async (ending: Ending): Promise<void> => {
    if (performance.now() < restUntilMs) return;
    const recording = await findRecording(database);
    if (recording === null || recording.walk !== null) return;
    const due = await findDueRun(database, now());
    if (due === null || isWaiting(due, parts)) return;
    const load = await findOutboxLoad(database);
    if (load.hasResends || load.rows > batchSize) return;
    const began = performance.now();
    let run: ReconcileRun = due;
    while (!ending.stopping.aborted) {
      const next = await step(run, ending);
      const elapsed = performance.now() - began;
      if (next.kind === 'failed') {
        const { failures = 0 } = (await findReconciliation(database)) ?? {};
        await setRunFailed(database, run.beganMicros, { error: next.error, ...nextAttempt(next, failures, parts) });
      }
      const isBusy = quietInMs() > 0;
      if (next.kind !== 'next' || elapsed > maxTickMs || isBusy) {
        restUntilMs = performance.now() + elapsed * (isBusy ? busyRestFactor : restFactor);
        return;
      }
      ({ run } = next);
    }
  };
}
