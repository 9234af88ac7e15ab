import { beforeAll, expect, it } from 'vitest';
import { dashboardSummary } from '../../shared/dashboard.ts';
import { appOfFile } from '../support/app-of-file.ts';
import { type Meters, openMeters } from '../support/meters.ts';
import { energy, rulesOf } from '../support/vectors.ts';

const portal = appOfFile();
let meters: Meters;

beforeAll(async () => {
  meters = await openMeters(portal);
});

// Each reading by itself, in the order of the vector: the portal has to bring them in order, and knows which came first.
it.each(energy)('$id $what: one reading after another', async ({ device, readings, expect: wanted }) => {
  const { id, externalId } = await meters.create(rulesOf(device));
  for (const row of readings) {
    await meters.deliver(externalId, [
      {
        timeMicros: Date.parse(row.time) * 1000,
        activePowerKw: row.activePowerKw,
        importedKwh: row.energyImportedKwh ?? null,
        exportedKwh: row.energyExportedKwh ?? null,
      },
    ]);
  }
  const answer = await portal.app.inject({
    url: '/api/dashboard/summary',
    query: { fromDate: '2026-03-01', toDate: '2026-04-01', deviceIds: id },
    headers: meters.session.headers,
  });
  const summary = dashboardSummary.parse(answer.json());
  expect(summary.energyImportedKwh).toBeCloseTo(wanted.importedKwh, 6);
  expect(summary.energyExportedKwh).toBeCloseTo(wanted.exportedKwh, 6);
  expect(summary.estimatedEnergyKwh).toBeCloseTo(wanted.interpolatedKwh, 6);
});
