import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judgeLimit, judgeSilence } from './alarm-kinds.rules.ts';
import { advance, type Episode, type Judged, splitBySchedule } from './alarm-states.rules.ts';

const minute = 60_000;
const at = (text: string) => Date.parse(text);
const always = { holdMs: 0, schedule: null, timeZone: 'Europe/Berlin' };
const limit = { above: 10, below: null, hysteresis: 2 };
/** One value per minute, starting at the epoch. */
const values = (...list: number[]) => list.map((value, index) => ({ atMs: index * minute, value }));
const timesOf = (episodes: readonly Episode[]) =>
  episodes.map(({ firingAtMs, resolvedAtMs, value }) => [
    firingAtMs === null ? null : firingAtMs / minute,
    resolvedAtMs === null ? null : resolvedAtMs / minute,
    value,
  ]);
const limited = (list: number[], more: Partial<typeof always> = {}) =>
  timesOf(advance(null, judgeLimit(values(...list), limit, 15 * minute), { ...always, ...more }));

describe('a limit', () => {
  it('fires at the first value beyond the limit, not at the limit itself', () => {
    expect(limited([9, 10, 11, 12])).toEqual([[2, null, 11]]);
    expect(limited([9, 10])).toEqual([]);
    expect(limited([])).toEqual([]);
  });

  it('is resolved only when the value is back by the hysteresis', () => {
    expect(limited([11, 9, 8.1, 8, 11])).toEqual([
      [0, 3, 11],
      [4, null, 11],
    ]);
  });

  it('fires once it has lasted, at that instant, and leaves nothing if it ended before', () => {
    expect(limited([11, 11, 11, 5], { holdMs: 3 * minute })).toEqual([[3, 3, 11]]);
    expect(limited([11, 11, 5, 11], { holdMs: 3 * minute })).toEqual([[null, null, null]]);
    // Within the hysteresis it is no longer beyond the limit.
    expect(limited([11, 9, 11, 11], { holdMs: 3 * minute })).toEqual([[null, null, null]]);
  });

  it('has sides above and below, each with its hysteresis', () => {
    const both = { above: 10, below: 0, hysteresis: 1 };
    const judged = judgeLimit(values(11, 9, -1, 0, 1), both, 15 * minute);
    expect(timesOf(advance(null, judged, always))).toEqual([
      [0, 1, 11],
      [2, 4, -1],
    ]);
  });

  it('a gap is neither: what is pending does not last over it, what fires goes on', () => {
    const gapped = [
      { atMs: 0, value: 11 },
      { atMs: 60 * minute, value: 11 },
    ];
    const judged = judgeLimit(gapped, limit, 15 * minute);
    expect(timesOf(advance(null, judged, { ...always, holdMs: 30 * minute }))).toEqual([[null, null, null]]);
    expect(timesOf(advance(null, judged, always))).toEqual([[0, null, 11]]);
  });
});

describe('silence', () => {
  it('is judged by the last reading, and resolves with the next one', () => {
    const after = 15 * minute;
    expect(timesOf(advance(null, judgeSilence(0, null, 10 * minute, after), always))).toEqual([]);
    expect(timesOf(advance(null, judgeSilence(0, null, 15 * minute, after), always))).toEqual([]);
    expect(timesOf(advance(null, judgeSilence(0, null, 16 * minute, after), always))).toEqual([[15, null, 900]]);
    expect(timesOf(advance(null, judgeSilence(0, 40 * minute, 60 * minute, after), always))).toEqual([[15, 40, 900]]);
    expect(
      timesOf(advance(null, judgeSilence(0, null, 60 * minute, after), { ...always, holdMs: 5 * minute })),
    ).toEqual([[20, null, 1200]]);
  });
});

