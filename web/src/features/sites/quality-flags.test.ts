import { describe, expect, it } from 'vitest';
import { countedKinds, rangeAround } from './quality-flags.ts';

describe('the counts of anomalies', () => {
  it('name only the kinds that occur, the most frequent first', () => {
    const none = { gap: 0, interpolated: 0, glitch: 0, stepBack: 0, rollover: 0, reset: 0, implausible: 0 };
    expect(countedKinds(none)).toEqual([]);
    expect(countedKinds({ ...none, reset: 1, glitch: 4, gap: 1 })).toEqual([
      { kind: 'glitch', count: 4 },
      { kind: 'gap', count: 1 },
      { kind: 'reset', count: 1 },
    ]);
  });
});

describe('the range of Measurements around an anomaly', () => {
  const iso = ({ fromMs, toMs }: { fromMs: number; toMs: number }) => [
    new Date(fromMs).toISOString(),
    new Date(toMs).toISOString(),
  ];

  it('is the hour before and after a single reading, in whole minutes', () => {
    expect(iso(rangeAround({ time: '2026-03-10T10:05:30.250Z', until: null }))).toEqual([
      '2026-03-10T09:05:00.000Z',
      '2026-03-10T11:06:00.000Z',
    ]);
  });

  it('shows half of the length of a gap before and after it, at least an hour', () => {
    expect(iso(rangeAround({ time: '2026-03-10T10:00:00Z', until: '2026-03-10T10:40:00Z' }))).toEqual([
      '2026-03-10T09:00:00.000Z',
      '2026-03-10T11:40:00.000Z',
    ]);
    expect(iso(rangeAround({ time: '2026-03-10T00:00:00Z', until: '2026-03-12T00:00:00Z' }))).toEqual([
      '2026-03-09T00:00:00.000Z',
      '2026-03-13T00:00:00.000Z',
    ]);
  });
});
