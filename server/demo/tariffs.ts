import { randomUUIDv7 } from 'node:crypto';
import type { MunicipalityTariff } from '../rates/tariffs.sql.ts';
import { money } from '../base/money.ts';
import { minuteOfDay } from '../rates/tariffs.rules.ts';

export interface DemoTariff {
  /** It starts this many months before the month in which the demo begins; the history is shorter than two years. */
  monthsBefore: number;
  terms: Omit<MunicipalityTariff, 'id' | 'municipalityId' | 'isActive' | 'effectiveFrom' | 'effectiveTo'>;
}

const workdays = 31;
const everyDay = 127;

/** Decimals are texts, as they are printed on a price list. */
const period = (name: string, daysOfWeek: number, startTime: string, endTime: string, ratePerKwh: string) => ({
  id: randomUUIDv7(),
  name,
  daysOfWeek,
  startMinute: minuteOfDay(startTime),
  endMinute: minuteOfDay(endTime),
  ratePerKwh: money(ratePerKwh),
});

/** The prices went up with the month before the demo began, so that the history has two tariffs. */
const berlin = (monthsBefore: number, rates: { day: string; night: string; weekend: string }): DemoTariff => ({
  monthsBefore,
  terms: {
    name: monthsBefore > 1 ? 'Business day and night (former)' : 'Business day and night',
    currency: 'EUR',
    defaultRatePerKwh: money(rates.weekend),
    fixedChargePerMonth: money('18.9'),
    vatPercent: money('19'),
    exportRatePerKwh: null,
    periods: [
      period('Day', workdays, '06:00', '22:00', rates.day),
      period('Night', everyDay, '22:00', '06:00', rates.night),
    ],
  },
});
export const berlinTariffs = [
  berlin(24, { day: '0.2784', night: '0.2139', weekend: '0.2391' }),
  berlin(1, { day: '0.2919', night: '0.2246', weekend: '0.2508' }),
];

export const puneTariffs: readonly DemoTariff[] = [
  {
    monthsBefore: 24,
    terms: {
      name: 'Industrial time-of-day with net feed-in',
      currency: 'INR',
      defaultRatePerKwh: money('8.36'),
      fixedChargePerMonth: money('14850'),
      vatPercent: money('7.5'),
      exportRatePerKwh: money('2.9'),
      periods: [
        period('Day, solar hours', everyDay, '09:00', '17:00', '7.11'),
        period('Evening peak', everyDay, '17:00', '24:00', '10.03'),
        period('Night', everyDay, '00:00', '06:00', '7.94'),
      ],
    },
  },
];

export const chicagoTariffs: readonly DemoTariff[] = [
  {
    monthsBefore: 24,
    terms: {
      name: 'General service time-of-use',
      currency: 'USD',
      defaultRatePerKwh: money('0.0934'),
      fixedChargePerMonth: money('61.25'),
      vatPercent: money('5'),
      exportRatePerKwh: null,
      periods: [
        period('Day', workdays, '06:00', '14:00', '0.1086'),
        period('Peak', workdays, '14:00', '19:00', '0.1753'),
        period('Night', everyDay, '22:00', '06:00', '0.0641'),
      ],
    },
  },
];

/** The tariffs of a municipality, for a demo that began on this day (days since 1970-01-01); each holds until the next one does. */
export function demoTariffs(
  municipalityId: string,
  tariffs: readonly DemoTariff[],
  firstDay: number,
): MunicipalityTariff[] {
  const month = Temporal.PlainDate.from('1970-01-01').add({ days: firstDay }).with({ day: 1 });
  const startOf = ({ monthsBefore }: DemoTariff) => month.subtract({ months: monthsBefore }).toString();
  return tariffs.map((tariff, at) => {
    const next = tariffs[at + 1];
    return {
      ...tariff.terms,
      id: randomUUIDv7(),
      municipalityId,
      isActive: true,
      effectiveFrom: startOf(tariff),
      effectiveTo: next === undefined ? null : startOf(next),
    };
  });
}
