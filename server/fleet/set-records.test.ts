import { expect, test } from 'vitest';
import { money } from '../base/money.ts';
import { SetRecords } from './set-records.rules.ts';

const period = (id: string, startMinute = 0, endMinute = 60) => ({
  id,
  name: id,
  daysOfWeek: 127,
  startMinute,
  endMinute,
  ratePerKwh: money(1),
});
const tariff = (id: string, periods: ReturnType<typeof period>[]) => ({
  id,
  name: id,
  currency: 'EUR',
  isActive: true,
  effectiveFrom: '2026-01-01',
  effectiveTo: null,
  defaultRatePerKwh: money(1),
  fixedChargePerMonth: money(0),
  vatPercent: money(0),
  exportRatePerKwh: null,
  periods,
});

test('Of records with the same id, the first counts', () => {
  const records = new SetRecords();
  expect(records.add('a')).toBeNull();
  expect(records.add('b')).toBeNull();
  expect(records.add('a')).toEqual({ code: 'idTwice', params: {}, field: 'id' });
  expect([...records.ids]).toEqual(['a', 'b']);
});

test('Of tariff periods with the same id, the first counts too, unless its tariff is rejected', () => {
  const records = new SetRecords();
  expect(records.addTariff(tariff('a', [period('1'), period('1', 60, 120)]))).toMatchObject({
    code: 'periodIdTwice',
    field: 'periods.1.id',
  });
  expect(records.addTariff(tariff('a', [period('1', 30, 30)]))).toMatchObject({
    code: 'periodWithoutLength',
    field: 'periods.0.endTime',
  });
  expect(records.addTariff(tariff('a', [period('1')]))).toBeNull();
  expect(records.addTariff(tariff('b', [period('2'), period('1', 60, 120)]))).toMatchObject({
    code: 'periodIdTwice',
    field: 'periods.1.id',
  });
  expect(records.addTariff(tariff('b', [period('2')]))).toBeNull();
});
