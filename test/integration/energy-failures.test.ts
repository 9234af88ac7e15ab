import { beforeAll, describe, expect, it } from 'vitest';
import type { DataQuality } from '../../shared/data-quality.ts';
import { materializeSome, rebuildEnergy } from '../../server/energy/materialize-energy.ts';
import { appOfFile } from '../support/app-of-file.ts';
import { type Meters, openMeters, usualRules } from '../support/meters.ts';

const portal = appOfFile();
let meters: Meters;
let broken: { id: string; externalId: string };
let sound: { id: string; externalId: string };

const brokenNumber = 1;
const at = (time: string) => Date.parse(time) * 1000;
const deliver = (externalId: string, time: string, importedKwh: number) =>
  meters.deliver(externalId, [{ timeMicros: at(time), activePowerKw: 1, importedKwh, exportedKwh: null }]);
const materialize = () => materializeSome(portal.database, { within: null, skip: true });
const query = (text: string) => portal.database.query<Record<string, unknown>>({ text });
const ask = (what: string, ids: string) =>
  portal.app.inject({
    url: `/api/${what}?from=2026-03-01T00:00:00Z&to=2026-03-02T00:00:00Z&deviceIds=${ids}`,
    headers: meters.session.headers,
  });
const failing = async () =>
  / portal_energy_failing_devices (\d+)/.exec((await portal.app.inject('/metrics')).body.replaceAll('\n', ' '))?.[1];

beforeAll(async () => {
  meters = await openMeters(portal);
  broken = await meters.create(usualRules);
  sound = await meters.create(usualRules);
  for (const { externalId } of [broken, sound]) await deliver(externalId, '2026-03-01T01:00:00Z', 100);
  await materialize();
  // A row that can no longer be read, as after a disk error.
  await query(`UPDATE monitoring.energy_days SET quantities = '\\x04' WHERE device_number = ${brokenNumber}`);
  for (const { externalId } of [broken, sound]) await deliver(externalId, '2026-03-01T02:00:00Z', 110);
});

describe('a device whose slots cannot be computed', () => {
  it('does not stop the materialization of the others, and waits longer after each attempt', async () => {
    expect(await materialize()).toBe(2);
    const { rows } = await query('SELECT device_number FROM monitoring.energy_dirty_ranges');
    expect(rows).toEqual([{ device_number: brokenNumber }]);
    // Not before it is due.
    expect(await materialize()).toBe(0);
    await query(`UPDATE monitoring.energy_failures SET retry_at = '2026-01-01T00:00:00Z'`);
    await materialize();
    const failures = await query(
      `SELECT device_number, attempts, extract(epoch FROM retry_at - now())::integer AS seconds FROM monitoring.energy_failures`,
    );
    expect(failures.rows).toEqual([{ device_number: brokenNumber, attempts: 2, seconds: expect.closeTo(120, -1) }]);
  });

  it('is tried again at once if the clock that delayed it was ahead', async () => {
    await query(`UPDATE monitoring.energy_failures SET retry_at = now() + interval '59 minutes'`);
    const attempts = async () => (await query('SELECT attempts FROM monitoring.energy_failures')).rows[0]?.['attempts'];
    const before = Number(await attempts());
    await materialize();
    expect(await attempts()).toBe(before);
    await query(`UPDATE monitoring.energy_failures SET retry_at = now() + interval '1 year'`);
    await materialize();
    expect(await attempts()).toBe(before + 1);
    await query(`UPDATE monitoring.energy_failures SET attempts = 2, retry_at = now() + interval '2 minutes'`);
  });

  it('is named by every query about it, and no other query is affected', async () => {
    expect((await ask('dashboard/summary', sound.id)).json<{ energyImportedKwh: number }>().energyImportedKwh).toBe(10);
    for (const ids of [broken.id, `${sound.id},${broken.id}`]) {
      const answer = await ask('dashboard/summary', ids);
      expect(answer.statusCode).toBe(503);
      expect(answer.headers['retry-after']).toBe('60');
      expect(answer.json<{ error: string }>().error).toMatch(/^Energy for ".+" is temporarily unavailable/);
    }
  });

  it('is shown in data quality with its next attempt, and counted in the metrics', async () => {
    const { devices } = (await ask('data-quality', '')).json<DataQuality>();
    expect(devices.find(({ deviceId }) => deviceId === broken.id)?.failure).toMatchObject({ attempts: 2 });
    expect(devices.find(({ deviceId }) => deviceId === sound.id)?.failure).toBeNull();
    expect(await failing()).toBe('1');
  });

  it('with more dirty days than a read computes does not affect the reads of others', async () => {
    const days = Array.from({ length: 250 }, (_, day) => ({
      timeMicros: at('2025-01-01T00:00:00Z') + day * 86_400_000_000,
      activePowerKw: 1,
      importedKwh: day / 10,
      exportedKwh: null,
    }));
    await meters.deliver(broken.externalId, days);
    const url = '/api/data-quality?from=2025-01-01T00:00:00Z&to=2026-04-01T00:00:00Z';
    expect((await portal.app.inject({ url, headers: meters.session.headers })).statusCode).toBe(200);
    expect((await ask('dashboard/summary', sound.id)).statusCode).toBe(200);
    expect((await ask('dashboard/summary', broken.id)).statusCode).toBe(503);
  });

  it('is like any other once its slots can be computed again', async () => {
    await rebuildEnergy(portal.database, brokenNumber);
    expect(
      (await ask('dashboard/summary', broken.id)).json<{ energyImportedKwh: number }>().energyImportedKwh,
    ).toBeCloseTo(10, 1);
    const { devices } = (await ask('data-quality', '')).json<DataQuality>();
    expect(devices.map(({ failure }) => failure)).toEqual([null, null]);
    expect(await failing()).toBe('0');
  });

  it('is one of three that are named if there are more, without words of one language', async () => {
    const many = await Promise.all([1, 2, 3, 4].map(() => meters.create(usualRules)));
    for (const { externalId } of many) await deliver(externalId, '2026-03-01T01:00:00Z', 100);
    await materialize();
    await query(`UPDATE monitoring.energy_days SET quantities = '\\x04' WHERE device_number > 2`);
    for (const { externalId } of many) await deliver(externalId, '2026-03-01T02:00:00Z', 110);
    const answer = await ask('dashboard/summary', many.map(({ id }) => id).join(','));
    expect(answer.json<{ error: string }>().error).toMatch(/^Energy for ("[^"]+", ){3}\+1 is temporarily unavailable/);
  });
});
