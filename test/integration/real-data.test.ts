import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ingestResult, limits, rawMeasurementsPage } from '../../shared/measurements.ts';
import { createTestApp, type TestApp } from '../support/app.ts';
import { isRealDataThere, readRealData, realDataSets, type RealDataSet } from '../support/real-data.ts';
import { createDevice, createSite } from '../support/sites.ts';

const rowsPerRequest = 5000;
describe('real meter data, ingested in full through the API', () => {
  let portal: TestApp;
  let admin = { cookie: '' };

  beforeAll(async () => {
    portal = await createTestApp();
    admin = await portal.signIn();
  });
  afterAll(() => portal.close());

  const deliver = async (rows: object[]) => {
    const total = { accepted: 0, rejected: 0, duplicates: 0 };
    for (let at = 0; at < rows.length; at += rowsPerRequest) {
      const payload = rows.slice(at, at + rowsPerRequest);
      const answer = await portal.app.inject({
        method: 'POST',
        url: '/api/ingest/measurements',
        payload,
        headers: admin,
      });
      const { accepted, rejected, duplicates, errors } = ingestResult.parse(answer.json());
      total.accepted += accepted;
      total.rejected += rejected;
      total.duplicates += duplicates;
      for (const { reason } of errors) expect(reason).toMatch(/^activePowerKw is null; it takes/);
    }
    return total;
  };

  const readBack = async (deviceId: string) => {
    const rows = [];
    for (let offset = 0; ; offset += limits.rawPageMax) {
      const query = {
        from: '2000-01-01T00:00:00Z',
        to: '2030-01-01T00:00:00Z',
        deviceIds: deviceId,
        limit: String(limits.rawPageMax),
        offset: String(offset),
      };
      const answer = await portal.app.inject({ method: 'GET', url: '/api/measurements/raw', query, headers: admin });
      const page = rawMeasurementsPage.parse(answer.json());
      rows.push(...page.rows);
      if (rows.length >= page.totalCount) return rows.toReversed();
    }
  };

  const stated: Record<RealDataSet, { accepted: number; rejected: number }> = {
    'uci-household-1min-2006-12': { accepted: 139_808, rejected: 0 },
    'uci-household-2007-hourly': { accepted: 34_764, rejected: 32 },
    'cossmic-res4-2016H1': { accepted: 46_503, rejected: 1_035 },
    'steel-2018H1': { accepted: 17_376, rejected: 0 },
  };

  it.for(realDataSets)(
    '%s: rows without active power are rejected one by one, all others come back as they were',
    async (name, { skip }) => {
      if (!isRealDataThere) return skip('../shared/data is not beside the repository');
      const rows = readRealData(name).map((row) => ({ ...row, externalId: `${name}/${row.externalId}` }));
      const session = { app: portal.app, headers: admin };
      const siteId = await createSite(session, { name });
      const ids = new Map<string, string>();
      for (const externalId of new Set(rows.map((row) => row.externalId))) {
        ids.set(externalId, await createDevice(session, siteId, { externalId }));
      }

      const known = rows.filter((row) => row.activePowerKw !== null);
      expect(await deliver(rows)).toEqual({ ...stated[name], duplicates: 0 });
      expect(known).toHaveLength(stated[name].accepted);
      expect(await deliver(known.slice(-20_000))).toMatchObject({ duplicates: Math.min(20_000, known.length) });

      for (const [externalId, id] of ids) {
        const sent = known.filter((row) => row.externalId === externalId);
        const expected = sent.map((row) => ({ ...row, externalId: undefined, deviceName: externalId, siteName: name }));
        expect(await readBack(id)).toEqual(expected.map(({ externalId: _left, ...row }) => row));
      }
    },
  );
});
