import type { Queryable, Result, Statement, Transaction } from './pool.ts';
import { randomInt } from 'node:crypto';

/** A string is a statement that is not prepared. */
type AnyStatement = string | Statement | EnergyStatement;

function run<Row extends object>(db: Queryable, statement: AnyStatement, values: unknown[]): Promise<Result<Row>> {
  if (typeof statement === 'string') return db.query<Row>({ text: statement }, values);
  if (!('client' in statement)) return db.query<Row>(statement, values);
  const { values: all, ...own } = energyStep(db, statement, values);
  return db.query<Row>(own, all);
}

/** All rows of a query. */
export async function listRows<Row extends object>(
  db: Queryable,
  statement: AnyStatement,
  ...values: unknown[]
): Promise<Row[]> {
  return (await run<Row>(db, statement, values)).rows;
}

/** The first row of a query; null if it has none. */
export async function findRow<Row extends object>(
  db: Queryable,
  statement: AnyStatement,
  ...values: unknown[]
): Promise<Row | null> {
  return (await run<Row>(db, statement, values)).rows[0] ?? null;
}

/** The rows of a query with one column. */
export const listValues = async <Value>(db: Queryable, statement: AnyStatement, ...values: unknown[]) =>
  (await listRows<Record<string, Value>>(db, statement, ...values)).flatMap((row) => Object.values(row));

/** The one value of a query; null if it has no row. */
export const findValue = async <Value>(db: Queryable, statement: AnyStatement, ...values: unknown[]) =>
  (await listValues<Value>(db, statement, ...values))[0] ?? null;

/** How many rows a statement found, locked or changed. */
export const countAffected = async (db: Queryable, statement: AnyStatement, ...values: unknown[]): Promise<number> =>
  (await run(db, statement, values)).rowCount;

/** Whether it found, locked or changed any row. */
export const affectsRows = async (db: Queryable, statement: AnyStatement, ...values: unknown[]): Promise<boolean> =>
  (await countAffected(db, statement, ...values)) > 0;

/** Runs a statement for its effect. */
export async function execute(db: Queryable, statement: AnyStatement, ...values: unknown[]): Promise<void> {
  await run(db, statement, values);
}

/** The number of rows of a small table. It stays the same until the transaction ends. */
export async function lockAndCount(tx: Transaction, table: string): Promise<number> {
  await execute(tx, `LOCK TABLE ${table} IN SHARE ROW EXCLUSIVE MODE`);
  return (await findValue<number>(tx, `SELECT count(*)::integer FROM ${table}`)) ?? 0;
}

/** Some fields of an object, as the parameters of a statement. */
export const valuesOf = <Row, Name extends keyof Row>(row: Row, names: readonly Name[]): Row[Name][] =>
  names.map((name) => row[name]);

/** Some fields of all objects, each as an array for `unnest`. */
export const columnsOf = <Row, Name extends keyof Row>(rows: readonly Row[], names: readonly Name[]): Row[Name][][] =>
  names.map((name) => rows.map((row) => row[name]));

// Uses the time zone UTC, not that of the session, so that the result depends on the argument alone (decisions.md 9).
export const micros = (instant: string): string =>
  `(extract(epoch FROM (${instant}) AT TIME ZONE 'UTC') * 1000000)::bigint`;
export const instantOf = (value: string): string =>
  `((timestamp 'epoch' + ${value} * interval '1 microsecond') AT TIME ZONE 'UTC')`;

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
  /** A text column that only the Client has; null for the fleet. */
  clientText(column: string): string;
  /** The customer and a comma: first in every list of columns and every key. */
  key: string;
  /** The customer's value and a comma: first in every list of values. */
  keyValue: string;
  /** The column of a dirty range's id and a comma, if the table does not generate the id. */
  rangeId: string;
  /** The id of a dirty range and a comma, for a list of values in a SELECT. */
  rangeIdValue: string;
}

/** A statement for both layouts: written once, built for each. The `Queryable` decides which is used (see `forCustomer`). */
export interface EnergyStatement {
  readonly client: Statement;
  readonly fleet: Statement;
  /** Whether the statement of the fleet takes the customer as its last parameter. */
  readonly isKeyed: boolean;
  /** Whether the statement of the fleet takes the first id of its dirty ranges as the parameter before the customer. */
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

/** The layout for a text without parameters (COPY), which contains the id of the customer. */
export const layoutOf = ({ customerId }: Queryable): EnergyLayout =>
  customerId === null ? client : fleetWhere(`'${customerId}'::uuid`);

/** PostgreSQL counts microseconds from 2000-01-01. */
export const postgresEpochMicros = 946_684_800_000_000;
const signatureBytes = 19;

/**
 * The rows of a query in PostgreSQL's binary COPY format (https://www.postgresql.org/docs/current/sql-copy.html), read field
 * by field: the text protocol would send bytea at twice the size. COPY takes no parameters, so `text` must contain no input but
 * numbers.
 */
export async function readBinaryRows(tx: Transaction, text: string): Promise<BinaryRows> {
  return new BinaryRows(await tx.copyOut(`COPY (${text}) TO STDOUT (FORMAT binary)`));
}

/** The position of the bytes of a field within those of all rows. */
export interface Field {
  start: number;
  length: number;
}

/** A cursor over rows: call `next`, then read its fields in order. */
export class BinaryRows {
  readonly bytes: Buffer;
  #at = signatureBytes;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  /** Moves to the next row; false after the last. */
  next(): boolean {
    const fields = this.bytes.readInt16BE(this.#at);
    this.#at += 2;
    return fields >= 0;
  }

  /** Where the next field begins. */
  get position(): number {
    return this.#at;
  }

  int4(): number {
    const value = this.bytes.readInt32BE(this.#at + 4);
    this.#at += 8;
    return value;
  }

  /** An int4 or int8, or the microseconds since 2000 of a timestamp; a bigint where a number would not be exact. */
  integer(): number | bigint | null {
    const length = this.bytes.readInt32BE(this.#at);
    const start = this.#at + 4;
    this.#at = start + Math.max(0, length);
    if (length < 0) return null;
    if (length === 4) return this.bytes.readInt32BE(start);
    const value = this.bytes.readInt32BE(start) * 2 ** 32 + this.bytes.readUInt32BE(start + 4);
    return Number.isSafeInteger(value) ? value : this.bytes.readBigInt64BE(start);
  }

  float8(): number {
    const value = this.bytes.readDoubleBE(this.#at + 4);
    this.#at += 12;
    return value;
  }

  /** Null if the field is null. */
  field(): Field | null {
    const length = this.bytes.readInt32BE(this.#at);
    this.#at += 4;
    if (length < 0) return null;
    const start = this.#at;
    this.#at += length;
    return { start, length };
  }
}
