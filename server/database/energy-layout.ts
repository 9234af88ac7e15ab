import { randomInt } from 'node:crypto';
import type { Queryable, Statement } from './pool.ts';

/**
 * Where the rows of the quarter-hour rollup are: those of the Client in schema `monitoring`, those of the fleet in schema `fleet`,
 * where every row begins with its `customer_id` and a device number is unique only within its customer. The parts are SQL; all but
 * the first are empty for the Client.
 */
export interface EnergyLayout {
  table(name: string): string;
  /** The condition that rows are the customer's, and `AND`: first in every WHERE and ON, for every table. */
  own(alias?: string): string;
  /** The condition that a record of a set has not been removed since, and `AND`. */
  current(alias: string): string;
  /** A text column that the Client alone has; null for the fleet. */
  clientText(column: string): string;
  /** The customer and a comma: first in every list of columns and every key. */
  key: string;
  /** The same for the list of their values. */
  keyValue: string;
  /** The column of a dirty range's id and a comma, if the table does not generate the id. */
  rangeId: string;
  /** The same for the list of their values, in a SELECT. */
  rangeIdValue: string;
}

/** A statement for both layouts: written once, built for each. The `Queryable` decides which is used (see `forCustomer`). */
export interface EnergyStatement {
  readonly client: Statement;
  readonly fleet: Statement;
  /** Whether the fleet's takes the customer as its last parameter. */
  readonly isKeyed: boolean;
  /** Whether the fleet's takes the first id of its dirty ranges before that. */
  readonly makesRanges: boolean;
}

const client: EnergyLayout = {
  table: (name) => `monitoring.${name}`,
  own: () => '',
  current: () => '',
  clientText: (column) => column,
  key: '',
  keyValue: '',
  rangeId: '',
  rangeIdValue: '',
};

function fleetWhere(customer: string): EnergyLayout {
  return {
    table: (name) => `fleet.${name}`,
    own: (alias) => `${alias === undefined ? '' : `${alias}.`}customer_id = ${customer} AND `,
    current: (alias) => `${alias}.removed_at IS NULL AND `,
    clientText: () => 'NULL::text',
    key: 'customer_id, ',
    keyValue: `${customer}, `,
    rangeId: 'id, ',
    rangeIdValue: `${firstRange}::bigint + row_number() OVER (), `,
  };
}

const placeholder = '$customer';
const firstRange = '$range';
const fleet = fleetWhere(`${placeholder}::uuid`);

/** A statement by its text; named ones are prepared under a name for each layout. */
export function energyStatement(build: (layout: EnergyLayout) => string, name?: string): EnergyStatement {
  const text = build(fleet);
  const parameters = [...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number));
  const makesRanges = text.includes(firstRange);
  const last = Math.max(0, ...parameters) + (makesRanges ? 2 : 1);
  const named = (suffix: string) => (name === undefined ? {} : { name: name + suffix });
  return {
    client: { ...named(''), text: build(client) },
    fleet: {
      ...named('_fleet'),
      text: text.replaceAll(placeholder, () => `$${last}`).replaceAll(firstRange, () => `$${last - 1}`),
    },
    isKeyed: text.includes(placeholder),
    makesRanges,
  };
}

/** The statement to send for the rows that `db` is for. */
export function energyStep<Value>(
  { customerId }: Queryable,
  { client: own, fleet: shared, isKeyed, makesRanges }: EnergyStatement,
  values: readonly Value[],
): Statement & { values: (Value | string)[] } {
  if (customerId === null) return { ...own, values: [...values] };
  const ids = makesRanges ? [newRangeId()] : [];
  return { ...shared, values: isKeyed ? [...values, ...ids, customerId] : [...values] };
}

const randomIds = 2 ** 20;

/**
 * An id for a dirty range of the fleet, which has no sequences (decisions.md 9): milliseconds, then 20 random bits, so that older
 * ranges are taken first. Ranges of one statement count up from it.
 */
export const newRangeId = (): string => String(BigInt(Date.now()) * BigInt(randomIds) + BigInt(randomInt(randomIds)));

/** The layout for a text without parameters (COPY), which contains the customer id. */
export const layoutOf = ({ customerId }: Queryable): EnergyLayout =>
  customerId === null ? client : fleetWhere(`'${customerId}'::uuid`);
