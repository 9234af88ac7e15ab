import { fleetIngestLimits } from '../../shared/push.ts';
import { about } from '../base/errors.ts';
import { LOCK_INGEST_SHARED } from '../database/ingest-lock.ts';
import type { Database } from '../database/pool.ts';
import { beginIntervals, type IntervalRequest, storeIntervals, withMore } from '../ingest/intervals.ts';
import { byDeviceId } from '../ingest/readings.rules.ts';
import { type Batch, type BatchOutcome, customerGone, storedEvent, tooMany } from './fleet-batches.ts';
import { batchOutcome, numberDevicesOf } from './fleet-ingest.ts';
import { findFleetDevices, numbersById } from './fleet-ingest.sql.ts';
import { recordBatches } from './ingest-events.sql.ts';

export interface FleetIntervalIngest {
  begin(batch: Batch): IntervalRequest<BatchOutcome>;
}

/**
 * The write path of pushed intervals. An interval replaces the stored intervals that it overlaps: a Client that was restored
 * from a backup may have pushed others before, and its present intervals are the truth.
 */
export function createFleetIntervalIngest({
  database,
  now,
}: {
  database: Database;
  /** Epoch milliseconds. */
  now: () => number;
}): FleetIntervalIngest {
  const { listedErrors: maxListed } = fleetIngestLimits;
  return {
    begin: (batch) =>
      beginIntervals({ rules: byDeviceId, now, maxListed }, async (rows, rejected) => {
        const { customerId } = batch;
        const at = new Date(now());
        const asked = [...new Set(rows.map(({ externalId }) => externalId))].map((id) => ({ customerId, id }));
        const opening = [LOCK_INGEST_SHARED, findFleetDevices(asked)];
        const own = database.forCustomer(customerId);
        for (let mayAdd = true; ; mayAdd = false) {
          const outcome = await own.transaction(
            async (tx, [, found = []]) => {
              const numbers = numbersById(asked, found);
              if (mayAdd && numbers.size < asked.length) return asked.filter(({ id }) => !numbers.has(id));
              const notFound = about('deviceId', tooMany('devices'));
              const stored = await storeIntervals(tx, rows, { numbers, notFound, at, replaces: true });
              const answer = batchOutcome({ ...stored, rejected: withMore(rejected, stored.rejected) });
              const isAny = stored.accepted > 0;
              const event = storedEvent(batch, answer, {
                at,
                fromMicros: isAny ? stored.fromMicros : null,
                toMicros: isAny ? stored.toMicros : null,
                newMeasurements: 0,
              });
              // This is last, because it locks the rows of customers.
              const [there = []] = await tx.send(recordBatches([event]));
              if (!there.some(([id]) => id === customerId)) throw customerGone();
              return answer;
            },
            { isIdempotent: true, opening },
          );
          if (!Array.isArray(outcome)) return outcome;
          await numberDevicesOf(database, outcome, at);
        }
      }),
  };
}