describe('a schedule', () => {
  const nights = [{ daysOfWeek: 31, startTime: '22:00', endTime: '06:00' }];

  it('counts a window over midnight to the day on which it starts, in the time zone of the site', () => {
    // Saturday 07:00 to Monday 23:00 in Berlin.
    const parts = splitBySchedule(
      { fromMs: at('2026-03-14T04:00:00Z'), toMs: at('2026-03-16T22:00:00Z') },
      nights,
      'Europe/Berlin',
    );
    expect(parts.map(({ fromMs, isWithin }) => [new Date(fromMs).toISOString(), isWithin])).toEqual([
      ['2026-03-14T04:00:00.000Z', true],
      ['2026-03-14T05:00:00.000Z', false],
      ['2026-03-16T21:00:00.000Z', true],
    ]);
  });

  it('keeps its hours on days with another offset', () => {
    // The clocks go forward on 29 March 2026 at 02:00.
    const parts = splitBySchedule(
      { fromMs: at('2026-03-28T12:00:00Z'), toMs: at('2026-03-29T12:00:00Z') },
      [{ daysOfWeek: 127, startTime: '22:00', endTime: '06:00' }],
      'Europe/Berlin',
    );
    expect(parts.map(({ fromMs }) => new Date(fromMs).toISOString())).toEqual([
      '2026-03-28T12:00:00.000Z',
      '2026-03-28T21:00:00.000Z',
      '2026-03-29T04:00:00.000Z',
    ]);
  });

  it('lets an alarm begin only within its windows, and end at any time', () => {
    const judged: Judged[] = [
      { fromMs: at('2026-03-16T12:00:00Z'), toMs: at('2026-03-17T12:00:00Z'), verdict: 'bad', valueAt: () => 1 },
      { fromMs: at('2026-03-17T12:00:00Z'), toMs: at('2026-03-17T13:00:00Z'), verdict: 'good', valueAt: () => 0 },
    ];
    const [episode, ...others] = advance(null, judged, { ...always, holdMs: 60 * minute, schedule: nights });
    expect(others).toEqual([]);
    expect(episode).toMatchObject({
      firingAtMs: at('2026-03-16T22:00:00Z'),
      resolvedAtMs: at('2026-03-17T12:00:00Z'),
      resolvedValue: 0,
    });
  });

  it('windows of a whole day touch each other', () => {
    const whole = [{ daysOfWeek: 127, startTime: '00:00', endTime: '24:00' }];
    const range = { fromMs: at('2026-03-16T12:00:00Z'), toMs: at('2026-03-20T12:00:00Z') };
    expect(splitBySchedule(range, whole, 'America/Bogota')).toEqual([{ ...range, isWithin: true }]);
  });
});

describe('law', () => {
  const lists = fc.array(fc.integer({ min: 5, max: 13 }), { maxLength: 60 });
  const cuts = fc.array(fc.integer({ min: 0, max: 60 }), { maxLength: 8 });

  it('judging piece by piece, each with the previous one again, gives the same result as judging all at once', () => {
    fc.assert(
      fc.property(lists, cuts, fc.integer({ min: 0, max: 5 }), (list, places, hold) => {
        const patience = { ...always, holdMs: hold * minute };
        const all = values(...list);
        const whole = advance(null, judgeLimit(all, limit, 15 * minute), patience);
        let open: Episode | null = null;
        let resolvedAtMs = Number.NEGATIVE_INFINITY;
        const told: Episode[] = [];
        let from = 0;
        for (const to of [...places.toSorted((a, b) => a - b), list.length]) {
          // Another portal may have judged less, and begins before the known part.
          const some = all.slice(Math.max(0, from - 3), to);
          from = to;
          const episodes = advance(open, judgeLimit(some, limit, 15 * minute), patience, resolvedAtMs);
          open = episodes.find((one) => one.resolvedAtMs === null) ?? null;
          const ended = episodes.filter((one) => one.resolvedAtMs !== null);
          told.push(...ended);
          resolvedAtMs = ended.at(-1)?.resolvedAtMs ?? resolvedAtMs;
        }
        expect([...told, ...(open === null ? [] : [open])]).toEqual(whole);
      }),
      { numRuns: 500 },
    );
  });
});
