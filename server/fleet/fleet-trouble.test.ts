import { describe, expect, it } from 'vitest';
import { byTrouble, judgeCustomer, type Trouble, usualInterval, type Watched } from './fleet-trouble.rules.ts';

const now = Date.parse('2026-03-10T12:00:00Z');
const hour = 3600;
const ago = (seconds: number) => new Date(now - seconds * 1000).toISOString();
const gaps = (seconds: number) => Array.from({ length: 20 }, () => seconds);
const judge = (values: Partial<Watched>) =>
  judgeCustomer(
    {
      isActive: true,
      firstSeenAt: ago(90 * 24 * hour),
      lastSeenAt: ago(20),
      lastMeasuredAt: ago(20),
      pushGapsSeconds: gaps(30),
      pushIntervalSeconds: null,
      lastFailedAt: null,
      lastFailure: null,
      isRefused: false,
      failingSince: null,
      tokenRefusedSince: null,
      tokenRefusedAt: null,
      tokenRefusal: null,
      lastError: null,
      ...values,
    },
    now,
  );
const quiet = (seconds: number, pushGapsSeconds = gaps(30)) =>
  judge({ lastSeenAt: ago(seconds), lastMeasuredAt: ago(seconds), pushGapsSeconds });

describe('the rhythm of a customer', () => {
  it('is its usual time between pushes: neither three outages nor the batches of one push change it', () => {
    expect([[], [30], [9 * hour]].map(usualInterval)).toEqual([null, null, null]);
    const outages = [9 * hour, 600, 3 * hour];
    for (const seconds of [5, 30, 300, 24 * hour]) {
      expect(usualInterval(gaps(seconds))).toBe(seconds);
      expect(usualInterval([...outages.slice(0, seconds === 5 ? 1 : 3), ...gaps(seconds).slice(3)])).toBe(seconds);
    }
    const ofBatches = (count: number, push: number) =>
      Array.from({ length: 20 }, (_, at) => (at % count === count - 1 ? push : 1));
    expect([2, 3, 5, 10].map((count) => usualInterval(ofBatches(count, 24 * hour)))).toEqual(Array(4).fill(24 * hour));
    expect(usualInterval([...outages, ...ofBatches(3, 900).slice(3)])).toBe(900);
    expect(usualInterval([30, 9 * hour])).toBe(30);
  });

  it('two restarts do not delay "silent"', () => {
    expect(quiet(601, [9 * hour, 2 * hour, ...gaps(30).slice(2)]).state).toBe('silent');
  });

  it('late after two, silent after three intervals of its own without a stored batch, at least ten minutes; an hour while it is unknown', () => {
    expect([300, 301, 600, 601].map((seconds) => quiet(seconds).state)).toEqual(['sending', 'late', 'late', 'silent']);
    expect(quiet(601).troubleSince).toBe(ago(601));
    expect(quiet(601).lagSeconds).toBe(601);
    const ofSix = (hours: number) => quiet(hours * hour, gaps(6 * hour)).state;
    expect([6, 12, 17, 19].map(ofSix)).toEqual(['sending', 'sending', 'late', 'silent']);
    expect(quiet(25 * hour, gaps(24 * hour)).state).toBe('sending');
    const unknown = (seconds: number) => quiet(seconds, []).state;
    expect([1800, 1801, 3600, 3601].map(unknown)).toEqual(['sending', 'late', 'late', 'silent']);
    const daily = (seconds: number) =>
      judge({
        lastSeenAt: ago(seconds),
        lastMeasuredAt: ago(seconds),
        pushGapsSeconds: [],
        pushIntervalSeconds: 24 * hour,
      });
    expect([72 * hour, 72 * hour + 1].map((seconds) => daily(seconds).state)).toEqual(['late', 'silent']);
  });
});

it('is unavailable while its rows are out of reach, whatever was read last', () => {
  for (const last of [{}, { isActive: false }, { lastSeenAt: null, firstSeenAt: null }, { lastSeenAt: ago(9 * hour) }])
    expect(judge({ ...last, isAway: true })).toMatchObject({ state: 'unavailable', troubleSince: null });
});

