import { type EnergyStatement, energyStep } from './energy-layout.ts';
import type { Queryable, Result, Statement } from './pool.ts';

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

/** Whether a statement found, locked or changed any row. */
export async function affectsRows(db: Queryable, statement: AnyStatement, ...values: unknown[]): Promise<boolean> {
  return (await run(db, statement, values)).rowCount > 0;
}

/** Runs a statement for its effect. */
export async function execute(db: Queryable, statement: AnyStatement, ...values: unknown[]): Promise<void> {
  await run(db, statement, values);
}

/** Some fields of an object, as the parameters of a statement. */
export const valuesOf = <Row, Name extends keyof Row>(row: Row, names: readonly Name[]): Row[Name][] =>
  names.map((name) => row[name]);

/** Some fields of all objects, each as an array for `unnest`. */
export const columnsOf = <Row, Name extends keyof Row>(rows: readonly Row[], names: readonly Name[]): Row[Name][][] =>
  names.map((name) => rows.map((row) => row[name]));

export const micros = (instant: string): string => `(extract(epoch FROM ${instant}) * 1000000)::bigint`;
export const instantOf = (value: string): string => `(timestamptz 'epoch' + ${value} * interval '1 microsecond')`;
