import { beforeAll, expect, it } from 'vitest';
import { packPlainDays } from '../../server/commands/pack-energy.ts';
import { encodeNumbers, encodeStatistics } from '../../server/db/energy-codec.ts';
import { listEnergyDays, listPlainDays, openDay } from '../../server/db/energy-days.ts';
import { appOfFile } from '../support/app-of-file.ts';
import { digestSlots, materializeAll, readSlots } from '../support/energy-rollup.ts';
import { type Meters, openMeters, usualRules } from '../support/meters.ts';

const startMicros = Date.parse('2026-03-02T00:00:00Z') * 1000;
const firstDay = Date.parse('2026-03-02T00:00:00Z') / 86_400_000;
const portal = appOfFile();
let meters: Meters;
let device = { id: '', externalId: '' };
let number = 0;

beforeAll(async () => {
  meters = await openMeters(portal);
  device = await meters.create(usualRules);
  const readings = Array.from({ length: 4 * 1440 }, (_, minute) => ({
    timeMicros: startMicros + minute * 60_000_000,
    activePowerKw: 2 + Math.sin(minute / 200) * 3,
    importedKwh: 5_000 + minute / 30 + (minute % 7) / 1000,
    exportedKwh: minute < 1440 ? null : 10 + minute / 90,
  }));
  for (let at = 0; at < readings.length; at += 1440) {
    await meters.deliver(device.externalId, readings.slice(at, at + 1440));
  }
  const { rows } = await portal.database.query<{ number: number }>({ text: 'SELECT number FROM monitoring.devices' });
  number = rows[0]?.number ?? 0;
  await materializeAll(portal.database, [number]);
}, 60_000);

const days = () =>
  portal.database.snapshot((tx) =>
    listEnergyDays(tx, {
      deviceNumbers: [number],
      fromDay: firstDay,
      toDay: firstDay + 4,
      statistics: { depth: 'all', days: 'all' },
    }),
  );
const bytes = async () => {
  const text = `SELECT sum(octet_length(imported) + coalesce(octet_length(exported), 0) + octet_length(power)
                  + octet_length(quantities))::integer AS bytes FROM monitoring.energy_days`;
  return (await portal.database.query<{ bytes: number }>({ text })).rows[0]?.bytes ?? 0;
};

it('days that an earlier version stored are read as they were, and packed without a bit of difference', async () => {
  const packed = { digest: await digestSlots(portal.database), bytes: await bytes() };
  const slots = await readSlots(portal.database, device.id, { firstDay, count: 4 });
  for (const stored of await days()) {
    const day = openDay(stored);
    const { power, quantities } = encodeStatistics(day.statistics);
    const columns = [encodeNumbers(day.importedKwh), encodeNumbers(day.exportedKwh), power, quantities];
    await portal.database.query(
      {
        text: `UPDATE monitoring.energy_days SET imported = $3, exported = $4, power = $5, quantities = $6
               WHERE device_number = $1 AND day = date '1970-01-01' + $2::integer`,
      },
      [number, day.day, ...columns],
    );
  }
  expect(await bytes()).toBeGreaterThan(2 * packed.bytes);
  expect(await readSlots(portal.database, device.id, { firstDay, count: 4 })).toEqual(slots);
  expect(await listPlainDays(portal.database, 10)).toHaveLength(4);

  await packPlainDays(portal.database);
  expect(await listPlainDays(portal.database, 10)).toEqual([]);
  expect({ digest: await digestSlots(portal.database), bytes: await bytes() }).toEqual(packed);
});
