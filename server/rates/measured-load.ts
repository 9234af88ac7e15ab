import type { Database } from '../database/pool.ts';
import { sameEverywhere } from '../base/ranges.ts';
import { paysFixedCharge } from './costs.rules.ts';
import { emptyEnergy } from '../energy/energy.rules.ts';
import { dayOf, energyColumns, slotsPerDay } from '../energy/energy-day.rules.ts';
import { addsUp } from './energy-totals.rules.ts';
import type { SimulatedLoad } from './simulation.rules.ts';
import { openClip } from '../energy/clip-days.ts';
import { type EnergyQuestion, readEnergy } from '../energy/read-energy.ts';
import { dayMicros } from '../base/instants.ts';

const daysAtOnce = 61;

/** The energy of devices over a range together by quarter-hour, and the number of sites that have an active one. */
export async function measuredLoad(database: Database, question: EnergyQuestion): Promise<SimulatedLoad> {
  const { range } = question;
  return readEnergy(database, question, async (snapshot) => {
    const [firstDay, lastDay] = [dayOf(range.fromMicros), dayOf(range.toMicros - 1) + 1];
    const slots = { ...emptyEnergy((lastDay - firstDay) * slotsPerDay), startMicros: firstDay * dayMicros, range };
    const one = emptyEnergy(slotsPerDay);
    const clip = await openClip(snapshot, sameEverywhere(range));
    const days = snapshot.clipDays(range);
    const deviceNumbers = snapshot.devices.filter(addsUp).map(({ number }) => number);
    for (let { fromDay } = days; fromDay < days.toDay; fromDay += daysAtOnce) {
      const toDay = Math.min(days.toDay, fromDay + daysAtOnce);
      for (const day of await snapshot.listDays({ deviceNumbers, fromDay, toDay })) {
        for (const name of energyColumns) one[name].fill(0);
        clip(day).fillEnergy(one, 0);
        const start = (day.day - firstDay) * slotsPerDay;
        for (const name of energyColumns) {
          for (const [slot, kwh] of one[name].entries())
            slots[name][start + slot] = (slots[name][start + slot] ?? 0) + kwh;
        }
      }
      await snapshot.yieldOrAbort();
    }
    const sites = [...Map.groupBy(snapshot.devices, (device) => device.siteId).values()];
    return { slots, siteCount: sites.filter(paysFixedCharge).length };
  });
}
