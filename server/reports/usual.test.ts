import { describe, expect, it } from 'vitest';
import { usualLoads } from '../../test/support/vectors.ts';
import { daysIn } from '../base/ranges.ts';
import { emptyEnergy, slotMicros, slotsPerDay } from '../energy/energy.rules.ts';
import type { MicrosRange } from '../base/instants.ts';
import { createUsualZone, planWeeks, usualEnergy, usualPower, usualWeeks } from './usual.rules.ts';

const dayOfZone = (date: string, timeZone: string): MicrosRange => {
  const toDate = Temporal.PlainDate.from(date).add({ days: 1 }).toString();
  return daysIn({ fromDate: date, toDate }, timeZone);
};
const at = (instant: string) => Temporal.Instant.from(instant).epochMilliseconds * 1000;

/** A zone whose devices used `kwhAt(instant)` in each quarter-hour of the past; unknown where that is null. */
function profileOf(range: MicrosRange, timeZone: string, devices: readonly ((micros: number) => number | null)[]) {
  const usual = createUsualZone(planWeeks(range, timeZone));
  const firstSlot = Math.floor(range.fromMicros / slotMicros) - (usualWeeks * 7 + 3) * slotsPerDay;
  const count = Math.ceil(range.toMicros / slotMicros) - firstSlot;
  const added = devices.map((kwhAt) => {
    const energy = emptyEnergy(count);
    const known: MicrosRange[] = [];
    for (let slot = 0; slot < count; slot += 1) {
      const fromMicros = (firstSlot + slot) * slotMicros;
      const kwh = kwhAt(fromMicros);
      if (kwh === null) continue;
      known.push({ fromMicros, toMicros: fromMicros + slotMicros });
      if (kwh >= 0) energy.importedKwh[slot] = kwh;
      else energy.exportedKwh[slot] = -kwh;
    }
    return usual.addDevice({ firstSlot, energy, known });
  });
  return { added, profile: usual.close() };
}

/** The number of weeks that an instant lies before the range, 0 for the latest. */
const weekOf = (range: MicrosRange, micros: number) =>
  Math.floor((range.fromMicros - 1 - micros) / (7 * slotsPerDay * slotMicros));

