import { openClip } from '../energy/energy-reader.ts';
import { maxTariffBodyBytes, simulation, type SimulationResult, simulationResult } from '../../shared/rates.ts';
import { yieldOrAbort } from '../database/turns.ts';
import { presentRange, rangesOf, refuseTooLong, sameEverywhere } from '../base/ranges.ts';
import { limiterOf } from '../base/budgets.ts';
import { stated } from './cost-statement.rules.ts';
import { constantLoad, simulate, type SimulatedLoad } from './simulation.rules.ts';
import { refuseInvalidPeriods } from './tariffs.rules.ts';
import { readTerms } from './tariffs.ts';
import { allDevices, type DeviceScope } from '../base/scopes.ts';
import { clientGone, turnOf } from '../http/client-gone.ts';
import type { ClientParts } from '../http/client-parts.ts';
import { readRange } from '../http/ranges.ts';
import type { App } from '../http/guard.ts';
import type { Database } from '../database/pool.ts';
import { paysFixedCharge } from './costs.rules.ts';
import { emptyEnergy, dayOf, energyColumns, slotsPerDay } from '../energy/energy.rules.ts';
import { addsUp } from '../energy/device-tree.rules.ts';
import { type EnergyQuestion, readEnergy } from '../energy/read-energy.ts';
import { dayMicros } from '../base/instants.ts';

const maxDays = 3660;

/** `POST /api/rates/simulate`: what a load would cost on a tariff, stored or not. */
export async function simulationRoutes(app: App, { guard, database }: ClientParts): Promise<void> {
  const simulations = limiterOf('simulations');
  app.post(
    '/api/rates/simulate',
    {
      onRequest: guard.signedIn,
      bodyLimit: maxTariffBodyBytes,
      schema: {
        tags: ['Rates'],
        operationId: 'simulateTariff',
        summary: 'Price a constant load or measured energy with any tariff',
        description:
          'The tariff holds for the whole range, by the time zone given; negative power is export. What devices measured is priced by that zone too, with the fixed charge once for each of their sites that has an active device. Amounts are rounded to the minor unit of the currency and add up to the total. At most ten years. fromDate and toDate are days of the time zone given.',
        body: simulation,
        response: { 200: simulationResult },
      },
    },
    async (request, reply): Promise<SimulationResult> => {
      const { tariff, timeZone, load } = request.body;
      const gone = clientGone(reply);
      const { accountId } = guard.current(request);
      const ranges = rangesOf(refuseTooLong(readRange(request.body), maxDays, 'simulationTooLong'), [timeZone]);
      const range = ranges.all;
      const terms = readTerms(tariff);
      // Ids only to distinguish the periods; they are not stored.
      const periods = terms.periods.map((period, at) => ({ ...period, id: String(at) }));
      refuseInvalidPeriods(periods, 'tariff.periods');
      const price = async () =>
        simulate(
          { ...terms, periods },
          timeZone,
          range,
          load.kind === 'constant'
            ? constantLoad(range, load.powerKw)
            : await measuredLoad(database.until(gone), { scope: scopeOf(load.deviceIds), range, accountId }),
          () => yieldOrAbort(gone),
        );
      const result = await simulations.run(price, turnOf(accountId, gone));
      return {
        ...presentRange(ranges),
        ...result,
        ...stated(result.currency, result),
        periods: result.periods.map((period) => ({
          ...period,
          ratePerKwh: period.ratePerKwh.toNumber(),
          cost: period.cost.toNumber(),
          currency: result.currency,
        })),
      };
    },
  );
}

const scopeOf = (deviceIds: readonly string[] | null): DeviceScope =>
  deviceIds === null || deviceIds.length === 0 ? allDevices : { devices: deviceIds };

const daysAtOnce = 61;

/** The energy of devices over a range, by quarter-hour, and the number of sites with an active device. */
async function measuredLoad(database: Database, question: EnergyQuestion): Promise<SimulatedLoad> {
  const { range } = question;
  return readEnergy(database, question, async (snapshot) => {
    const [firstDay, lastDay] = [dayOf(range.fromMicros), dayOf(range.toMicros - 1) + 1];
    const slots = { ...emptyEnergy((lastDay - firstDay) * slotsPerDay), startMicros: firstDay * dayMicros, range };
    const one = emptyEnergy(slotsPerDay);
    const clip = await openClip(snapshot, sameEverywhere(range));
    const days = snapshot.clipDays(range);
    const added = snapshot.only(snapshot.devices.filter(addsUp));
    for (let { fromDay } = days; fromDay < days.toDay; fromDay += daysAtOnce) {
      const toDay = Math.min(days.toDay, fromDay + daysAtOnce);
      for (const day of await added.listDays({ fromDay, toDay })) {
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
