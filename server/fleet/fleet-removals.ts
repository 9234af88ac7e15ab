import { fleetIngestLimits } from '../../shared/push.ts';
import { decodeIssue } from '../../shared/messages.ts';
import { fleetRemoval } from '../../shared/removals.ts';
import { about, message, refuse } from '../base/errors.ts';
import { parseInstant } from '../base/instants.ts';
import { LOCK_INGEST_SHARED } from '../database/ingest-lock.ts';
import type { Database } from '../database/pool.ts';
import { type Removal, removeReadings } from '../energy/remove-readings.ts';
import type { ListUpload } from '../ingest/list-upload.ts';
import { describe, takes } from '../ingest/readings.rules.ts';
import { type Batch, type BatchOutcome, customerGone, type RejectedRecord, storedEvent } from './fleet-batches.ts';
import { findFleetDevices, numbersById } from './fleet-ingest.sql.ts';
import { recordBatches } from './ingest-events.sql.ts';

type JudgedRemoval = Omit<Removal, 'deviceNumber'> & { deviceId: string };

export interface FleetRemovals {
  begin(batch: Batch): ListUpload<BatchOutcome>;
}

/**
 * Removes the rows that a Client has removed. Only its own devices are affected, because ids are looked up under the customer
 * of the token. A device that has sent nothing has nothing to remove. If a removal is repeated, the second one changes nothing
 * (docs/adr/0084).
 */
export function createFleetRemovals({
  database,
  now,
}: {
  database: Database;
  /** Epoch milliseconds. */
  now: () => number;
}): FleetRemovals {
  return {
    begin(batch) {
      const removals: JudgedRemoval[] = [];
      const rejected: RejectedRecord[] = [];
      let count = 0;
      return {
        judge(entries) {
          for (const entry of entries) {
            const verdict = judge(entry);
            if ('problem' in verdict) rejected.push({ index: count, ...verdict });
            else removals.push(verdict);
            count += 1;
            if (count <= fleetIngestLimits.removals) continue;
            throw refuse('manyRowsAtOnce', { count, max: fleetIngestLimits.removals });
          }
        },
        store: () => store(batch, removals, rejected),
      };
    },
  };

  async function store(
    batch: Batch,
    removals: readonly JudgedRemoval[],
    rejected: readonly RejectedRecord[],
  ): Promise<BatchOutcome> {
    const { customerId } = batch;
    const asked = [...new Set(removals.map(({ deviceId }) => deviceId))].map((id) => ({ customerId, id }));
    return database.forCustomer(customerId).transaction(
      async (tx, [, found = []]) => {
        const numbers = numbersById(asked, found);
        const own = removals.flatMap(({ deviceId, ...removal }) => {
          const deviceNumber = numbers.get(deviceId);
          return deviceNumber === undefined ? [] : [{ ...removal, deviceNumber }];
        });
        let readings = 0;
        // Locked in the order of their numbers, as everyone does.
        for (const removal of own.toSorted((a, b) => a.deviceNumber - b.deviceNumber)) {
          const removed = await removeReadings(tx, removal);
          if (removal.kind === 'readings') readings += removed;
        }
        const outcome = { accepted: removals.length, rejected: rejected.length, errors: rejected };
        const event = storedEvent(batch, outcome, {
          at: new Date(now()),
          fromMicros: removals.length === 0 ? null : Math.min(...removals.map(({ fromMicros }) => fromMicros)),
          toMicros: removals.length === 0 ? null : Math.max(...removals.map(({ toMicros }) => toMicros)),
          newMeasurements: -readings,
        });
        // This is last, because it locks the rows of customers.
        const [there = []] = await tx.send(recordBatches([event]));
        if (!there.some(([id]) => id === customerId)) throw customerGone();
        return outcome;
      },
      { isIdempotent: true, opening: [LOCK_INGEST_SHARED, findFleetDevices(asked)] },
    );
  }
}

function judge(entry: unknown): JudgedRemoval | Omit<RejectedRecord, 'index'> {
  const { data, error } = fleetRemoval.safeParse(entry);
  if (data === undefined) {
    const [issue] = error.issues;
    return { id: null, problem: about(issue?.path.join('.') || 'deviceId', decodeIssue(issue?.message ?? '')) };
  }
  const { deviceId, kind, from, to } = data;
  const [fromMicros, toMicros] = [parseInstant(from), parseInstant(to)];
  if (fromMicros === null || toMicros === null) {
    const field = fromMicros === null ? 'from' : 'to';
    return { id: deviceId, problem: takes(field, data[field], message('isoInstant')) };
  }
  if (toMicros <= fromMicros) {
    return { id: deviceId, problem: about('to', message('intervalReversed', { got: describe(to), from })) };
  }
  return { deviceId, kind, fromMicros, toMicros };
}
