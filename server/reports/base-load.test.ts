import { describe, expect, it } from 'vitest';
import { baseLoads } from '../../test/support/vectors.ts';
import { baseLoadNights, createNightLoad, planNights, yearlyCost } from './base-load.rules.ts';
import { emptyEnergy, slotMicros, slotsPerDay } from '../energy/energy.rules.ts';
import { money } from '../base/money.ts';
import type { Tariff } from '../rates/tariffs.rules.ts';
import { dayMicros } from '../base/instants.ts';

const at = (instant: string) => Temporal.Instant.from(instant).epochMilliseconds * 1000;
const end = at('2026-06-14T23:00:00Z');

/** The known power of a device: kW by slot since 1970. */
function measured(nights: ReturnType<typeof planNights>, kwAt: (slot: number) => number | null) {
  const firstSlot = nights.fromDay * slotsPerDay;
  const energy = emptyEnergy((nights.toDay - nights.fromDay) * slotsPerDay);
  const known = [];
  for (let slot = 0; slot < energy.importedKwh.length; slot += 1) {
    const kw = kwAt(firstSlot + slot);
    if (kw === null) continue;
    energy.importedKwh[slot] = kw / 4;
    const fromMicros = (firstSlot + slot) * slotMicros;
    known.push({ fromMicros, toMicros: fromMicros + slotMicros });
  }
  return { firstSlot, energy, known };
}

describe('the base load (docs/energy.md)', () => {
  it.each(baseLoads)('$id $name', ({ nights, expected }) => {
    const planned = planNights(end, 'UTC');
    const load = createNightLoad(planned);
    const lastDay = Math.floor(end / dayMicros);
    load.addDevice(
      measured(planned, (slot) => nights[lastDay - Math.floor(slot / slotsPerDay)]?.[slot % slotsPerDay] ?? null),
    );
    expect(load.close()).toEqual(expected);
  });

  it('is that of the sum of the devices, which are quiet at different times', () => {
    const planned = planNights(end, 'UTC');
    const load = createNightLoad(planned);
    for (const quietHour of [1, 4])
      load.addDevice(measured(planned, (slot) => (Math.floor((slot % slotsPerDay) / 4) === quietHour ? 0 : 3)));
    expect(load.close()).toEqual({ kw: 3, nightCount: baseLoadNights });
  });

  it('is that of an hour without a gap, even if a filled gap beside quiet quarters would be less', () => {
    const planned = planNights(end, 'UTC');
    const load = createNightLoad(planned);
    const kwOf = (quarter: number) => (quarter === 5 ? null : [3, 4, 6].includes(quarter) ? 0 : 8);
    load.addDevice(measured(planned, (slot) => kwOf(slot % slotsPerDay)));
    expect(load.close()).toEqual({ kw: 4, nightCount: baseLoadNights });
  });

  it('a device of twenty that lacks a night counts with its usual night values', () => {
    const planned = planNights(end, 'UTC');
    const load = createNightLoad(planned);
    for (let device = 0; device < 20; device += 1)
      load.addDevice(
        measured(planned, (slot) => (device === 0 && Math.floor(slot / slotsPerDay) % 2 === 0 ? null : 2)),
      );
    expect(load.close()).toEqual({ kw: 40, nightCount: baseLoadNights });
  });

  it('a device that is newer than the others is left out; if all are new, they count', () => {
    const planned = planNights(end, 'UTC');
    const ofDays = (days: number) => (slot: number) => (slot >= end / slotMicros - days * slotsPerDay ? 2 : null);
    const baseOf = (...known: number[]) => {
      const load = createNightLoad(planned);
      for (const days of known) load.addDevice(measured(planned, ofDays(days)), `of ${days} days`);
      return { ...load.close(), leftOut: load.listLeftOut() };
    };
    expect(baseOf(40, 5)).toEqual({ kw: 2, nightCount: baseLoadNights, leftOut: ['of 5 days'] });
    expect(baseOf(5)).toEqual({ kw: 2, nightCount: 5, leftOut: [] });
  });

  it('a night is from midnight to six in the time zone of the site, also when clocks change', () => {
    const zone = 'Europe/Berlin';
    const { slots } = planNights(at('2026-03-30T10:00:00Z'), zone);
    // The latest nights come last; on 29 March 02:00 to 03:00 does not exist.
    expect([...slots.subarray(-24)].slice(0, 2)).toEqual(
      [0, 1].map((slot) => at('2026-03-29T22:00:00Z') / slotMicros + slot),
    );
    expect([...slots.subarray(-48, -24)].filter((slot) => slot === -1)).toHaveLength(4);
    expect(new Set(slots.filter((slot) => slot !== -1)).size).toBe(baseLoadNights * 24 - 4);
  });

  it('an autumn night has the first of two equal hours, and each night its own six', () => {
    const { slots } = planNights(at('2026-10-25T10:00:00Z'), 'Europe/Berlin');
    const slotOf = (instant: string) => at(instant) / slotMicros;
    // 02:00 to 03:00 occurs at 00:00 and at 01:00 UTC.
    const first = [...Array(12).keys()].map((slot) => slotOf('2026-10-24T22:00:00Z') + slot);
    const second = [...Array(12).keys()].map((slot) => slotOf('2026-10-25T02:00:00Z') + slot);
    expect([...slots.subarray(-24)]).toEqual([...first, ...second]);
    expect(slots).not.toContain(slotOf('2026-10-25T01:00:00Z'));
  });

  it('the second of two equal autumn hours changes nothing', () => {
    const planned = planNights(at('2026-10-25T10:00:00Z'), 'Europe/Berlin');
    const secondHour = at('2026-10-25T01:00:00Z') / slotMicros;
    const baseOf = (kwThen: number) => {
      const load = createNightLoad(planned);
      // Three nights are known: two of 4 kW, and the one in autumn of 6 kW, so that a quieter hour in it would change the median.
      const firstNight = at('2026-10-22T22:00:00Z') / slotMicros;
      const lastNight = at('2026-10-24T22:00:00Z') / slotMicros;
      load.addDevice(
        measured(planned, (slot) => {
          if (slot < firstNight) return null;
          if (slot >= secondHour && slot < secondHour + 4) return kwThen;
          return slot < lastNight ? 4 + Math.floor((slot - firstNight) / slotsPerDay) * 4 : 6;
        }),
      );
      return load.close();
    };
    expect(baseOf(6)).toEqual({ kw: 6, nightCount: 3 });
    expect(baseOf(0)).toEqual({ kw: 6, nightCount: 3 });
  });

  it('costs per year its energy at the mean rate of a week, and VAT', () => {
    const tariff: Tariff = {
      id: '',
      name: '',
      currency: 'EUR',
      isActive: true,
      effectiveFrom: '2026-01-01',
      effectiveTo: null,
      defaultRatePerKwh: money('0.3'),
      fixedChargePerMonth: money(100),
      vatPercent: money(20),
      exportRatePerKwh: null,
      // Six hours of every day.
      periods: [
        { id: '', name: 'Night', daysOfWeek: 127, startMinute: 1320, endMinute: 240, ratePerKwh: money('0.1') },
      ],
    };
    expect(yearlyCost(tariff, 2).toNumber()).toBeCloseTo(2 * 8760 * 0.25 * 1.2, 9);
  });
});
