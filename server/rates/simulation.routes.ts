import { maxTariffBodyBytes, simulation, type SimulationResult, simulationResult } from '../../shared/rates.ts';
import { measuredLoad } from './measured-load.ts';
import { yieldOrAbort } from '../database/yield-to-others.ts';
import { rangesOf, refuseTooLong, presentRange } from '../base/ranges.ts';
import { limiterOf } from '../base/budgets.ts';
import { stated } from './cost-statement.rules.ts';
import { constantLoad, simulate } from './simulation.rules.ts';
import { refuseInvalidPeriods } from './tariff-rules.rules.ts';
import { allDevices, type DeviceScope } from '../base/scopes.ts';
import { clientGone, turnOf } from '../http/client-gone.ts';
import type { ClientParts } from '../http/client-parts.ts';
import { readRange } from '../http/ranges.ts';
import { readTerms } from './tariffs.routes.ts';
import type { App } from '../http/typed-app.ts';

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
      // Only to tell the periods apart; they are not stored.
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
