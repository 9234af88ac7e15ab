/** A place on earth, with everything about it that power depends on. */
export interface Place {
  /** IANA name. */
  timeZone: string;
  /** Outdoor temperature in °C: the mean of the year, and half the swing of the year. */
  climate: { mean: number; season: number };
  /** The last working day of the week, which begins on Monday; Sunday is 7. */
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
  // Only on days on which the offset changes, the time zone is asked for each quarter-hour.
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

/**
 * Random values by place, not by sequence: the same label and index always give the same value. So any instant can be computed
 * on its own, in any order and in any process.
 */
export interface Noise {
  /** Uniform in [0, 1), for an integer index. */
  uniform(index: number): number;
  /** Between -1 and 1, continuous in `position`. The direction changes about once per unit. */
  smooth(position: number): number;
}

export function createNoise(seed: number, label: string): Noise {
  let key = mix(seed | 0);
  for (const character of label) key = mix(key ^ (character.codePointAt(0) ?? 0));
  const uniform = (index: number) => (mix(key ^ mix(index | 0)) >>> 0) / 2 ** 32;
  return {
    uniform,
    smooth(position) {
      const cell = Math.floor(position);
      const within = position - cell;
      const weight = within * within * (3 - 2 * within);
      return 2 * (uniform(cell) * (1 - weight) + uniform(cell + 1) * weight) - 1;
    },
  };
}

/** The finalizer of MurmurHash3 (public domain): every bit of the input reaches every bit of the output. */
function mix(value: number): number {
  let hash = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
