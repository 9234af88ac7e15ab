import { storable } from '../accounts/audit.rules.ts';
import { storedMessage } from '../base/errors.ts';
import { fromFixedUnits, milliOfKilo, type FixedUnits } from '../base/quantities.ts';
import type { RejectedRow } from './readings.rules.ts';

/** The latest row of a device in a request. */
export interface LatestRow {
  externalId: string;
  timeMicros: number;
  activePower: FixedUnits | null;
}

/** The result of the rows of one request. */
export interface Delivered {
  accepted: number;
  duplicates: number;
  rejected: number;
  /** The latest accepted row of each of the first external IDs in a request. */
  latest: readonly LatestRow[];
  /** The first rejected rows. */
  errors: readonly Omit<RejectedRow, 'index'>[];
}

export interface DeliveryTotals {
  deliveries: number;
  accepted: number;
  duplicates: number;
  rejected: number;
}

/** The rows that a sender sent within an hour, as counts. */
export interface DeliveryHour extends DeliveryTotals {
  sender: string;
  /** The start of the hour, epoch milliseconds. */
  hourMs: number;
}

/** A row as it arrived: the latest accepted row of an external ID, or the latest row that was rejected because of a field. */
export interface Arrival {
  sender: string;
  /** Empty if the row was rejected and had no external ID. */
  externalId: string;
  /** The field that caused the rejection; empty if the row was accepted. */
  field: string;
  receivedMs: number;
  reason: string | null;
  isKnown: boolean | null;
  /** Epoch microseconds. */
  timeMicros: number | null;
  activePowerKw: number | null;
}

/** The sender id of administrators with a session. */
export const someAdministrator = '00000000-0000-0000-0000-000000000000';

const hourMs = 3_600_000;
/** The maximum number of accepted rows, and of rejected rows, that are kept for each sender. The latest rows stay. */
const maxOfSender = 200;
/**
 * The maximum number of rows of all senders. Above it a new row replaces an older row of its sender. If there is none, the new
 * row is dropped.
 */
const maxOfAll = 5_000;
const maxIdLength = 201;
interface Accepted {
  row: LatestRow;
  receivedMs: number;
  isKnown: boolean;
}

interface OfSender {
  accepted: Map<string, Accepted>;
  rejected: Map<string, Arrival>;
}

/**
 * Collects arrivals in bounded memory until they are written to the database. Every request with readings passes through here,
 * so this class only stores and computes nothing.
 */
export class Arrivals {
  #hours = new Map<string, DeliveryHour>();
  readonly #senders = new Map<string, OfSender>();
  #size = 0;

  note(sender: string, nowMs: number, { accepted, duplicates, rejected, latest, errors }: Delivered): void {
    let hour = this.#hours.get(sender);
    if (hour === undefined || nowMs - hour.hourMs >= hourMs) {
      // A new hour has begun. The counts of the old hour move to another key, because the key of a sender stands for its newest
      // hour.
      if (hour !== undefined) this.#hours.set(`${sender} ${hour.hourMs}`, hour);
      const fresh = {
        sender,
        hourMs: nowMs - (nowMs % hourMs),
        deliveries: 0,
        accepted: 0,
        duplicates: 0,
        rejected: 0,
      };
      this.#hours.set(sender, (hour = fresh));
    }
    hour.deliveries += 1;
    hour.accepted += accepted;
    hour.duplicates += duplicates;
    hour.rejected += rejected;
    const own = this.#senders.getOrInsertComputed(sender, () => ({ accepted: new Map(), rejected: new Map() }));
    const isKnown = duplicates === accepted;
    for (const row of latest) this.#keep(own.accepted, row.externalId, { row, receivedMs: nowMs, isKnown });
    for (const { externalId, problem, timeMicros = null } of errors) {
      const { field = '' } = problem;
      const id = storable(externalId ?? '', maxIdLength);
      this.#keep(own.rejected, `${field} ${id}`, {
        sender,
        externalId: id,
        field,
        receivedMs: nowMs,
        reason: storedMessage(problem),
        isKnown: null,
        timeMicros,
        activePowerKw: null,
      });
    }
  }

  /** Takes out the notes that are to be written. Without `withAccepted`, accepted rows stay until someone looks at arrivals. */
  take(withAccepted: boolean): { hours: DeliveryHour[]; arrivals: Arrival[] } {
    const hours = [...this.#hours.values()];
    this.#hours = new Map();
    const arrivals: Arrival[] = [];
    for (const [sender, { accepted, rejected }] of this.#senders) {
      arrivals.push(...rejected.values());
      this.#size -= rejected.size;
      rejected.clear();
      if (!withAccepted) continue;
      for (const one of accepted.values()) arrivals.push(acceptedArrival(sender, one));
      this.#size -= accepted.size;
      this.#senders.delete(sender);
    }
    return { hours, arrivals };
  }

  #keep<Kept extends { receivedMs: number }>(kept: Map<string, Kept>, key: string, value: Kept): void {
    const before = kept.size;
    const isFull = before >= maxOfSender || this.#size >= maxOfAll;
    if (isFull && !kept.has(key)) {
      const oldest = oldestOf(kept);
      if (oldest === undefined) return;
      kept.delete(oldest);
    }
    kept.set(key, value);
    this.#size += kept.size - before;
  }
}

function oldestOf(kept: ReadonlyMap<string, { receivedMs: number }>): string | undefined {
  let oldest: string | undefined;
  let since = Infinity;
  for (const [key, { receivedMs }] of kept) if (receivedMs < since) [oldest, since] = [key, receivedMs];
  return oldest;
}

const acceptedArrival = (sender: string, { row, receivedMs, isKnown }: Accepted): Arrival => ({
  sender,
  externalId: storable(row.externalId, maxIdLength),
  field: '',
  receivedMs,
  reason: null,
  isKnown,
  timeMicros: row.timeMicros,
  activePowerKw: row.activePower === null ? null : fromFixedUnits(row.activePower, milliOfKilo),
});