describe('no readings, while the sets go on each hour', () => {
  it('is told from silence, and since when', () => {
    const lastMeasuredAt = ago(20 * hour);
    for (const seconds of [20, 1800, 3700]) {
      expect(judge({ lastSeenAt: ago(seconds), lastMeasuredAt })).toMatchObject({
        state: 'silent',
        troubleSince: lastMeasuredAt,
        noReadingsSince: lastMeasuredAt,
      });
    }
    expect(judge({ lastSeenAt: ago(2 * hour + 1), lastMeasuredAt })).toMatchObject({
      state: 'silent',
      noReadingsSince: null,
    });
  });

  it('is seen of one that never sent any, an hour after its first batch', () => {
    const seen = (seconds: number) => judge({ firstSeenAt: ago(seconds), lastMeasuredAt: null, pushGapsSeconds: [] });
    expect([seen(hour), seen(hour + 1)].map(({ state }) => state)).toEqual(['late', 'silent']);
  });
});

describe('failing', () => {
  const failed = { lastFailedAt: ago(hour), failingSince: ago(9 * hour), lastFailure: '3 rejected', isRefused: false };

  it('stays after the next good batch, with its beginning and whether all or a part was rejected', () => {
    expect(judge(failed)).toMatchObject({
      state: 'failing',
      troubleSince: ago(9 * hour),
      failure: { since: ago(9 * hour), at: ago(hour), reason: '3 rejected', isRefused: false },
    });
    expect(judge({ ...failed, isRefused: true }).failure?.isRefused).toBe(true);
  });

  it('is over when so much time has passed without a failure as the hourly sets take, or its own rhythm', () => {
    const at = (seconds: number, pushGapsSeconds: number[]) =>
      judge({ ...failed, lastFailedAt: ago(seconds), pushGapsSeconds }).state;
    expect([at(2 * hour, gaps(30)), at(2 * hour + 1, gaps(30))]).toEqual(['failing', 'sending']);
    expect(at(24 * hour, gaps(24 * hour))).toBe('failing');
  });
});

describe('a refused token', () => {
  const off = { tokenRefusedSince: ago(3 * hour), tokenRefusedAt: ago(60), tokenRefusal: 'the customer is inactive' };
  const rejected = { lastFailedAt: ago(hour), lastFailure: '3 rejected', isRefused: false };

  it('is the trouble, whatever else failed, as long as no batch was stored since; then what failed before is left', () => {
    const failure = { since: ago(3 * hour), at: ago(60), reason: 'the customer is inactive', isRefused: true };
    expect(judge({ ...rejected, ...off })).toMatchObject({ state: 'failing', troubleSince: ago(3 * hour), failure });
    expect(judge(rejected).failure).toMatchObject({ reason: '3 rejected', isRefused: false });
    expect(judge({})).toMatchObject({ state: 'sending', failure: null });
  });

  it('is over when nothing has come with it for as long as the hourly sets take', () => {
    const at = (seconds: number) => judge({ ...off, tokenRefusedAt: ago(seconds) }).state;
    expect([at(2 * hour), at(2 * hour + 1)]).toEqual(['failing', 'sending']);
  });
});

it('never: nothing ever came; inactive: nobody waits for it', () => {
  const never = { firstSeenAt: null, lastSeenAt: null, lastMeasuredAt: null, pushGapsSeconds: [] };
  expect(judge(never)).toMatchObject({ state: 'never', troubleSince: null });
  expect(judge({ ...never, lastFailedAt: ago(60), lastFailure: 'No.', isRefused: true }).state).toBe('failing');
  expect(judge({ isActive: false, lastSeenAt: ago(1e6), lastMeasuredAt: ago(1e6) })).toMatchObject({
    state: 'inactive',
  });
});

it('trouble comes first: silent by their usual interval, errors, never seen, late, then inactive', () => {
  const customer = (
    name: string,
    state: Trouble['state'],
    lagSeconds: number | null = 20,
    silentAfterSeconds = 600,
  ) => ({
    name,
    state,
    lagSeconds,
    silentAfterSeconds,
  });
  const sorted = byTrouble([
    customer('sending', 'sending'),
    customer('inactive', 'inactive'),
    customer('late', 'late'),
    customer('never', 'never', null),
    customer('failing', 'failing'),
    customer('hourly, four hours late', 'silent', 4 * hour, 3 * hour),
    customer('each half minute, one hour late', 'silent', hour),
  ]);
  expect(sorted.map(({ name }) => name)).toEqual([
    'each half minute, one hour late',
    'hourly, four hours late',
    'failing',
    'never',
    'late',
    'inactive',
    'sending',
  ]);
});