describe('usual consumption (docs/energy.md)', () => {
  const sunday = dayOfZone('2026-06-14', 'Asia/Tokyo');
  const ofQuarter = { fromMicros: sunday.fromMicros, toMicros: sunday.fromMicros + slotMicros };

  it.each(usualLoads)('$id $name', ({ devices, expected }) => {
    const { profile } = profileOf(
      sunday,
      'Asia/Tokyo',
      devices.map((weeks) => (micros) => weeks[weekOf(sunday, micros)] ?? null),
    );
    const { low = NaN, median = NaN, high = NaN, weekCount } = usualEnergy([profile], () => ofQuarter) ?? {};
    if (expected === null) return expect(weekCount).toBeUndefined();
    expect(weekCount).toBe(expected.weekCount);
    expect(low).toBeCloseTo(expected.lowKwh, 9);
    expect(median).toBeCloseTo(expected.medianKwh, 9);
    expect(high).toBeCloseTo(expected.highKwh, 9);
    // The power of a quarter-hour is four times its energy.
    expect(usualPower([profile], () => ofQuarter)?.median).toBeCloseTo(4 * expected.medianKwh, 9);
  });

  it('is that of the same weekday and time of day, whatever the others have', () => {
    const local = (micros: number) => new Temporal.ZonedDateTime(BigInt(micros) * 1000n, 'Asia/Tokyo');
    const { profile } = profileOf(sunday, 'Asia/Tokyo', [
      (micros) => (local(micros).dayOfWeek === 7 ? local(micros).hour : 1000),
    ]);
    const hour = (of: number) => ({
      fromMicros: sunday.fromMicros + of * 4 * slotMicros,
      toMicros: sunday.fromMicros + (of + 1) * 4 * slotMicros,
    });
    expect([0, 7, 23].map((of) => usualPower([profile], () => hour(of))?.median)).toEqual([0, 28, 92]);
    expect(usualEnergy([profile], () => sunday)?.median).toBe(4 * ((23 * 24) / 2));
  });

  it('is unknown if each week lacks too much of it, even if all together have everything', () => {
    const range = { fromMicros: sunday.fromMicros, toMicros: sunday.fromMicros + 2 * slotMicros };
    const isFirst = (micros: number) => (sunday.fromMicros - micros) % (7 * slotsPerDay * slotMicros) === 0;
    const { profile } = profileOf(range, 'Asia/Tokyo', [
      (micros) => ((weekOf(sunday, micros) === 0) === isFirst(micros) && weekOf(sunday, micros) < 2 ? 1 : null),
    ]);
    expect(usualEnergy([profile], () => range)).toBeNull();
    expect(usualEnergy([profile], () => ofQuarter)).toMatchObject({ weekCount: 1 });
  });

  it('a quarter-hour that is cut counts by its share of the time', () => {
    const { profile } = profileOf(sunday, 'Asia/Tokyo', [() => 3]);
    const part = { fromMicros: sunday.fromMicros, toMicros: sunday.fromMicros + (4 * slotMicros) / 3 };
    expect(usualEnergy([profile], () => part)?.median).toBeCloseTo(4, 9);
    expect(usualPower([profile], () => part)?.median).toBeCloseTo(12, 9);
  });

  it('export counts as negative in the power and not in the energy', () => {
    const { profile } = profileOf(sunday, 'Asia/Tokyo', [() => 1, () => -3]);
    expect(usualPower([profile], () => ofQuarter)?.median).toBe(-8);
    expect(usualEnergy([profile], () => ofQuarter)?.median).toBe(1);
  });

  it('a device that is too new is left out and listed; the others determine the result', () => {
    const { added, profile } = profileOf(sunday, 'Asia/Tokyo', [
      () => 2,
      (micros) => (micros >= sunday.fromMicros - 3 * slotMicros ? 50 : null),
    ]);
    expect(added).toEqual([true, false]);
    expect(usualEnergy([profile], () => ofQuarter)).toMatchObject({ median: 2, weekCount: 8 });
  });

  it('when clocks go forward an hour does not exist: that week is left out of it', () => {
    // Berlin, 29 March 2026: 02:00 to 03:00 does not exist.
    const zone = 'Europe/Berlin';
    const later = dayOfZone('2026-04-12', zone);
    const { profile } = profileOf(later, zone, [() => 1]);
    const hour = (from: string, to: string) => ({ fromMicros: at(from), toMicros: at(to) });
    const weeksAt = (span: MicrosRange) => usualPower([profile], () => span)?.weekCount;
    expect(weeksAt(hour('2026-04-12T00:00:00Z', '2026-04-12T01:00:00Z'))).toBe(7);
    expect(weeksAt(hour('2026-04-12T01:00:00Z', '2026-04-12T02:00:00Z'))).toBe(8);
    // 92 of the 96 quarter-hours of that day are known, so the day counts.
    expect(usualEnergy([profile], () => later)).toMatchObject({ median: 96, weekCount: 8 });
  });

  it('a day of 25 hours is compared with 25 hours; the hour that occurs twice with the same one', () => {
    const zone = 'Europe/Berlin';
    const autumn = dayOfZone('2026-10-25', zone);
    const { profile } = profileOf(autumn, zone, [
      (micros) => (new Temporal.ZonedDateTime(BigInt(micros) * 1000n, zone).hour === 2 ? 5 : 1),
    ]);
    expect(usualEnergy([profile], () => autumn)?.median).toBe(92 + 8 * 5);
    // A week later, the hour that occurred twice counts as its first time.
    const next = dayOfZone('2026-11-01', zone);
    const secondTime = at('2026-10-25T01:00:00Z');
    const { profile: after } = profileOf(next, zone, [
      (micros) => (micros >= secondTime && micros < secondTime + 4 * slotMicros ? 1000 : 1),
    ]);
    expect(usualEnergy([after], () => next)).toMatchObject({ median: 96, high: 96 });
  });

  it.each([0, 0.25, 2, 2.5])(
    'the second of two equal autumn hours never counts, even if its day is typical: %d kWh',
    (second) => {
      const zone = 'Europe/Berlin';
      const next = dayOfZone('2026-11-01', zone);
      const secondTime = at('2026-10-25T01:00:00Z');
      const { profile } = profileOf(next, zone, [
        (micros) => (micros >= secondTime && micros < secondTime + 4 * slotMicros ? second : 1),
      ]);
      const band = { low: 96, median: 96, high: 96, weekCount: 8 };
      expect(usualEnergy([profile], () => next)).toEqual(band);
      const hour = { fromMicros: at('2026-11-01T01:00:00Z'), toMicros: at('2026-11-01T02:00:00Z') };
      expect(usualPower([profile], () => hour)).toEqual({ low: 4, median: 4, high: 4, weekCount: 8 });
    },
  );

  describe('an hour takes at most a quarter of itself from other weeks', () => {
    const hour = { fromMicros: sunday.fromMicros, toMicros: sunday.fromMicros + 4 * slotMicros };
    const isLatest = (micros: number) => weekOf(hour, micros) === 0;
    const quarterOf = (micros: number) => {
      const local = new Temporal.ZonedDateTime(BigInt(micros) * 1000n, 'Asia/Tokyo');
      return local.dayOfWeek === 7 && local.hour === 0 ? Math.floor(local.minute / 15) : NaN;
    };
    it.each([
      [1, 8],
      [2, 7],
      [3, 7],
    ])('%d of four quarter-hours of a week from the others: %d weeks count', (borrowed, weekCount) => {
      const { profile } = profileOf(hour, 'Asia/Tokyo', [
        (micros) => (isLatest(micros) && quarterOf(micros) < borrowed ? null : 2),
      ]);
      expect(usualEnergy([profile], () => hour)).toEqual({ low: 8, median: 8, high: 8, weekCount });
    });

    it.each([
      [1, { low: 16, median: 16, high: 16, weekCount: 8 }],
      [2, null],
    ])('%d of four that no week has are filled in like the others: %o', (untold, expected) => {
      // One of two devices is silent on those days, so that no week has enough of them.
      const silentIn = (isSilent: (week: number) => boolean) => (micros: number) =>
        quarterOf(micros) < untold && isSilent(weekOf(hour, micros)) ? null : 2;
      const { added, profile } = profileOf(hour, 'Asia/Tokyo', [
        silentIn((week) => week < 4),
        silentIn((week) => week >= 4),
      ]);
      expect(added).toEqual([true, true]);
      expect(usualEnergy([profile], () => hour)).toEqual(expected);
    });
  });

  it('each zone has its own local time: the same instant is another place', () => {
    const [tokyo, berlin] = [dayOfZone('2026-06-14', 'Asia/Tokyo'), dayOfZone('2026-06-14', 'Europe/Berlin')];
    const noon = (zone: string) => (micros: number) =>
      new Temporal.ZonedDateTime(BigInt(micros) * 1000n, zone).hour === 12 ? 1 : 0;
    const zones = [
      profileOf(tokyo, 'Asia/Tokyo', [noon('Asia/Tokyo')]).profile,
      profileOf(berlin, 'Europe/Berlin', [noon('Europe/Berlin')]).profile,
    ];
    expect(usualEnergy(zones, (zone) => (zone === 0 ? tokyo : berlin))?.median).toBe(8);
    const berlinNoon = { fromMicros: at('2026-06-14T10:00:00Z'), toMicros: at('2026-06-14T11:00:00Z') };
    expect(usualPower(zones, () => berlinNoon)?.median).toBe(4);
  });

  it('a range of several weeks has the same weeks before all of it', () => {
    const month = daysIn({ fromDate: '2026-06-01', toDate: '2026-07-01' }, 'UTC');
    const { profile } = profileOf(month, 'UTC', [(micros) => weekOf(month, micros) + 1]);
    // 30 days of 96 quarter-hours at the energy of each week.
    expect(usualEnergy([profile], () => month)?.median).toBeCloseTo(30 * 96 * 4.5, 6);
  });
});
