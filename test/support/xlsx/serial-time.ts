const dayMilliseconds = 86_400_000;
/** From here on a day is counted since 30 December 1899; before it Excel has a 29 February 1900 that never was. */
const firstTrueDay = 61;
/** 31 December 9999, the last day that Excel can show. */
const lastDay = 2_958_465;

/**
 * The wall-clock time of a cell in the 1900 date system: 45382.5 is `2024-03-31T12:00:00`. To the millisecond, the
 * precision of a serial number. Throws if the day does not exist.
 */
export function localTimeOfSerial(serial: number): string {
  if (!(serial >= firstTrueDay && serial < lastDay + 1))
    throw new Error(`${serial} is no serial number of a time between March 1900 and 9999.`);
  const milliseconds = Math.round(serial * dayMilliseconds);
  const days = Math.floor(milliseconds / dayMilliseconds);
  return Temporal.PlainDateTime.from('1899-12-30')
    .add({ days, milliseconds: milliseconds - days * dayMilliseconds })
    .toString();
}

/** A local time as another program writes it (`2024-03-31`, `2024-03-31T02:30:00.123000`) in the writing of this file. */
export const toMillisecond = (local: string): string =>
  Temporal.PlainDateTime.from(local).round('millisecond').toString();
