import { describe, expect, test } from 'vitest';
import { quantityAt, type Reading } from '../base/quantities.ts';
import { createMeters } from './meter.ts';
import { demoSites, worlds } from './sites.ts';

// A Saturday, so that the weekdays of earlier events are known.
const firstDay = Date.parse('2026-11-21') / 86_400_000;
const meters = createMeters({ seed: 1, firstDay });

const secondOf = (instant: string) => Date.parse(instant) / 1000;
const meterOf = (externalId: string, from = meters) => {
  const meter = from.find((candidate) => candidate.externalId === externalId);
  if (meter === undefined) throw new Error(`no meter ${externalId}`);
  return meter;
};
const readings = (externalId: string, from: string, to: string, step = 60): Reading[] => {
  const found: Reading[] = [];
  for (let second = secondOf(from); second < secondOf(to); second += step) {
    const reading = meterOf(externalId).reading(second);
    if (reading !== null) found.push(reading);
  }
  return found;
};
const kw = (list: readonly Reading[]) => list.map((reading) => Number(reading.activePower) / 1e6);
const mean = (list: readonly number[]) => list.reduce((sum, value) => sum + value, 0) / list.length;
const meanKw = (externalId: string, from: string, to: string) => mean(kw(readings(externalId, from, to)));
const register = (reading: Reading | undefined | null, which: 'energyImported' | 'energyExported') =>
  Number(reading?.[which]) / 1e6;
const sent = (reading: Reading, name: keyof typeof quantityAt) => reading.quantities[quantityAt[name]] ?? null;
const allDevices = demoSites.flatMap((site) => site.devices);

describe('the plan', () => {
  test('decisions.md 7: three sites in three time zones, ten devices, one of them inactive', () => {
    expect(demoSites.map((site) => site.place.timeZone)).toEqual(['Europe/Berlin', 'Asia/Kolkata', 'America/Chicago']);
    expect(new Set(demoSites.map((site) => site.name)).size).toBe(3);
    expect(allDevices).toHaveLength(10);
    expect(new Set(allDevices.map((device) => device.externalId)).size).toBe(10);
    expect(allDevices.filter((device) => device.retiredAt !== undefined).map((device) => device.externalId)).toEqual([
      'demo-cold-store-old-freezer',
    ]);
  });

  test('Demo__World=OneCountry: the same sites and devices in one time zone and currency', () => {
    const { sites, seed } = worlds.OneCountry;
    expect(sites.map(({ name }) => name)).toEqual(demoSites.map(({ name }) => name));
    expect(sites.flatMap(({ devices }) => devices.map((one) => one.externalId))).toEqual(
      allDevices.map((one) => one.externalId),
    );
    expect(new Set(sites.map(({ place }) => place.timeZone))).toEqual(new Set(['Europe/Berlin']));
    const tariffs = sites.flatMap((site) => site.tariffs);
    expect(new Set(tariffs.map(({ terms }) => terms.currency))).toEqual(new Set(['EUR']));
    // Each period is stored once.
    const periods = tariffs.flatMap(({ terms }) => terms.periods.map(({ id }) => id));
    expect(new Set(periods).size).toBe(periods.length);

    // Its roof feeds the grid on a Sunday in June, and hardly in December; never at night.
    const least = (date: string, hours: readonly number[]) => {
      const hall = meterOf(
        'demo-workshop-hall',
        createMeters({ seed, firstDay: Date.parse(date) / 86_400_000 }, sites),
      );
      const at = (hour: number) => hall.reading(Date.parse(date) / 1000 + hour * 3600)?.activePower;
      return Math.min(...hours.map((hour) => Number(at(hour)) / 1e6));
    };
    expect(least('2026-06-21', [9, 10, 11, 12])).toBeLessThan(-12);
    expect(least('2026-12-20', [9, 10, 11, 12])).toBeGreaterThan(-12);
    for (const date of ['2026-06-21', '2026-12-20']) expect(least(date, [0, 1, 2, 22, 23])).toBeGreaterThan(0);
  });
});

describe('readings are a function of seed, first day, device and instant', () => {
  const instants = ['2026-11-20T10:00:00Z', '2026-11-11T22:13:00Z', '2026-12-01T11:59:50Z', '2026-11-04T09:00:10Z'];

  test('two processes give the same readings, in any order', () => {
    const forward = createMeters({ seed: 1, firstDay });
    const backward = createMeters({ seed: 1, firstDay });
    const one = instants.map((instant) => forward.map((meter) => meter.reading(secondOf(instant))));
    const two = instants.toReversed().map((instant) =>
      backward
        .toReversed()
        .map((meter) => meter.reading(secondOf(instant)))
        .toReversed(),
    );
    expect(two.toReversed()).toEqual(one);
  });

  test('another seed gives different readings', () => {
    const second = secondOf('2026-11-20T10:00:00Z');
    const other = meterOf('demo-office-lighting', createMeters({ seed: 2, firstDay })).reading(second);
    expect(other?.activePower).not.toBe(meterOf('demo-office-lighting').reading(second)?.activePower);
  });

  test('live readings every ten seconds fit between those of the minutes: registers never step back', () => {
    for (const { externalId } of allDevices) {
      let last = Number.NEGATIVE_INFINITY;
      for (const reading of readings(externalId, '2026-11-20T23:50:00Z', '2026-11-21T00:10:00Z', 10)) {
        if (reading.energyImported === null) continue;
        expect(Number(reading.energyImported)).toBeGreaterThanOrEqual(last);
        last = Number(reading.energyImported);
      }
    }
  });
});

