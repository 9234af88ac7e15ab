import type { BenchPortal } from './portal.ts';

const everyDay = 127;
const terms = {
  currency: 'EUR',
  defaultRatePerKwh: 0.31,
  fixedChargePerMonth: 12.5,
  vatPercent: 19,
  periods: [
    { name: 'Day', daysOfWeek: everyDay, startTime: '06:00', endTime: '22:00', ratePerKwh: 0.3415 },
    { name: 'Night', daysOfWeek: everyDay, startTime: '22:00', endTime: '06:00', ratePerKwh: 0.2235 },
  ],
};

/** A tariff with a day and a night rate for each calendar year of a range (epoch milliseconds), as an old portal has them. */
export async function addTariffs(portal: BenchPortal, fromMs: number, toMs: number): Promise<void> {
  for (let year = new Date(fromMs).getUTCFullYear(); year <= new Date(toMs).getUTCFullYear(); year += 1) {
    const dates = { effectiveFrom: `${year}-01-01`, effectiveTo: `${year + 1}-01-01` };
    const tariff = { municipalityId: portal.municipalityId, name: `Standard ${year}`, ...dates, ...terms };
    await portal.sendSignedIn('POST', '/api/admin/rates/tariffs', JSON.stringify(tariff));
  }
}
