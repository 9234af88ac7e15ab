/**
 * `2026-03-10 10:00:00.5+00`, as PostgreSQL writes an instant in a UTC session, to `2026-03-10T10:00:00.5Z`.
 * A string keeps the microseconds that a Date would lose.
 */
export function instantFromPostgres(value: string): string {
  return `${value.slice(0, 10)}T${value.slice(11, value.length - 3)}Z`;
}

/** An int8 as a number if that is exact, else as a bigint. */
export function integerFromPostgres(value: string): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : BigInt(value);
}
