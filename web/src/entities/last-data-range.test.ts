import { describe, expect, it } from 'vitest';
import { rangeOfLastData } from './last-data-range.ts';

const ms = (text: string) => Date.parse(text);
const of = (from: string, to: string, last: string, timeZone: string) => {
  const { fromMs, toMs } = rangeOfLastData({ fromMs: ms(from), toMs: ms(to) }, ms(last), timeZone);
  return [new Date(fromMs).toISOString(), new Date(toMs).toISOString()];
};

describe('the range of the last data', () => {
  it('is the local day of the last reading if the range is a day', () => {
    expect(of('2026-11-20T23:00:00Z', '2026-11-21T23:00:00Z', '2007-02-02T22:59:00Z', 'Europe/Paris')).toEqual([
      '2007-02-01T23:00:00.000Z',
      '2007-02-02T23:00:00.000Z',
    ]);
  });

  it('has as many days, ending with that of the last reading, across a clock change', () => {
    expect(of('2026-11-13T23:00:00Z', '2026-11-20T23:00:00Z', '2026-03-31T10:00:00Z', 'Europe/Berlin')).toEqual([
      '2026-03-24T23:00:00.000Z',
      '2026-03-31T22:00:00.000Z',
    ]);
  });

  it('is its month if the range is a month', () => {
    expect(of('2026-11-01T00:00:00Z', '2026-12-01T00:00:00Z', '2016-02-29T10:00:00Z', 'UTC')).toEqual([
      '2016-02-01T00:00:00.000Z',
      '2016-03-01T00:00:00.000Z',
    ]);
  });

  it('has the same length, up to and including the minute of the last reading, if the range is cut anywhere else', () => {
    expect(of('2026-11-20T10:30:00Z', '2026-11-20T12:30:00Z', '2016-02-29T10:00:10Z', 'UTC')).toEqual([
      '2016-02-29T08:01:00.000Z',
      '2016-02-29T10:01:00.000Z',
    ]);
  });
});
