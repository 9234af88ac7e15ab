import { listFailures } from '../energy/energy-flags.sql.ts';
import type { NamedCustomer } from './fleet-customers.sql.ts';
import type { Transaction } from '../database/pool.ts';
import type { StoredDay } from '../energy/energy.rules.ts';
import { addsUp } from '../energy/device-tree.rules.ts';
import { DomainError } from '../base/errors.ts';
import type { MicrosRange } from '../base/instants.ts';
import type { LimitedWork, Limiter } from '../base/limiter.ts';
import { readEnergyWithin } from '../energy/read-energy.ts';

/** Figures of a customer that are kept in memory. */
export interface Kept {
  /** The number of batches of the customer. While it stays the same, the figures are valid. */
  version: number;
  readAtMs: number;
  /** Whether some readings of the customer are not included yet. */
  isPending: boolean;
}

/** Customers whose figures are pending are read again after this time. */
export const freshMs = 5_000;

interface KeepingOptions {
  reading: Limiter;
  maxCustomers?: number;
  /** Customers whose figures are complete are read again after this time. */
  keptMs?: number;
}

/**
 * Figures in memory of the customers of the fleet, shared by all requests; each request gets only the customers in its scope.
 * Figures stay valid until the customer sends a batch. Reads take turns, so that none computes what another one is about to store
 * here.
 */
export class KeptCustomers<Own extends Kept> extends Map<string, Own> {
  readonly #options: KeepingOptions;

  constructor(options: KeepingOptions) {
    super();
    this.#options = options;
  }

  run<T>(read: () => Promise<T>, limited?: LimitedWork): Promise<T> {
    return this.#options.reading.run(read, limited);
  }

  /** Whether the figures of a customer include everything that it has sent, or have been pending for only a few seconds. */
  holds({ id, version }: Pick<NamedCustomer, 'id' | 'version'>, sinceMs: (readAtMs: number) => number): boolean {
    const { keptMs = Infinity } = this.#options;
    const own = this.get(id);
    return own?.version === version && sinceMs(own.readAtMs) < (own.isPending ? freshMs : keptMs);
  }

  /** Keeps figures as the newest. If there are too many, the oldest are dropped. */
  keep(id: string, own: Own): void {
    const { maxCustomers = Infinity } = this.#options;
    this.delete(id);
    this.set(id, own);
    for (const oldest of this.keys()) {
      if (this.size <= maxCustomers) break;
      this.delete(oldest);
    }
  }
}

/** A day of a device of a customer. */
interface ComputedDay {
  day: StoredDay;
  siteId: string;
  addsUp: boolean;
}

/**
 * The days of a customer including dirty ranges, and whether some devices have only stored slots because their slots cannot be
 * computed. Needs a snapshot with `lockKeptMeasurementsOfFleet`. Null if more than `maxDays` would have to be computed, or if
 * the computation fails.
 */
export async function computeDays(
  tx: Transaction,
  { range, statistics, maxDays }: { range: MicrosRange; statistics: 'all' | readonly number[]; maxDays: number },
  onProblem: (error: unknown) => void,
): Promise<{ days: ComputedDay[]; isPartial: boolean } | null> {
  await tx.query({ text: 'SAVEPOINT customer' });
  try {
    const broken = new Set((await listFailures(tx, null)).map(({ deviceNumber }) => deviceNumber));
    return await readEnergyWithin(tx, { range, maxDays, broken }, async (snapshot) => {
      const devices = new Map(snapshot.devices.map((device) => [device.number, device]));
      const found = await snapshot.listDays({
        ...snapshot.clipDays(range),
        statistics: { depth: 'power', days: statistics },
      });
      const days = found.flatMap((day) => {
        const device = devices.get(day.deviceNumber);
        return device === undefined ? [] : [{ day, siteId: device.siteId, addsUp: addsUp(device) }];
      });
      return { days, isPartial: broken.size > 0 };
    });
  } catch (error) {
    await tx.query({ text: 'ROLLBACK TO SAVEPOINT customer' });
    if (!(error instanceof DomainError && error.kind === 'unavailable')) onProblem(error);
    return null;
  }
}
