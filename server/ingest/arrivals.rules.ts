import { storable } from '../accounts/audit.rules.ts';
import { storedMessage } from '../base/errors.ts';
import { fromFixedUnits, milliOfKilo, type FixedUnits } from '../base/quantities.ts';
import type { RejectedRow } from './readings.rules.ts';

/** The latest row of a device in a delivery. */
export interface LatestRow {
  externalId: string;
  timeMicros: number;
  activePower: FixedUnits | null;
}

/** What became of the rows of one delivery. */
export interface Delivered {
  accepted: number;
  duplicates: number;
  rejected: number;
  /** The latest accepted row of each external ID among the first of a delivery. */
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

/** What a sender delivered within an hour. */
export interface DeliveryHour extends DeliveryTotals {
  sender: string;
  /** The start of the hour, epoch milliseconds. */
  hourMs: number;
}

/** A row as it arrived: the latest accepted one of an external id, or the latest that was rejected for a field. */
export interface Arrival {
  sender: string;
  /** Empty if a rejected row had none. */
  externalId: string;
  /** The field for which it was rejected; empty if it was accepted. */
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
/** The most accepted rows, and the most rejected rows, that are kept of a sender at a time; the latest stay. */
const maxOfSender = 200;
/** The most rows of all senders. Beyond it a row replaces an older one of its sender, or is dropped if there is none. */
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
 * Collects what arrives, in bounded memory, until it is written to the database. Every delivery passes through here, so it only
 * stores and computes nothing.
 */
export class Arrivals {
  #hours = new Map<string, DeliveryHour>();
  readonly #senders = new Map<string, OfSender>();
  #size = 0;

  note(sender: string, nowMs: number, { accepted, duplicates, rejected, latest, errors }: Delivered): void {
    let hour = this.#hours.get(sender);
    if (hour === undefined || nowMs - hour.hourMs >= hourMs) {
      // A new hour has begun: the old one moves to a key of its own, because the key of a sender means its newest hour.
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

  /** Takes out the notes to write. Accepted rows are kept until someone looks at arrivals (`withAccepted`). */
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
