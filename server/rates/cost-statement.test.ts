import { describe, expect, it } from 'vitest';
import { type ChargedSite, stateCosts } from './cost-statement.rules.ts';
import { addImported, emptyPricedEnergy, paysFixedCharge, type PricedEnergy } from './costs.rules.ts';
import { money } from '../base/money.ts';
import { noTariffDays, type Tariff, type TariffPeriod } from './tariffs.rules.ts';

const tariff: Tariff = {
  id: 'tariff',
  name: 'T',
  currency: 'EUR',
  isActive: true,
  effectiveFrom: '2026-01-01',
  effectiveTo: null,
  defaultRatePerKwh: money('0.005'),
  fixedChargePerMonth: money(0),
  vatPercent: money(0),
  exportRatePerKwh: null,
  periods: [],
};
const period = (name: string, rate: string): TariffPeriod => ({
  id: `${name} at ${rate}`,
  name,
  daysOfWeek: 127,
  startMinute: 0,
  endMinute: 60,
  ratePerKwh: money(rate),
});

function priced(...lines: [period: TariffPeriod | null, kwh: number][]): PricedEnergy {
  const all = emptyPricedEnergy();
  for (const [period, importedKwh] of lines) addImported(all, { tariff, period, importedKwh, interpolatedKwh: 0 });
  return all;
}
const site = (given: Partial<ChargedSite> & Pick<ChargedSite, 'priced'>): ChargedSite => ({
  siteId: 'site',
  days: noTariffDays,
  devices: [],
  ...given,
});

describe('energy-and-cost 7: the displayed amounts add up', () => {
  it('the devices of a site add up to its energy cost, even if each of them ends in half a cent', () => {
    const devices = [1, 2].map((number) => ({ number, priced: priced([null, 1]), addsUp: true }));
    const statement = stateCosts([site({ priced: priced([null, 2]), devices })]);
    expect(statement.costs[0]?.energyCost).toBe(0.01);
    const shown = [1, 2].map((number) => statement.devices.get(number)?.[0]?.energyCost ?? NaN);
    expect(shown.toSorted((a, b) => a - b)).toEqual([0, 0.01]);
  });

  it('a device below another one is rounded separately', () => {
    const devices = [1, 2].map((number) => ({ number, priced: priced([null, 1]), addsUp: number === 1 }));
    const statement = stateCosts([site({ priced: priced([null, 1]), devices })]);
    expect([...statement.devices.values()].map(([own]) => own?.energyCost)).toEqual([0.01, 0.01]);
  });
});

describe('energy-and-cost 8: a line has one name and one rate', () => {
  it('lines with the same name and rate are merged, whichever tariff they come from; another rate is another line', () => {
    const [first, second, dearer] = [period('Night', '1'), period('Night', '1'), period('Night', '2')];
    const { lines } = stateCosts([site({ priced: priced([first, 3], [second, 4], [dearer, 5]) })]);
    expect(lines.map(({ name, ratePerKwh, energyKwh, cost }) => [name, ratePerKwh, energyKwh, cost])).toEqual([
      ['Night', 1, 7, 7],
      ['Night', 2, 5, 10],
    ]);
  });
});

describe('energy-and-cost 7: a site pays its fixed charge', () => {
  it.each([
    ['with an active device', [false, true], true],
    ['not with inactive devices alone', [false, false], false],
    ['not without a device', [], false],
  ])('%s', (_rule, active, pays) => {
    expect(paysFixedCharge(active.map((isActive) => ({ isActive })))).toBe(pays);
  });
});
