import { plainText } from '../../shared/search-text.ts';
import { refuse } from '../base/errors.ts';
import { byNames } from '../base/names.ts';
import type { FleetScope } from '../base/scopes.ts';
import type { Reach } from '../database/engines/reach.ts';
import type { Transaction } from '../database/pool.ts';
import { idOfLine, listCustomerLines, listSeenCustomers, type SeenCustomer } from './fleet-customers.sql.ts';
import { type Figures, figuresOf } from './fleet-trouble.rules.ts';

/** A customer, ready to be judged and searched. Never changed, because an answer may still use it. */
export interface ReadCustomer {
  customer: SeenCustomer;
  figures: Figures;
  /** Its name, code and group, as `plainText`. */
  searched: string;
}

interface Entry {
  /** What the snapshot had of it (`listCustomerLines`). */
  line: string;
  read: ReadCustomer;
  /** The position in the order of names. */
  rank: number;
}

const compareNames = byNames('name', 'code');

/**
 * The customers as they were read last, in the order of their names, because reading and sorting thousands takes long. Each read
 * reads those again that have changed. Reads must take turns.
 */
export class SeenCustomers {
  /** In the order of names. */
  #entries = new Map<string, Entry>();
  readonly #byLine = new Map<string, Entry>();

  /**
   * The customers of a scope by name. One that is out of reach is as it was read last; throws `unavailable` if it never was. What
   * the views of the fleet do not show may be older.
   */
  async read(tx: Transaction, scope: FleetScope, reach: Reach): Promise<ReadCustomer[]> {
    const { lines, away } = await listCustomerLines(tx, scope, reach);
    const changed = new Map(lines.flatMap((line) => (this.#byLine.has(line) ? [] : [[idOfLine(line), line]])));
    if (changed.size > 0) this.#keep(await listSeenCustomers(tx, { customers: [...changed.keys()] }, reach), changed);
    const entries = lines.flatMap((line) => this.#byLine.get(line) ?? []);
    if (scope.customers === 'all' && this.#entries.size > lines.length + away.length)
      this.#forgetOthers(new Set([...lines.map(idOfLine), ...away]));
    for (const id of away) {
      const entry = this.#entries.get(id);
      if (entry === undefined) throw refuse('databaseAway');
      entries.push({ ...entry, read: asAway(entry.read) });
    }
    return entries.toSorted((a, b) => a.rank - b.rank).map(({ read }) => read);
  }

  #keep(customers: readonly SeenCustomer[], lines: ReadonlyMap<string, string>): void {
    let isRenamed = false;
    for (const customer of customers) {
      const { id, name, code, group } = customer;
      const before = this.#entries.get(id);
      if (before?.read.customer.name !== name) isRenamed = true;
      const searched = plainText(`${name} ${code} ${group ?? ''}`);
      const read = { customer, figures: figuresOf(customer), searched };
      const entry = { line: lines.get(id) ?? '', read, rank: before?.rank ?? -1 };
      if (before !== undefined) this.#byLine.delete(before.line);
      this.#byLine.set(entry.line, entry);
      this.#entries.set(id, entry);
    }
    if (!isRenamed) return;
    // Fast, because most are sorted already.
    const sorted = [...this.#entries].toSorted(([, a], [, b]) => compareNames(a.read.customer, b.read.customer));
    this.#entries = new Map(sorted);
    for (const [rank, [, entry]] of sorted.entries()) entry.rank = rank;
  }

  /** Forgets customers that were deleted. */
  #forgetOthers(ids: ReadonlySet<string>): void {
    for (const [id, { line }] of this.#entries) {
      if (ids.has(id)) continue;
      this.#entries.delete(id);
      this.#byLine.delete(line);
    }
  }
}

const asAway = ({ customer, figures, searched }: ReadCustomer): ReadCustomer => ({
  customer: { ...customer, isAway: true },
  figures: { ...figures, isAway: true },
  searched,
});
