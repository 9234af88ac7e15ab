import { describe, expect, it } from 'vitest';
import { planSiteTable, type TableRow } from './site-table.ts';

const known = {
  sites: [{ id: 's1', name: 'Works', municipalityName: 'Berlin' }],
  municipalities: [
    { id: 'm1', name: 'Berlin' },
    { id: 'm2', name: 'Pune' },
  ],
  devices: [{ externalId: 'old', name: 'Old meter', siteName: 'Works' }],
};
const row = (site: string, values: Partial<TableRow> = {}): TableRow => ({
  site,
  municipality: null,
  name: 'Meter',
  externalId: 'e1',
  isActive: true,
  energySource: 'auto',
  ratedPowerKw: null,
  registerMaxKwh: null,
  expectedIntervalSeconds: null,
  ...values,
});
const plan = (...rows: TableRow[]) => planSiteTable(new Map(rows.entries()), known);

it('devices go to the sites that are there, in any case of their name, and to new ones that the table makes once', () => {
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

describe('a cell that cannot be taken is named by row and field', () => {
  it.each([
    ['municipality', 'is in Berlin', [row('Works', { municipality: 'Pune' })]],
    ['municipality', 'a new site needs one', [row('Depot')]],
    ['municipality', 'no municipality "Rome"', [row('Depot', { municipality: 'Rome' })]],
    ['name', 'is there already', [row('Works', { name: null, externalId: null })]],
    ['name', 'has an externalId', [row('Works', { name: null })]],
    ['externalId', 'has a name', [row('Works', { externalId: null })]],
    ['externalId', 'the device "Old meter" of "Works"', [row('Works', { externalId: 'old' })]],
  ])('%s: %s', (field, message, rows) => {
    expect(plan(...rows).problems).toEqual([{ row: 0, field, message: expect.stringContaining(message) }]);
  });

  it('what rows of one table say against each other is told of the later one', () => {
    const depot = row('Depot', { municipality: 'Pune' });
    expect(plan(depot, row('Depot', { municipality: 'Berlin' })).problems).toEqual([
      { row: 1, field: 'municipality', message: 'row 1 has Pune for this site' },
      { row: 1, field: 'externalId', message: 'belongs to row 1; each device needs its own' },
    ]);
  });
});