describe('a reading is plausible for a real meter', () => {
  const all = allDevices.flatMap(({ externalId }) =>
    readings(externalId, '2026-09-29T00:00:00Z', '2026-10-01T00:00:00Z', 420),
  );
  const complete = all.filter((reading) => sent(reading, 'apparentPowerKva') !== null);

  test('S² = P² + Q², and the power factor is P / S with its sign', () => {
    expect(complete.length).toBeGreaterThan(3000);
    for (const reading of complete) {
      const p = Number(reading.activePower) / 1e6;
      const q = Number(sent(reading, 'reactivePowerKvar')) / 1e6;
      const s = Number(sent(reading, 'apparentPowerKva')) / 1e6;
      expect(Math.abs(s - Math.hypot(p, q))).toBeLessThanOrEqual(0.001);
      expect(Math.abs(Number(sent(reading, 'powerFactor')) / 1e6 - p / s)).toBeLessThanOrEqual(0.001);
    }
  });

  test('voltage and frequency are those of the grid, and vary', () => {
    const grids = [
      ['demo-office-lighting', 231, 50],
      ['demo-workshop-hall', 236, 50],
      ['demo-cold-store-dock', 277, 60],
    ] as const;
    for (const [externalId, volts, hertz] of grids) {
      const day = readings(externalId, '2026-11-18T00:00:00Z', '2026-11-19T00:00:00Z');
      for (const reading of day) {
        expect(Math.abs(Number(sent(reading, 'voltageV')) / 1000 / volts - 1)).toBeLessThan(0.05);
        expect(Math.abs(Number(sent(reading, 'frequencyHz')) / 10_000 / hertz - 1)).toBeLessThan(0.002);
      }
      expect(new Set(day.map((reading) => sent(reading, 'voltageV'))).size).toBeGreaterThan(20);
    }
  });

  test('all quantities are integers in fixed units, with the resolution of a meter', () => {
    for (const reading of all) {
      expect(Number(reading.activePower) % 1000).toBeCloseTo(0, 12);
      for (const value of reading.quantities) if (value !== null) expect(Number.isSafeInteger(value)).toBe(true);
      if (reading.energyImported !== null) expect(Number(reading.energyImported) % 10_000).toBe(0);
    }
  });

  test('no device goes far beyond its rated power', () => {
    for (const { externalId, ratedPowerKw } of allDevices) {
      const most = Math.max(...kw(readings(externalId, '2026-10-05T00:00:00Z', '2026-10-12T00:00:00Z')).map(Math.abs));
      expect(most, externalId).toBeLessThan(ratedPowerKw);
      expect(most, externalId).toBeGreaterThan(ratedPowerKw * 0.25);
    }
  });

  test('the paint oven has no registers: it sends only active power', () => {
    const { timeMicros, quantities } = meterOf('demo-workshop-oven').reading(secondOf('2026-11-20T05:00:00Z')) ?? {};
    expect([typeof timeMicros, typeof quantities?.[quantityAt.activePowerKw]]).toEqual(['number', 'number']);
    expect(quantities?.filter((units) => units !== null)).toHaveLength(1);
  });
});

describe('registers are cumulative and match the power', () => {
  test.each(allDevices.filter(({ sends }) => sends !== 'power').map((device) => [device.externalId]))(
    '%s: the difference over a day is the energy of its minutes',
    (externalId) => {
      const [from, to] = ['2026-10-13T00:00:00Z', '2026-10-14T00:00:00Z'];
      const powers = kw(readings(externalId, from, to));
      const start = meterOf(externalId).reading(secondOf(from));
      const end = meterOf(externalId).reading(secondOf(to));
      const imported = powers.reduce((sum, value) => sum + Math.max(0, value), 0) / 60;
      const difference = register(end, 'energyImported') - register(start, 'energyImported');
      expect(Math.abs(difference - imported)).toBeLessThan(0.02 + 0.001 * imported);
      if (externalId !== 'demo-workshop-hall') return;
      const exported = powers.reduce((sum, value) => sum + Math.max(0, -value), 0) / 60;
      expect(exported).toBeGreaterThan(10);
      const fedIn = register(end, 'energyExported') - register(start, 'energyExported');
      expect(Math.abs(fedIn - exported)).toBeLessThan(0.02 + 0.001 * exported);
    },
  );

  test('one meter is replaced: no readings for a while, then its register starts from zero', () => {
    const list = readings('demo-office-servers', '2026-11-04T07:00:00Z', '2026-11-04T10:00:00Z');
    expect(list).toHaveLength(180 - 12);
    const steps = list
      .slice(1)
      .map((reading, index) => register(reading, 'energyImported') - register(list[index], 'energyImported'));
    const resets = steps.filter((step) => step < 0);
    expect(resets).toHaveLength(1);
    const after = list[1 + steps.findIndex((step) => step < 0)];
    expect(register(after, 'energyImported')).toBe(0);
    expect(register(list[0], 'energyImported')).toBeGreaterThan(10_000);
  });

  test('over 90 days no register goes below zero, and no other is reset', () => {
    const last = new Map<string, number>();
    const backwards: string[] = [];
    for (let day = firstDay - 90; day <= firstDay; day += 1) {
      for (const meter of meters) {
        const value = meter.reading(day * 86_400)?.energyImported;
        if (value === null || value === undefined) continue;
        expect(Number(value)).toBeGreaterThanOrEqual(0);
        if (Number(value) < (last.get(meter.externalId) ?? 0)) backwards.push(meter.externalId);
        last.set(meter.externalId, Number(value));
      }
    }
    expect(backwards).toEqual(['demo-office-servers']);
  });
});

