import { describe, expect, it } from 'vitest';
import { money } from '../base/money.ts';
import { shiftTariffs } from './cost-comparison.rules.ts';
import type { Tariff } from './tariffs.rules.ts';

const tariff = (id: string, effectiveFrom: string, effectiveTo: string | null = null): Tariff => ({
  id,
  name: id,
  currency: 'EUR',
  isActive: true,
  effectiveFrom,
  effectiveTo,
  defaultRatePerKwh: money('0.3'),
  fixedChargePerMonth: money(10),
  vatPercent: money(19),
  exportRatePerKwh: null,
  periods: [],
});
const zone = 'Europe/Berlin';
const days = (from: string, to: string) => ({
  fromMicros: Temporal.ZonedDateTime.from(`${from}[${zone}]`).epochMilliseconds * 1000,
  toMicros: Temporal.ZonedDateTime.from(`${to}[${zone}]`).epochMilliseconds * 1000,
});
const [september, october] = [days('2026-09-01', '2026-10-01'), days('2026-10-01', '2026-11-01')];
const shifted = (tariffs: readonly Tariff[], current = october, other = september) =>
  shiftTariffs(tariffs, zone, { current, other })?.map((one) => [one.id, one.effectiveFrom, one.effectiveTo]) ?? null;

describe('the prices of another range, day by day', () => {
  it('are equal if one tariff applies in both, whatever its name was before', () => {
    expect(shifted([tariff('a', '2026-01-01')])).toBeNull();
    expect(shifted([tariff('old', '2020-01-01'), tariff('a', '2026-09-01')])).toBeNull();
    expect(shifted([])).toBeNull();
  });

  it('a tariff that begins in between is not in force: the longer month has the last price of the shorter one', () => {
    expect(shifted([tariff('new', '2026-10-01'), tariff('old', '2026-01-01')])).toEqual([['old', '2026-10-01', null]]);
    expect(shifted([tariff('new', '2026-10-17'), tariff('old', '2026-01-01')])).toEqual([['old', '2026-10-01', null]]);
  });

  it('a change on the tenth day there is one on the tenth day here', () => {
    expect(shifted([tariff('new', '2026-09-10'), tariff('old', '2026-01-01')])).toEqual([
      ['old', '2026-10-01', '2026-10-10'],
      ['new', '2026-10-10', null],
    ]);
  });

  it('days without a tariff there have none here; energy without a price stays without one', () => {
    expect(shifted([tariff('a', '2026-10-01')])).toEqual([]);
    expect(shifted([tariff('a', '2026-09-05', '2026-09-20')])).toEqual([['a', '2026-10-05', '2026-10-20']]);
  });

  it('a change after the end of a shorter range has no effect', () => {
    const three = days('2026-10-01', '2026-10-04');
    expect(shifted([tariff('new', '2026-09-10'), tariff('old', '2026-01-01')], three)).toEqual([
      ['old', '2026-10-01', null],
    ]);
  });

  it('an inactive tariff prices nothing there', () => {
    expect(shifted([{ ...tariff('off', '2026-09-01'), isActive: false }, tariff('a', '2026-01-01')])).toBeNull();
  });
});
