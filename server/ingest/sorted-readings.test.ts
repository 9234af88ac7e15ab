import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dayOf } from '../energy/energy.rules.ts';
import { JudgedReadings } from './judged-readings.rules.ts';
import { SortedReadings } from './sorted-readings.rules.ts';
import { dayMicros } from '../base/instants.ts';
import { Reading } from '../base/quantities.ts';

const places = [1, 2, 3].map((number) => ({ customerId: null, number }));

test('the days of sorted readings end where the device or the UTC day changes, and leave none out', () => {
  const row = fc.record({ device: fc.integer({ min: 1, max: 3 }), hours: fc.integer({ min: 0, max: 90 }) });
  fc.assert(
    fc.property(fc.array(row, { maxLength: 200 }), (given) => {
      const rows = given.toSorted((a, b) => a.device - b.device || a.hours - b.hours);
      const judged = new JudgedReadings();
      for (const [at, { hours }] of rows.entries()) {
        const timeMicros = 20_000 * dayMicros + (hours * dayMicros) / 24;
        judged.add(at, 'meter', Reading.of({ timeMicros, activePowerKw: 1 }));
      }
      const sorted = new SortedReadings([judged], places);
      for (const [at, { device }] of rows.entries()) sorted.add(device - 1, 0, at, false);

      const dayAt = (at: number) => `${sorted.place(at).number} ${dayOf(sorted.timeMicros(at))}`;
      const found = [...sorted.days()].flatMap(({ from, to }) => Array.from({ length: to - from }, () => dayAt(from)));
      expect(found).toEqual(rows.map((_, at) => dayAt(at)));
      expect([...sorted.days()]).toHaveLength(new Set(found).size);
    }),
  );
});
