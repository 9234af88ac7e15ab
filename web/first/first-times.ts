const minuteMs = 60_000;
const quarterMs = 15 * minuteMs;
const dayMs = 86_400_000;

/**
 * The values for the braces in the paths of `requests.ts`: today and its neighbours, if the Dashboard's days are in this zone,
 * and the instants that its page will request. Null if this browser does not know the zone.
 */
export function firstTimes(timeZone: string, nowMs: number) {
  const parts = partsOf(timeZone, nowMs);
  if (parts === null) return null;
  const part = (name: string) => Number(parts.find(({ type }) => type === name)?.value);
  const todayMs = Date.UTC(part('year'), part('month') - 1, part('day'));
  const date = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  const before = (ms: number, step: number) => new Date(Math.floor(nowMs / step) * step - ms).toISOString();
  return {
    timeZone,
    yesterday: date(todayMs - dayMs),
    today: date(todayMs),
    tomorrow: date(todayMs + dayMs),
    now: before(0, minuteMs),
    quarter: before(0, quarterMs),
    twelveHoursBefore: before(dayMs / 2, quarterMs),
  };
}

function partsOf(timeZone: string, nowMs: number) {
  try {
    const format = { timeZone, year: 'numeric', month: 'numeric', day: 'numeric' } as const;
    return new Intl.DateTimeFormat('en', format).formatToParts(nowMs);
  } catch {
    return null;
  }
}

/** A path of `requests.ts` with the times filled in. */
export const pathAt = (path: string, times: Readonly<Record<string, string>>): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(times[name] ?? ''));
