import type { EnergyReading, EnergyRules } from '../../server/energy/energy.rules.ts';
import type { TestApp } from './app.ts';
import { createDevice, createSite, type Session } from './sites.ts';

/** The answer of an ingest. */
interface Delivered {
  accepted: number;
  rejected: number;
  errors?: { reason: string }[];
}

/** Meters at their own site, and their gateway. */
export interface Meters {
  session: Session;
  siteId: string;
  create: (rules: EnergyRules) => Promise<{ id: string; externalId: string }>;
  deliver: (externalId: string, readings: readonly EnergyReading[]) => Promise<Delivered>;
}

/** The rules of a device with default settings. */
export const usualRules: EnergyRules = {
  energySource: 'auto',
  ratedPowerKw: null,
  registerMaxKwh: null,
  expectedIntervalSeconds: null,
};

/** Readings as a gateway sends them. */
export const rowsOf = (externalId: string, readings: readonly EnergyReading[]) =>
  readings.map((reading) => ({
    externalId,
    time: new Date(reading.timeMicros / 1000).toISOString(),
    activePowerKw: reading.activePowerKw,
    energyImportedKwh: reading.importedKwh,
    energyExportedKwh: reading.exportedKwh,
  }));

export async function openMeters(portal: TestApp): Promise<Meters> {
  const session = { app: portal.app, headers: await portal.signIn() };
  const siteId = await createSite(session);
  let made = 0;
  return {
    session,
    siteId,
    async create(rules) {
      const externalId = `meter-${(made += 1)}`;
      return { id: await createDevice(session, siteId, { externalId, ...rules }), externalId };
    },
    async deliver(externalId, readings) {
      const url = '/api/ingest/measurements';
      const payload = rowsOf(externalId, readings);
      const answer = await portal.app.inject({ method: 'POST', url, payload, headers: session.headers });
      return answer.json<Delivered>();
    },
  };
}
