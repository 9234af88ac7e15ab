import type { Big } from 'big.js';
import { listTariffs } from '../rates/tariffs.sql.ts';
import type { SiteRanges } from '../base/ranges.ts';
import { createNightLoad, planNights, yearlyCost } from './base-load.rules.ts';
import { addsUp } from '../rates/energy-totals.rules.ts';
import { minorDigits, roundMoney, zero } from '../base/money.ts';
import { localDays } from '../rates/price-timeline.rules.ts';
import type { EnergySnapshot } from '../energy/read-energy.ts';
import { eachDevice, isMeasuring } from './read-usual.ts';
import { dayMicros } from '../base/instants.ts';

/** The base load at the end of a range, each municipality by its own nights and tariff. The snapshot must hold `baseLoadDays`. */
export async function readBaseLoad(snapshot: EnergySnapshot, ranges: SiteRanges, nowMicros: number) {
  const devices = snapshot.devices.filter(addsUp);
  const endOf = (timeZone: string) => Math.min(ranges.of(timeZone).toMicros, nowMicros);
  const loads = new Map(
    devices.map(({ municipalityId, timeZone }) => {
      const nights = planNights(endOf(timeZone), timeZone);
      return [municipalityId, { timeZone, nights, load: createNightLoad(nights) }];
    }),
  );
  const nights = [...loads.values()].map((own) => own.nights);
  const fromDay = Math.min(...nights.map((own) => own.fromDay));
  const toDay = Math.max(...nights.map((own) => own.toDay));
  if (nights.length > 0) {
    const within = { fromMicros: fromDay * dayMicros, toMicros: toDay * dayMicros };
    await eachDevice(snapshot, { devices, spans: [{ fromDay, toDay }], within }, ({ id, municipalityId }, measured) =>
      loads.get(municipalityId)?.load.addDevice(measured, id),
    );
  }
  const tariffs = await listTariffs(snapshot.tx, [...loads.keys()]);
  const leftOut = new Set<string>();
  const found = [...loads].flatMap(([municipalityId, { timeZone, load }]) => {
    const own = load.close();
    const all = devices.filter((one) => one.municipalityId === municipalityId).map(({ id }) => id);
    for (const id of own === null ? all : load.listLeftOut()) leftOut.add(id);
    const day = { fromMicros: endOf(timeZone) - 1, toMicros: endOf(timeZone) };
    const [last] = localDays(day, timeZone, tariffs.get(municipalityId) ?? []);
    return own === null ? [] : [{ ...own, tariff: last?.tariff ?? null }];
  });
  const costs = new Map<string, Big>();
  let unpricedKw = 0;
  for (const { kw, tariff } of found) {
    if (tariff === null) unpricedKw += kw;
    else costs.set(tariff.currency, (costs.get(tariff.currency) ?? zero).plus(yearlyCost(tariff, kw)));
  }
  return {
    /** The base load of all municipalities together; null if none has enough nights. */
    kw: found.length === 0 ? null : found.reduce((sum, { kw }) => sum + kw, 0),
    /** Those that measure, but not for long enough to be in it. */
    leftOut: devices.filter((one) => leftOut.has(one.id) && isMeasuring(one, endOf(one.timeZone))),
    /** The fewest nights that one of them is based on. */
    nightCount: found.length === 0 ? 0 : Math.min(...found.map((own) => own.nightCount)),
    /** The part of it in no cost, because no tariff is in force there. */
    unpricedKw,
    /** What it costs a year, by currency in the order of the codes, rounded. */
    costs: new Map(
      [...costs]
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([currency, cost]) => [currency, roundMoney(cost, minorDigits(currency))]),
    ),
  };
}
