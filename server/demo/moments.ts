import { createNoise } from './noise.ts';

/** A place on earth, as far as power depends on it. */
export interface Place {
  key: string;
  /** IANA name. */
  timeZone: string;
  latitude: number;
  longitude: number;
  /** Outdoor temperature in °C: mean of the year, half the swing of the year and of a day, and the warmest day of the year. */
  climate: { mean: number; season: number; day: number; warmestDay: number };
  /** Working weekdays, Monday 1 to Sunday 7. */
  workingDays: ReadonlySet<number>;
  /** `MM-DD` of days on which nobody works. */
  holidays: ReadonlySet<string>;
}

/** One minute at a place. */
export interface Moment {
  /** Minutes since 1970-01-01T00:00Z. */
  minute: number;
  /** Days since 1970-01-01 on the local calendar. */
  localDay: number;
  /** Monday 1 to Sunday 7. */
  weekday: number;
  /** Local time of day, 0 to 24. */
  hour: number;
  isWorkday: boolean;
  temperatureC: number;
  /** Sine of the sun's elevation; 0 while it is down. */
  sun: number;
}

export const minutesPerDay = 1440;
const minutesPerQuarter = 15;
const radians = Math.PI / 180;

/** The 1,440 minutes of a UTC day (days since 1970-01-01) at a place. */
export function momentsOf(seed: number, place: Place, day: number): Moment[] {
  const weather = createNoise(seed, `${place.key}/temperature`);
  const moments: Moment[] = [];
  const calendar = createCalendar(place);
  for (let minuteOfDay = 0; minuteOfDay < minutesPerDay; minuteOfDay += 1) {
    const minute = day * minutesPerDay + minuteOfDay;
    const local = minute + calendar.offsetMinutes(minute);
    const localDay = Math.floor(local / minutesPerDay);
    const hour = (local - localDay * minutesPerDay) / 60;
    const { weekday, dayOfYear, isWorkday } = calendar.day(localDay);
    moments.push({
      minute,
      localDay,
      weekday,
      hour,
      isWorkday,
      temperatureC: temperature(place, dayOfYear, hour) + 4 * weather.smooth(minute / (40 * 60)),
      sun: sunHeight(place, dayOfYear, minuteOfDay),
    });
  }
  return moments;
}

function temperature({ climate }: Place, dayOfYear: number, hour: number): number {
  const season = Math.cos((2 * Math.PI * (dayOfYear + hour / 24 - climate.warmestDay)) / 365.25);
  return climate.mean + climate.season * season + climate.day * Math.cos((2 * Math.PI * (hour - 15)) / 24);
}

/** Declination by Cooper's formula; the hour angle from mean solar time, which is at most 16 minutes off. */
function sunHeight({ latitude, longitude }: Place, dayOfYear: number, minuteOfDay: number): number {
  const declination = 23.45 * radians * Math.sin((2 * Math.PI * (284 + dayOfYear)) / 365);
  const hourAngle = (minuteOfDay / 4 + longitude - 180) * radians;
  const height =
    Math.sin(latitude * radians) * Math.sin(declination) +
    Math.cos(latitude * radians) * Math.cos(declination) * Math.cos(hourAngle);
  return Math.max(0, height);
}

interface CalendarDay {
  weekday: number;
  dayOfYear: number;
  isWorkday: boolean;
}

/** Asks the time zone once a quarter-hour and the calendar once a day: no zone changes its offset in between. */
function createCalendar(place: Place) {
  let quarter = Number.NaN;
  let offset = 0;
  let known: CalendarDay = { weekday: 1, dayOfYear: 1, isWorkday: false };
  let knownDay = Number.NaN;
  return {
    offsetMinutes(minute: number): number {
      const current = Math.floor(minute / minutesPerQuarter);
      if (current === quarter) return offset;
      quarter = current;
      const instant = Temporal.Instant.fromEpochMilliseconds(current * minutesPerQuarter * 60_000);
      offset = instant.toZonedDateTimeISO(place.timeZone).offsetNanoseconds / 60e9;
      return offset;
    },
    day(localDay: number): CalendarDay {
      if (localDay === knownDay) return known;
      knownDay = localDay;
      const date = new Temporal.PlainDate(1970, 1, 1).add({ days: localDay });
      const isWorkday = place.workingDays.has(date.dayOfWeek) && !place.holidays.has(date.toString().slice(5));
      known = { weekday: date.dayOfWeek, dayOfYear: date.dayOfYear, isWorkday };
      return known;
    },
  };
}
