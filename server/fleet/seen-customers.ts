import { plainText } from '../../shared/search-text.ts';
import { refuse } from '../base/errors.ts';
import { byNames } from '../base/names.ts';
import { chosenCustomers, type FleetScope } from '../base/scopes.ts';
import type { Reach } from '../database/engines/reach.ts';
import type { Transaction } from '../database/pool.ts';
import {
  findRegistryPrint,
  idOfLine,
  listCustomerLines,
  listRegistered,
  listSeenCustomers,
  type SeenCustomer,
} from './fleet-customers.sql.ts';
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
  /** What the entries have of the registry. */
  #print: string | null = null;

  /**
   * The customers of a scope by name. One that is out of reach is as it was read last; throws `unavailable` if it never was. What
   * the views of the fleet do not show may be older.
   */
  async read(tx: Transaction, scope: FleetScope, reach: Reach): Promise<ReadCustomer[]> {
    await this.#compareRegistry(tx);
    const entries: Entry[] = [];
    const changed = new Map<string, string>();
    for (const line of await listCustomerLines(tx, scope, reach)) {
      const entry = this.#byLine.get(line);
      if (entry === undefined) changed.set(idOfLine(line), line);
      else entries.push(entry);
    }
    if (changed.size > 0) {
      const customers = await listSeenCustomers(tx, { customers: [...changed.keys()] }, reach);
      entries.push(...this.#keep(customers, changed));
    }
    for (const id of new Set(chosenCustomers(scope) ?? reach.away).intersection(reach.away)) {
      const entry = this.#entries.get(id);
      if (entry === undefined) throw refuse('databaseAway');
      entries.push({ ...entry, read: asAway(entry.read) });
    }
    const isAll = reach.away.size === 0 && entries.length === this.#entries.size;
    const sorted = isAll ? [...this.#entries.values()] : entries.toSorted((a, b) => a.rank - b.rank);
    return sorted.map(({ read }) => read);
  }

  /** Forgets deleted customers. Those that were renamed, labelled or switched on or off are read again. */
  async #compareRegistry(tx: Transaction): Promise<void> {
    const print = await findRegistryPrint(tx);
    if (print === this.#print) return;
    const registered = new Map((await listRegistered(tx)).map((one) => [one.id, one]));
    for (const [id, { line, read }] of this.#entries) {
      const now = registered.get(id);
      const { name, group, isActive } = read.customer;
      if (now === undefined) this.#entries.delete(id);
      if (now?.name !== name || now.group !== group || now.isActive !== isActive) this.#byLine.delete(line);
    }
    this.#print = print;
  }

  #keep(customers: readonly SeenCustomer[], lines: ReadonlyMap<string, string>): Entry[] {
    let isRenamed = false;
    const entries = customers.map((customer) => {
      const { id, name, code, group } = customer;
      const before = this.#entries.get(id);
      if (before?.read.customer.name !== name) isRenamed = true;
      const searched = plainText(`${name} ${code} ${group ?? ''}`);
      const read = { customer, figures: figuresOf(customer), searched };
      const entry = { line: lines.get(id) ?? '', read, rank: before?.rank ?? -1 };
      if (before !== undefined) this.#byLine.delete(before.line);
      this.#byLine.set(entry.line, entry);
      this.#entries.set(id, entry);
      return entry;
    });
    if (!isRenamed) return entries;
    // Fast, because most are sorted already.
    const sorted = [...this.#entries].toSorted(([, a], [, b]) => compareNames(a.read.customer, b.read.customer));
    this.#entries = new Map(sorted);
    for (const [rank, [, entry]] of sorted.entries()) entry.rank = rank;
    return entries;
  }
}

const asAway = ({ customer, figures, searched }: ReadCustomer): ReadCustomer => ({
  customer: { ...customer, isAway: true },
  figures: { ...figures, isAway: true },
  searched,
});
