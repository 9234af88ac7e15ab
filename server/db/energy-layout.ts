import type { Queryable, Result, Statement } from './pool.ts';

/**
 * Where the rows of the energy store are: those of the Client in schema `monitoring`, those of the fleet in schema `fleet`, where
 * every row begins with its `customer_id` and a device number is one only within its customer. The parts are SQL; the last three
 * are empty for the Client.
 */
export interface EnergyLayout {
  table(name: string): string;
  /** The condition that rows are the customer's, and `AND`: first in every WHERE and ON, for every table. */
  own(alias?: string): string;
  /** The customer and a comma: first in every list of columns and every key. */
  key: string;
  /** The same for the list of their values. */
  keyValue: string;
}

/** One statement for both: written once, built for each. Which is meant is up to the `Queryable` (see `forCustomer`). */
export interface EnergyStatement {
  readonly client: Statement;
  readonly fleet: Statement;
  /** Whether the fleet's takes the customer as its last parameter. */
  readonly isKeyed: boolean;
}

const client: EnergyLayout = { table: (name) => `monitoring.${name}`, own: () => '', key: '', keyValue: '' };

function fleetWhere(customer: string): EnergyLayout {
  return {
    table: (name) => `fleet.${name}`,
    own: (alias) => `${alias === undefined ? '' : `${alias}.`}customer_id = ${customer} AND `,
    key: 'customer_id, ',
    keyValue: `${customer}, `,
  };
}

const placeholder = '$customer';
const fleet = fleetWhere(`${placeholder}::uuid`);

/** A statement by its text; named ones are prepared under a name for each layout. */
export function energyStatement(build: (layout: EnergyLayout) => string, name?: string): EnergyStatement {
  const text = build(fleet);
  const parameters = [...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number));
  const last = Math.max(0, ...parameters) + 1;
  const named = (suffix: string) => (name === undefined ? {} : { name: name + suffix });
  return {
    client: { ...named(''), text: build(client) },
    fleet: { ...named('_fleet'), text: text.replaceAll(placeholder, () => `$${last}`) },
    isKeyed: text.includes(placeholder),
  };
}

/** Runs a statement on the rows that `db` is for. */
export function queryEnergy<Row extends object>(
  db: Queryable,
  { client: own, fleet: shared, isKeyed }: EnergyStatement,
  values: readonly unknown[] = [],
): Promise<Result<Row>> {
  if (db.customerId === null) return db.query<Row>(own, values);
  return db.query<Row>(shared, isKeyed ? [...values, db.customerId] : values);
}

/** The layout for a text that takes no parameters (COPY); the customer stands in it. */
export const layoutOf = ({ customerId }: Queryable): EnergyLayout =>
  customerId === null ? client : fleetWhere(`'${customerId}'::uuid`);
