import fc from 'fast-check';
import type { TestApp } from './app.ts';
import { anyRules, hostileReadingsFrom } from './hostile-readings.ts';
import { rowsOf } from './meters.ts';
import { createDevice, createSite, createTariff, post } from './sites.ts';

type Headers = { cookie: string };

export async function deliver(portal: TestApp, headers: Headers, rows: object[]): Promise<void> {
  if (rows.length > 0) await post({ app: portal.app, headers }, '/api/ingest/measurements', rows);
}

/** Sites in three zones with tariffs of two currencies (one changes in the range, the last has none); meters that do all that meters should not. */
export async function seedGrafana(
  portal: TestApp,
  headers: Headers,
  start: number,
): Promise<{ sites: string[]; devices: string[] }> {
  const session = { app: portal.app, headers };
  const sites: string[] = [];
  const devices: string[] = [];
  for (const [at, timeZone] of ['Europe/Berlin', 'Asia/Kathmandu', 'America/St_Johns'].entries()) {
    const site = await createSite(session, { name: `Site ${at}`, timeZone });
    sites.push(site);
    for (const effectiveFrom of at === 0 ? ['2026-01-01', '2026-03-28'] : at === 1 ? ['2026-03-27'] : []) {
      await createTariff(session, site, {
        name: `From ${effectiveFrom}`,
        currency: at === 0 ? 'EUR' : 'NPR',
        effectiveFrom,
        defaultRatePerKwh: effectiveFrom === '2026-01-01' ? 0.2537 : 0.2671,
        exportRatePerKwh: at === 0 ? 0.081 : null,
        periods: [
          { name: 'Night', daysOfWeek: 31, startTime: '22:00', endTime: '06:10', ratePerKwh: 0.1999 },
          { name: 'Noon', daysOfWeek: 96, startTime: '11:05', endTime: '11:12', ratePerKwh: 0.5 },
        ],
      });
    }
  }
  const readings = fc.sample(hostileReadingsFrom(start * 1000), { numRuns: 15, seed: 11 });
  for (const [at, rules] of fc.sample(anyRules, { numRuns: readings.length, seed: 12 }).entries()) {
    const externalId = `hostile ${at}`;
    // Two names that are there twice.
    const name = at < 4 ? `Meter ${at % 2}` : externalId;
    const device = { externalId, name, ...rules, isActive: at !== 4 };
    devices.push(await createDevice(session, sites[at % 3] ?? '', device));
    await deliver(portal, headers, rowsOf(externalId, readings[at] ?? []));
  }
  for (const [at, externalId] of ['grid', 'solar', 'far apart'].entries()) {
    devices.push(await createDevice(session, sites[at] ?? '', { externalId }));
    const count = at === 2 ? 3 : 9 * 144;
    const rows = Array.from({ length: count }, (_, reading) => ({
      externalId,
      time: new Date(start + reading * (at === 2 ? 4 * 86_400_000 : 600_000) + at * 7_300).toISOString(),
      activePowerKw: 3 + 2 * Math.sin(reading / 40) - at * 4,
      ...(at === 0
        ? { reactivePowerKvar: 1 + (reading % 5) / 10, voltageV: 230 + (reading % 7) / 3, frequencyHz: 50.01 }
        : {}),
      ...(at === 1 ? { powerFactor: 0.9 } : {}),
      energyImportedKwh: 1000 + reading * (at === 2 ? 77.7 : 0.37) + (reading % 3) / 100,
      // Where it is credited, where it is not, and none.
      energyExportedKwh: at === 2 ? null : 50 + reading * 0.11,
    }));
    await deliver(portal, headers, rows);
  }
  return { sites, devices };
}
