import { randomUUIDv7 } from 'node:crypto';
import { findDemo, insertDemo, insertDemoGap, isDatabaseEmpty } from './demo.sql.ts';
import { insertDevice } from '../sites/devices.sql.ts';
import { insertMunicipality, insertTariff } from '../rates/tariffs.sql.ts';
import type { Database, Transaction } from '../database/pool.ts';
import { insertSite } from '../sites/sites.sql.ts';
import { createMeters } from './meter.ts';
import type { DemoSite } from './sites.ts';
import { demoTariffs } from './tariffs.ts';

/** Any other would do as well. */
const seed = 1;
const secondsPerDay = 86_400;

/**
 * The demo of this database. An empty database becomes one: sites, devices and tariffs are made, and the history of
 * `historyDays` days is noted as still to be written; it is new then. Null if somebody else's data are.
 */
export async function openDemo(
  database: Database,
  { nowSeconds, historyDays, sites }: { nowSeconds: number; historyDays: number; sites: readonly DemoSite[] },
) {
  const isNew = await database.transaction(async (tx) => {
    if ((await findDemo(tx)) !== null || !(await isDatabaseEmpty(tx))) return false;
    const firstDay = Math.floor(nowSeconds / secondsPerDay);
    if (!(await insertDemo(tx, { seed, firstDay }))) return false;
    await insertSites(tx, firstDay, sites);
    await insertDemoGap(tx, { from: historyStart(nowSeconds, historyDays), to: nowSeconds });
    return true;
  });
  const demo = await findDemo(database);
  return demo === null ? null : { meters: createMeters(demo, sites), isNew };
}

/** The whole minute that many days ago, in epoch seconds. */
export const historyStart = (nowSeconds: number, historyDays: number) =>
  Math.floor(nowSeconds / 60) * 60 - historyDays * secondsPerDay;

async function insertSites(tx: Transaction, firstDay: number, sites: readonly DemoSite[]): Promise<void> {
  for (const site of sites) {
    const municipalityId = randomUUIDv7();
    await insertMunicipality(tx, { id: municipalityId, name: site.municipality, timeZone: site.place.timeZone });
    for (const tariff of demoTariffs(municipalityId, site.tariffs, firstDay)) await insertTariff(tx, tariff);
    const siteId = randomUUIDv7();
    await insertSite(tx, siteId, { name: site.name, municipalityId });
    const ids = new Map(site.devices.map(({ externalId }) => [externalId, randomUUIDv7()]));
    for (const { externalId, name, partOf, ratedPowerKw, retiredAt, endUse } of site.devices) {
      await insertDevice(tx, ids.get(externalId) ?? '', {
        siteId,
        name,
        externalId,
        isActive: retiredAt === undefined,
        energySource: 'auto',
        ratedPowerKw,
        registerMaxKwh: null,
        expectedIntervalSeconds: 60,
        parentDeviceId: ids.get(partOf ?? '') ?? null,
        endUse,
      });
    }
  }
}
