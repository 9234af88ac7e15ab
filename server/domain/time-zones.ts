/**
 * The IANA name `name` in its own spelling (`europe/berlin` becomes `Europe/Berlin`). A name that is only linked to another
 * zone stays as given: `Asia/Kolkata` does not become `Asia/Calcutta`. Throws a RangeError where there is no such zone.
 */
export function canonicalTimeZone(name: string): string {
  return new Temporal.ZonedDateTime(0n, name).timeZoneId;
}
