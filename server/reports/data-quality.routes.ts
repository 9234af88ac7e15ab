import { z } from 'zod';
import {
  dataQuality,
  type DataQuality,
  listedFlagsMax,
  type QualityFailure,
  type QualityFlag,
} from '../../shared/data-quality.ts';
import type { EnergyReader } from '../energy/energy-reader.ts';
import { readEnergy } from '../energy/read-energy.ts';
import { type Quality, type QualityAsked, readQuality } from './read-quality.ts';
import { totalEnergy } from '../rates/total-energy.ts';
import type { StoredFlag, EnergyFailure } from '../energy/energy-flags.sql.ts';
import { rangesOf, refuseTooLong, sharedZone, zonesOf, presentRange } from '../base/ranges.ts';
import { listOpenBalances } from '../energy/device-tree.rules.ts';
import type { EnergyTotals } from '../rates/energy-totals.rules.ts';
import { refuse } from '../base/errors.ts';
import { formatInstant } from '../base/instants.ts';
import { clientGone } from '../http/client-gone.ts';
import type { ClientParts } from '../http/client-parts.ts';
import { balancesOf } from './energy-answers.ts';
import { askedQuery, came, question, readAsked, readRange, readWholeNumber } from '../http/ranges.ts';
import type { App } from '../http/guard.ts';

const qualityQuery = askedQuery.extend({
  flagLimit: z.string().optional().meta({
    type: 'integer',
    minimum: 0,
    maximum: listedFlagsMax,
    description: 'how many flags of a device are listed',
  }),
});

/** `GET /api/data-quality`: measured, interpolated and missing time, and anomalies (energy-and-cost.md 2 to 4). */
export async function dataQualityRoutes(app: App, { guard, database, displayZoneOf, now }: ClientParts): Promise<void> {
  app.get(
    '/api/data-quality',
    question(guard, {
      operationId: 'getDataQuality',
      summary: 'Get measured, interpolated and missing quarter-hours, and anomalies by device',
      querystring: qualityQuery,
      answer: dataQuality,
    }),
    async (request, reply): Promise<DataQuality> => {
      const asked = readAsked(guard, request, refuseTooLong(readRange(request.query)));
      const flagLimit = readFlagLimit(request.query.flagLimit);
      const timeZone = await displayZoneOf(request);
      return readEnergy(database.until(clientGone(reply)), { ...asked, isTolerant: true }, async (snapshot) => {
        const ranges = rangesOf(asked.range, zonesOf(snapshot.devices));
        const wanted = { ranges, timeZone: sharedZone(snapshot.devices, timeZone), flagLimit };
        const quality = await readQuality(snapshot, wanted, now() * 1000);
        const hasTree = snapshot.devices.some(({ subMeterCount }) => subMeterCount > 0);
        return presentQuality(snapshot, wanted, quality, hasTree ? await totalEnergy(snapshot, ranges) : null);
      });
    },
  );
}

/** The answer for the devices of a snapshot; totals are needed if one of them has sub-meters. */
export function presentQuality(
  snapshot: EnergyReader,
  { ranges, timeZone }: QualityAsked,
  quality: Quality,
  totals: EnergyTotals | null,
): DataQuality {
  const { devices } = snapshot;
  const missing = new Map(devices.map(({ id, number }) => [id, quality.devices.get(number)?.slots.missing ?? 0]));
  const balances = totals === null ? [] : listOpenBalances(devices, balancesOf(devices, totals), missing);
  return {
    ...presentRange(ranges),
    timeZone,
    devices: devices.flatMap(({ number, id, name, siteId, siteName }) => {
      const own = quality.devices.get(number);
      if (own === undefined) return [];
      const failure = own.failure === null ? null : presentFailure(own.failure);
      const flags = own.flags.map(presentFlag);
      return [
        { deviceId: id, deviceName: name, siteId, siteName, failure, slots: own.slots, counts: own.counts, flags },
      ];
    }),
    days: quality.days,
    balances: balances.map(
      ({ device: { id, name, siteId, siteName }, notSubMeteredKwh, isExceeded, missingSlots }) => ({
        deviceId: id,
        deviceName: name,
        siteId,
        siteName,
        notSubMeteredKwh,
        isExceeded,
        missingSlots,
      }),
    ),
  };
}

function readFlagLimit(text: unknown): number {
  if (text === undefined || text === '') return listedFlagsMax;
  const limit = readWholeNumber(text);
  if (limit !== null && limit <= listedFlagsMax) return limit;
  throw refuse('badFlagLimit', { max: listedFlagsMax, got: came(text) }, { field: 'flagLimit' });
}

const presentFailure = ({ attempts, sinceMicros, retryMicros }: EnergyFailure): QualityFailure => ({
  since: formatInstant(sinceMicros),
  attempts,
  nextAttemptAt: formatInstant(retryMicros),
});

const directions = { imported: 'import', exported: 'export', both: null } as const;

const presentFlag = ({ timeMicros, untilMicros, kind, direction, kwh }: StoredFlag): QualityFlag => ({
  time: formatInstant(timeMicros),
  until: untilMicros === null ? null : formatInstant(untilMicros),
  kind,
  direction: directions[direction],
  energyKwh: kwh,
});
