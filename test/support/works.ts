import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { create, signIn } from './session.ts';

/** 10 March 2025 in Berlin, where clocks are an hour ahead of UTC. */
export const worksDay = '/dashboard?from=2025-03-09T23:00:00.000Z&to=2025-03-10T23:00:00.000Z&tz=Europe/Berlin';

interface Row {
  externalId: string;
  time: string;
  activePowerKw: number;
  energyImportedKwh?: number;
}

export const quarterMs = 15 * 60_000;
/** A name with a random end, so that a test can be repeated on one database. */
export const uniqueName = (name: string) => `${name} ${randomUUID().slice(0, 8)}`;

/**
 * A meter with a register, read each quarter-hour between two instants; `powerAt` is the load of the quarter-hour that begins.
 */
export function registerRows(
  externalId: string,
  from: string,
  to: string,
  powerAt: (startMs: number) => number,
): Row[] {
  const rows: Row[] = [];
  let energyImportedKwh = 1000;
  for (let at = Date.parse(from); at <= Date.parse(to); at += quarterMs) {
    rows.push({ externalId, time: new Date(at).toISOString(), activePowerKw: powerAt(at), energyImportedKwh });
    energyImportedKwh += powerAt(at) / 4;
  }
  return rows;
}

/**
 * 9 March: 2 kW all day. 10 March: 4 kW, but 10 kW from 18:00 to 18:15, and no reading between 12:00 and 14:00. A roof exports
 * 2 kW from 12:00 to 13:00, and a meter at a site without a tariff has 1 kW from 10:00 to 15:00. @returns ids
 */
export async function fillWorks(page: Page) {
  await signIn(page);
  const municipalityId = await create(page, '/api/admin/rates/municipalities', {
    name: 'Berlin',
    timeZone: 'Europe/Berlin',
  });
  const elsewhere = await create(page, '/api/admin/rates/municipalities', {
    name: 'Potsdam',
    timeZone: 'Europe/Berlin',
  });
  const works = await create(page, '/api/admin/sites', { name: 'Works', municipalityId });
  const annex = await create(page, '/api/admin/sites', { name: 'Annex', municipalityId: elsewhere });
  const mainMeter = await create(page, '/api/admin/devices', { siteId: works, name: 'Main meter', externalId: 'main' });
  await create(page, '/api/admin/devices', { siteId: works, name: 'Roof', externalId: 'roof' });
  await create(page, '/api/admin/devices', { siteId: annex, name: 'Annex meter', externalId: 'annex' });

  const peak = Date.parse('2025-03-10T17:00:00Z');
  const main = registerRows('main', '2025-03-08T23:00:00Z', '2025-03-10T23:00:00Z', (at) =>
    at < Date.parse('2025-03-09T23:00:00Z') ? 2 : at === peak ? 10 : 4,
  ).filter(({ time }) => time <= '2025-03-10T11:00:00.000Z' || time >= '2025-03-10T13:00:00.000Z');
  const roof = Array.from({ length: 13 }, (_, index) => ({
    externalId: 'roof',
    time: new Date(Date.parse('2025-03-10T11:00:00Z') + index * 300_000).toISOString(),
    activePowerKw: -2,
  }));
  const other = registerRows('annex', '2025-03-10T09:00:00Z', '2025-03-10T14:00:00Z', () => 1);
  // The night in which the hour from 2 to 3 occurs twice: 2 kW, and the second time 4 kW.
  const autumn = registerRows('main', '2025-10-25T22:00:00Z', '2025-10-26T23:00:00Z', (at) =>
    at >= Date.parse('2025-10-26T01:00:00Z') && at < Date.parse('2025-10-26T02:00:00Z') ? 4 : 2,
  ).map((row) => ({ ...row, energyImportedKwh: (row.energyImportedKwh ?? 0) + 1000 }));
  const data = [...main, ...roof, ...other, ...autumn];
  const answer = await page.request.post('/api/ingest/measurements', { data });
  expect(await answer.json()).toMatchObject({ accepted: data.length, rejected: 0 });
  return { municipalityId, works, mainMeter };
}