describe('the main meter of the cold store', () => {
  const parts = allDevices.filter(({ partOf }) => partOf === 'demo-cold-store-main').map((part) => part.externalId);

  test('includes everything at the site: its sub-meters, the old freezer while it ran, and the chill room', () => {
    expect(parts).toHaveLength(3);
    for (const [day, own] of [
      ['2026-10-14', 3],
      ['2026-11-17', 2],
    ] as const) {
      const imported = (externalId: string) => {
        const [from, to] = ['00:00', '23:59'].map((at) => meterOf(externalId).reading(secondOf(`${day}T${at}:00Z`)));
        return from && to ? [register(to, 'energyImported') - register(from, 'energyImported')] : [];
      };
      const behind = parts.flatMap(imported);
      expect(behind).toHaveLength(own);
      const rest = (imported('demo-cold-store-main')[0] ?? 0) - behind.reduce((sum, kwh) => sum + kwh, 0);
      expect(rest).toBeGreaterThan(80);
      expect(rest).toBeLessThan(220);
    }
  });

  test('never uses less than its sub-meters together', () => {
    const main = kw(readings('demo-cold-store-main', '2026-11-16T00:00:00Z', '2026-11-18T00:00:00Z'));
    const behind = parts.map((externalId) => kw(readings(externalId, '2026-11-16T00:00:00Z', '2026-11-18T00:00:00Z')));
    const least = main.map((value, at) => value - behind.reduce((sum, list) => sum + (list[at] ?? 0), 0));
    expect(Math.min(...least)).toBeGreaterThan(0);
  });
});

describe('life at the sites', () => {
  // 2026-11-17 is a Tuesday, 2026-11-15 a Sunday.
  test('the office works from Monday to Friday in local time, with a dip at lunch', () => {
    const office = (day: number, from: string, to: string) =>
      meanKw('demo-office-lighting', `2026-11-${day}T${from}:00Z`, `2026-11-${day}T${to}:00Z`);
    const morning = office(17, '09:00', '10:30');
    expect(morning).toBeGreaterThan(4 * office(17, '01:00', '04:00'));
    expect(morning).toBeGreaterThan(4 * office(15, '09:00', '10:30'));
    expect(office(17, '11:20', '11:40')).toBeLessThan(0.93 * morning);
  });

  test('heating uses more in winter than in September', () => {
    const winter = meanKw('demo-office-heat-pump', '2027-01-11T00:00:00Z', '2027-01-15T00:00:00Z');
    const september = meanKw('demo-office-heat-pump', '2026-09-14T00:00:00Z', '2026-09-18T00:00:00Z');
    expect(winter).toBeGreaterThan(1.5 * september);
  });

  test('the workshop exports on Sunday at noon, imports during the shift, and never exports at night', () => {
    expect(meanKw('demo-workshop-hall', '2026-11-15T06:30:00Z', '2026-11-15T07:30:00Z')).toBeLessThan(-10);
    expect(meanKw('demo-workshop-hall', '2026-11-17T12:00:00Z', '2026-11-17T12:20:00Z')).toBeGreaterThan(5);
    const nights = kw(readings('demo-workshop-hall', '2026-11-17T14:00:00Z', '2026-11-18T00:00:00Z'));
    expect(Math.min(...nights)).toBeGreaterThan(0);
  });

  test('the freezer cycles', () => {
    const day = kw(readings('demo-cold-store-freezer', '2026-11-17T06:00:00Z', '2026-11-18T06:00:00Z'));
    const isOn = day.map((value) => value > 20);
    const starts = isOn.filter((on, minute) => on && isOn[minute - 1] === false).length;
    expect(starts).toBeGreaterThan(25);
  });

  test('the old freezer was taken out of service; it has readings before and none after', () => {
    expect(meterOf('demo-cold-store-old-freezer').reading(secondOf('2026-10-18T19:59:00Z'))).not.toBeNull();
    expect(meterOf('demo-cold-store-old-freezer').reading(secondOf('2026-10-18T20:00:00Z'))).toBeNull();
    expect(meterOf('demo-cold-store-old-freezer').reading(secondOf('2027-10-18T20:00:00Z'))).toBeNull();
  });
});
