import { z } from 'zod';
import {
  dataQuality,
  type DataQuality,
  listedFlagsMax,
  type QualityFailure,
  type QualityFlag,
} from '../../shared/data-quality.ts';
import { type EnergySnapshot, readEnergy } from '../commands/read-energy.ts';
import { type Quality, type QualityAsked, readQuality } from '../commands/read-quality.ts';
import type { EnergyFailure } from '../db/energy-failures.ts';
import type { StoredFlag } from '../db/energy-flags.ts';
import type { Database } from '../db/pool.ts';
import { rangesOf } from '../domain/asked-range.ts';
import { DomainError } from '../domain/errors.ts';
import { formatInstant } from '../domain/instants.ts';
import type { App } from './typed-app.ts';
import { clientGone, takeTurns } from './client-gone.ts';
import { presentRange } from './energy-answers.ts';
import type { Guard } from './guard.ts';
import {
  came,
  deviceIdsQuery,
  maxDays,
  rangeQuery,
  readByHand,
  readDeviceScope,
  readRange,
  refuseTooLong,
  sharedZone,
  zonesOf,
} from './ranges.ts';

const qualityQuery = rangeQuery.extend({
  ...deviceIdsQuery.shape,
  flagLimit: z.string().optional().meta({
    type: 'integer',
    minimum: 0,
    maximum: listedFlagsMax,
    description: 'how many flags of a device are listed',
  }),
});

export interface DataQualityRoutesParts {
  guard: Guard;
  database: Database;
  /** Zone of the days where the chosen devices lie in several. */
  timeZone: string;
  now: () => number;
}

/** `GET /api/data-quality`: what is measured, estimated or missing, and what was odd (energy-and-cost.md 2 to 4). */
export async function dataQualityRoutes(
  app: App,
  { guard, database, timeZone, now }: DataQualityRoutesParts,
): Promise<void> {
  app.get(
    '/api/data-quality',
    {
      onRequest: guard.signedIn,
      validatorCompiler: readByHand,
      schema: {
        tags: ['Dashboard'],
        summary: 'Quarter-hours measured, interpolated and missing, and gaps, resets and glitches by device',
        querystring: qualityQuery,
        response: { 200: dataQuality },
      },
    },
    async (request, reply): Promise<DataQuality> => {
      const range = refuseTooLong(readRange(request.query), maxDays);
      const scope = readDeviceScope(request.query.deviceIds);
      const flagLimit = readFlagLimit(request.query.flagLimit);
      const gone = clientGone(reply);
      const { accountId } = guard.current(request);
      return readEnergy(database.until(gone), { scope, range, isTolerant: true, accountId }, async (snapshot) => {
        const ranges = rangesOf(range, zonesOf(snapshot.devices));
        const asked = { ranges, timeZone: sharedZone(snapshot.devices, timeZone), flagLimit };
        return presentQuality(snapshot, asked, await readQuality(snapshot, asked, now() * 1000, () => takeTurns(gone)));
      });
    },
  );
}

/** What was read of a snapshot's devices, as it is answered. */
export function presentQuality(
  { devices }: EnergySnapshot,
  { ranges, timeZone }: QualityAsked,
  quality: Quality,
): DataQuality {
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
  };
}

function readFlagLimit(text: unknown): number {
  if (text === undefined || text === '') return listedFlagsMax;
  const limit = typeof text === 'string' && /^\d{1,9}$/.test(text.trim()) ? Number(text) : Number.NaN;
  if (limit <= listedFlagsMax) return limit;
  throw new DomainError('invalid', `flagLimit takes a whole number from 0 to ${listedFlagsMax}; got ${came(text)}.`);
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
