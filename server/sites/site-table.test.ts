import { describe, expect, it } from 'vitest';
import type { SiteTableRow } from '../../shared/site-table.ts';
import { inEnglish } from '../base/errors.ts';
import { planSiteTable } from './site-table.rules.ts';

const known = {
  sites: [{ id: 's1', name: 'Works', municipalityName: 'Berlin' }],
  municipalities: [
    { id: 'm1', name: 'Berlin' },
    { id: 'm2', name: 'Pune' },
  ],
  devices: [{ id: 'd1', siteId: 's1', parentDeviceId: null, externalId: 'old', name: 'Old meter', siteName: 'Works' }],
};
const row = (site: string, values: Partial<SiteTableRow> = {}): SiteTableRow => ({
  site,
  municipality: null,
  name: 'Meter',
  externalId: 'e1',
  isActive: true,
  energySource: 'auto',
  ratedPowerKw: null,
  registerMaxKwh: null,
  expectedIntervalSeconds: null,
  parentExternalId: null,
  endUse: null,
  ...values,
});
const plan = (...rows: SiteTableRow[]) => planSiteTable(new Map(rows.entries()), known);
const problemsOf = (...rows: Parameters<typeof plan>) =>
  plan(...rows).problems.map(({ row: at, field, problem }) => ({ row: at, field, text: inEnglish(problem) }));

it('devices are added to existing sites, in any case of their name, and to new ones that the table creates once', () => {
  const { newSites, newDevices, problems } = plan(
    row('WORKS'),
    row('Depot', { municipality: 'pune', externalId: 'e2' }),
    row('depot', { externalId: 'e3' }),
    row('Yard', { municipality: 'Berlin', name: null, externalId: null }),
  );
  expect(problems).toEqual([]);
  expect(newSites).toEqual([
    { name: 'Depot', municipalityId: 'm2' },
    { name: 'Yard', municipalityId: 'm1' },
  ]);
  expect(newDevices.map(({ site, externalId }) => [site, externalId])).toEqual([
    [{ id: 's1' }, 'e1'],
    [{ newSite: 0 }, 'e2'],
    [{ newSite: 0 }, 'e3'],
  ]);
});

describe('an invalid cell is named by row and field', () => {
  it.each([
    ['municipality', 'is in Berlin', [row('Works', { municipality: 'Pune' })]],
    ['municipality', 'a new site needs a municipality', [row('Depot')]],
    ['municipality', 'municipality "Rome" not found', [row('Depot', { municipality: 'Rome' })]],
    ['name', 'already exists', [row('Works', { name: null, externalId: null })]],
    ['name', 'the row has an external ID', [row('Works', { name: null })]],
    ['externalId', 'has a name', [row('Works', { externalId: null })]],
    ['externalId', 'the device "Old meter" of "Works"', [row('Works', { externalId: 'old' })]],
  ])('%s: %s', (field, message, rows) => {
    expect(problemsOf(...rows)).toEqual([{ row: 0, field, text: expect.stringContaining(message) }]);
  });

  it('conflicts between rows of one table are reported for the later row', () => {
    const depot = row('Depot', { municipality: 'Pune' });
    expect(problemsOf(depot, row('Depot', { municipality: 'Berlin' }))).toEqual([
      { row: 1, field: 'municipality', text: 'row 2 has Pune for this site' },
      { row: 1, field: 'externalId', text: 'external ID already used by row 2' },
    ]);
  });
});

describe('the main meter of a device', () => {
  const below = (externalId: string, parentExternalId: string | null, site = 'Works') =>
    row(site, { externalId, parentExternalId, name: `Meter ${externalId}` });

  it('is a device of its site that already exists, or one of the table, before or after it', () => {
    const { newDevices, problems } = plan(below('a', 'b'), below('b', 'old'), below('c', 'a'), below('d', null));
    expect(problems).toEqual([]);
    expect(newDevices.map(({ parent }) => parent)).toEqual([{ newDevice: 1 }, { id: 'd1' }, { newDevice: 0 }, null]);
  });

  it.each([
    ['unknown', 0, 'no device has the external ID "x"', [below('a', 'x')]],
    ['the name of a device', 0, 'enter an external ID, not a name', [below('a', 'Main meter')]],
    [
      'of another site',
      1,
      '"old" is at another site',
      [row('Depot', { municipality: 'Pune' }), below('a', 'old', 'Depot')],
    ],
    ['the device itself', 0, 'cannot be its own main meter', [below('a', 'a')]],
    ['a part of it', 2, '"Meter b" is a sub-meter of this device', [below('a', 'b'), below('b', 'c'), below('c', 'b')]],
    [
      'too deep',
      7,
      'got 9',
      Array.from('abcdefgh', (own, at) => below(own, at === 0 ? 'old' : 'abcdefgh'.charAt(at - 1))),
    ],
  ])('is rejected in its cell if it is %s', (_, at, message, rows) => {
    expect(problemsOf(...rows)).toEqual([
      { row: at, field: 'parentExternalId', text: expect.stringContaining(message) },
    ]);
  });
});
