import { createNoise } from './noise.ts';

/** A place on earth, as far as power depends on it. */
export interface Place {
  /** IANA name. */
  timeZone: string;
  /** Outdoor temperature in °C: the mean of the year, and half the swing of the year. */
  climate: { mean: number; season: number };
  /** People work from Monday to this day; Sunday is 7. */
  lastWorkday: number;
}

/** One quarter-hour at a place. */
export interface Moment {
  /** Quarter-hours since 1970-01-01T00:00Z. */
  quarter: number;
  /** Monday 1 to Sunday 7. */
  weekday: number;
  /** Local time of day, 0 to 24. */
  hour: number;
  isWorkday: boolean;
  temperatureC: number;
}

export const quartersPerDay = 96;
const hottestDay = 203;

/** The quarter-hours of a UTC day (days since 1970-01-01) at a place. */
export function momentsOf(seed: number, { climate, lastWorkday, timeZone }: Place, day: number): Moment[] {
  const weather = createNoise(seed, timeZone);
  const season = climate.season * wave((day - hottestDay) / 365.25);
  // The zone is asked for each quarter-hour only on days on which its offset changes.
  const [first, last] = [day, day + 1].map((at) => offsetQuarters(timeZone, at * quartersPerDay));
  return Array.from({ length: quartersPerDay }, (_, ofDay) => {
    const quarter = day * quartersPerDay + ofDay;
    const local = quarter + (first === last ? (first ?? 0) : offsetQuarters(timeZone, quarter));
    const localDay = Math.floor(local / quartersPerDay);
    // 1970-01-01 was a Thursday.
    const weekday = ((localDay + 3) % 7) + 1;
    const hour = (local - localDay * quartersPerDay) / 4;
    const temperatureC = climate.mean + season + 4 * wave((hour - 15) / 24) + 4 * weather.smooth(quarter / 160);
    return { quarter, weekday, hour, isWorkday: weekday <= lastWorkday, temperatureC };
  });
}

const wave = (turns: number) => Math.cos(2 * Math.PI * turns);

function offsetQuarters(timeZone: string, quarter: number): number {
  const instant = Temporal.Instant.fromEpochMilliseconds(quarter * 900_000);
  return instant.toZonedDateTimeISO(timeZone).offsetNanoseconds / 900e9;
}
