import { beforeAll, describe, expect, test } from 'vitest';
import { allOf, listDirtyRanges } from '../../server/energy/dirty-ranges.sql.ts';
import { maxTableRows, type TableCheck } from '../../shared/site-table.ts';
import { type DeviceWithSite, type Site, siteWithDevices } from '../../shared/sites.ts';
import french from '../../messages/fr/errors.json' with { type: 'json' };
import { wordMessage } from '../../shared/messages.ts';
import { appOfFile } from '../support/app-of-file.ts';
import { materializeAll } from '../support/energy-rollup.ts';
import { createDevice, createSite } from '../support/sites.ts';

const portal = appOfFile();
let admin: { cookie: string };
let works = '';
let municipality = '';

beforeAll(async () => {
  admin = await portal.signIn();
  const session = { app: portal.app, headers: admin };
  works = await createSite(session, { name: 'Works' });
  municipality = (await sites())[0]?.municipalityName ?? '';
  await createDevice(session, works, { externalId: 'old' });
});

const ask = (method: 'GET' | 'POST', url: string, payload?: object, headers: Record<string, string> = admin) =>
  portal.app.inject({ method, url, headers, ...(payload === undefined ? {} : { payload }) });
const sites = async () => (await ask('GET', '/api/sites')).json<Site[]>();
const devices = async () => (await ask('GET', '/api/sites/devices')).json<DeviceWithSite[]>();
const check = async (...rows: object[]) =>
  (await ask('POST', '/api/admin/site-table/check', { rows })).json<TableCheck>();
const create = (...rows: object[]) => ask('POST', '/api/admin/site-table', { rows });

describe('a table of sites and devices', () => {
  test('creates everything in one transaction, each with an event of the audit trail', async () => {
    const rows = [
      { site: 'works', name: 'Pump', externalId: 'pump', ratedPowerKw: 7.5, expectedIntervalSeconds: 60 },
      { site: 'Depot', municipality, name: ' Gate ', externalId: 'gate', isActive: false },
      {
        site: 'Depot',
        municipality: '',
        name: 'Lights',
        externalId: 'lights',
        energySource: 'power',
        endUse: ' Lighting ',
      },
      { site: 'Yard', municipality: municipality.toUpperCase(), name: '', externalId: ' ' },
    ];
    expect(await check(...rows)).toEqual({ sites: 2, devices: 3, problems: [] });
    expect((await sites()).map(({ name }) => name)).toEqual(['Works']);
    const answer = await create(...rows);
    expect([answer.statusCode, answer.json()]).toEqual([201, { sites: 2, devices: 3 }]);
    expect((await sites()).map(({ name, deviceCount }) => [name, deviceCount])).toEqual([
      ['Depot', 2],
      ['Works', 2],
      ['Yard', 0],
    ]);
    const gate = (await devices()).find(({ externalId }) => externalId === 'gate');
    expect(gate).toMatchObject({ name: 'Gate', isActive: false, siteName: 'Depot' });
    expect((await devices()).map(({ externalId, endUse }) => [externalId, endUse])).toEqual([
      ['gate', null],
      ['lights', 'Lighting'],
      ['old', null],
      ['pump', null],
    ]);
    const audit = (await ask('GET', '/api/admin/audit?limit=5')).json<{ events: { action: string }[] }>();
    expect(audit.events.map(({ action }) => action).toSorted()).toEqual([
      'device.create',
      'device.create',
      'device.create',
      'site.create',
      'site.create',
    ]);
  });

  test('devices form the tree of the table, in any order of its rows; a circle creates nothing', async () => {
    const row = (externalId: string, parentExternalId: string) => ({
      site: 'Works',
      name: `Tree ${externalId}`,
      externalId,
      parentExternalId,
    });
    const circle = await create(row('t1', 't2'), row('t2', 't1'));
    expect([circle.statusCode, circle.json<{ error: string }>().error]).toEqual([
      400,
      'Row 3, parentExternalId: "Tree t1" is a sub-meter of this device; choose another main meter. Nothing was created.',
    ]);
    expect((await create(row('t1', 't2'), row('t2', 'old'))).statusCode).toBe(201);
    const known = await devices();
    const parentOf = (externalId: string) => {
      const parentId = known.find((device) => device.externalId === externalId)?.parentDeviceId;
      return known.find(({ id }) => id === parentId)?.externalId;
    };
    expect(['t1', 't2', 'old'].map(parentOf)).toEqual(['t2', 'old', undefined]);
  });

  test('an external ID that a spreadsheet has shortened, or that contains something invisible, is a bad cell, in the language of the page too', async () => {
    const { problems } = await check(
      { site: 'Works', name: 'Long', externalId: '4,711E+12' },
      { site: 'Works', name: 'Below', externalId: 'below', parentExternalId: '4.711E+12' },
      { site: 'Works', name: 'Unseen', externalId: 'me\u200Bter' },
    );
    const unseen = 'must not contain invisible characters, such as a zero-width space';
    const shortened = 'was truncated by the spreadsheet; format the column as text and enter every digit';
    const found = problems.filter(({ message }) => !message.startsWith('no device has'));
    expect(found.map(({ row, field, message }) => ({ row, field, message }))).toEqual([
      { row: 0, field: 'externalId', message: `${shortened}; got "4,711E+12"` },
      { row: 1, field: 'parentExternalId', message: `${shortened}; got "4.711E+12"` },
      { row: 2, field: 'externalId', message: `${unseen}; got "me\\u{200b}ter"` },
    ]);
    expect(found[0] && wordMessage(found[0].refusal, french)).toContain('a été abrégé par le tableur\u202f;');
  });

  test('every bad cell is marked by the rules of the forms, and nothing is created if there is one', async () => {
    const rows = [
      { site: 'Works', name: 'Good', externalId: 'good' },
      { site: '', name: 'x', externalId: 'x1' },
      {
        site: 'Works',
        name: 'a\u202Eb',
        externalId: 'y'.repeat(201),
        ratedPowerKw: -1,
        isActive: 'maybe',
        endUse: 'a\tb',
      },
      { site: 'Works', name: 'Twice', externalId: 'good' },
      { site: 'Nowhere', name: 'z', externalId: 'old', expectedIntervalSeconds: 1.5, energySource: 'sun' },
    ];
    const { problems } = await check(...rows);
    expect(problems.map(({ row, field }) => `${row} ${field}`)).toEqual([
      '1 site',
      '2 name',
      '2 externalId',
      '2 isActive',
      '2 ratedPowerKw',
      '2 endUse',
      '3 externalId',
      '4 energySource',
      '4 expectedIntervalSeconds',
      '4 municipality',
      '4 externalId',
    ]);
    const said = (row: number, field: string) =>
      problems.find((problem) => problem.row === row && problem.field === field)?.message;
    expect(said(2, 'isActive')).toBe('must be true or false; got "maybe"');
    expect(said(2, 'externalId')).toBe('must have at most 200 characters; got a text of 201 characters');
    expect(said(2, 'ratedPowerKw')).toBe('must be more than 0; got -1');
    expect(said(4, 'energySource')).toBe('must be one of auto, register, power; got "sun"');
    const answer = await create(...rows);
    expect(answer.statusCode).toBe(400);
    expect(answer.json<{ error: string }>().error).toBe('Row 3, site: must not be empty. Nothing was created.');
    const last = await create(
      { site: 'Works', name: 'Good', externalId: 'good' },
      { site: 'Nowhere', name: 'z', externalId: 'n' },
    );
    expect(last.json<{ error: string }>().error).toMatch(/^Row 3, municipality: /);
    expect((await devices()).some(({ externalId }) => externalId === 'good')).toBe(false);
  });

  test('two simultaneous tables with the same external ID: one is created completely, the other not at all', async () => {
    const table = (site: string) => [
      { site, municipality, name: 'One', externalId: `${site}-1` },
      { site, name: 'Same', externalId: 'same' },
    ];
    const answers = await Promise.all([create(...table('Left')), create(...table('Right'))]);
    expect(answers.map(({ statusCode }) => statusCode).toSorted()[0]).toBe(201);
    expect(answers.some(({ statusCode }) => statusCode === 400 || statusCode === 409)).toBe(true);
    const made = (await sites()).filter(({ name }) => name === 'Left' || name === 'Right');
    expect(made.map(({ deviceCount }) => deviceCount)).toEqual([2]);
  });

  test('bounds: 1,000 rows are accepted, 1,001 are 400, more than 1 MiB is 413, and no row is 400', async () => {
    const row = (at: number) => ({ site: 'Big', municipality, name: `M${at}`, externalId: `big-${at}` });
    const rows = Array.from({ length: maxTableRows }, (_, at) => row(at));
    expect((await create(...rows)).json()).toEqual({ sites: 1, devices: 1_000 });
    expect((await create(...rows, row(-1))).statusCode).toBe(400);
    expect((await create({ site: 'x'.repeat(1_100_000) })).statusCode).toBe(413);
    expect((await create()).statusCode).toBe(400);
  });
});

describe('several devices at once', () => {
  const change = (body: object, headers = admin) => ask('POST', '/api/admin/devices/change', body, headers);
  const make = async (...externalIds: string[]) => {
    const session = { app: portal.app, headers: admin };
    return Promise.all(externalIds.map((externalId) => createDevice(session, works, { externalId })));
  };

  test('are deactivated and moved together, with an event each, and keep their other settings', async () => {
    const deviceIds = await make('b1', 'b2');
    const session = { app: portal.app, headers: admin };
    const siteId = await createSite(session, { name: 'Target' });
    const answer = await change({ deviceIds: [...deviceIds, ...deviceIds], siteId, isActive: false });
    expect([answer.statusCode, answer.json()]).toEqual([200, { changed: 2 }]);
    const moved = (await devices()).filter(({ siteName }) => siteName === 'Target');
    expect(moved).toMatchObject([
      { name: 'b1', externalId: 'b1', isActive: false },
      { name: 'b2', externalId: 'b2', isActive: false },
    ]);
    expect((await change({ deviceIds, isActive: true })).statusCode).toBe(200);
    expect((await devices()).filter(({ siteName, isActive }) => siteName === 'Target' && isActive)).toHaveLength(2);
  });

  test('get the same settings, null for none; their energy is recomputed if it changes', async () => {
    const deviceIds = await make('s1', 's2');
    const rows = ['s1', 's2'].map((externalId) => ({ externalId, time: '2026-03-10T10:00:00Z', activePowerKw: 1 }));
    expect((await ask('POST', '/api/ingest/measurements', rows)).statusCode).toBe(200);
    const all = await portal.database.query<{ number: number; externalId: string }>({
      text: 'SELECT number, external_id AS "externalId" FROM monitoring.devices',
    });
    const numbers = all.rows.filter(({ externalId }) => /^s[12]$/.test(externalId)).map(({ number }) => number);
    const marked = async () => (await listDirtyRanges(portal.database, allOf(numbers), 10)).length;
    await materializeAll(portal.database, numbers);
    expect(await marked()).toBe(0);
    const settings = {
      energySource: 'power',
      ratedPowerKw: 12.5,
      registerMaxKwh: 1e6,
      expectedIntervalSeconds: 60,
      endUse: 'IT',
    };
    expect((await change({ deviceIds, isActive: false, endUse: 'Pumps' })).statusCode).toBe(200);
    expect(await marked()).toBe(0);
    expect((await change({ deviceIds, ...settings })).json()).toEqual({ changed: 2 });
    expect(await marked()).toBe(2);
    const stored = async () =>
      siteWithDevices
        .parse((await ask('GET', `/api/sites/${works}`)).json())
        .devices.filter(({ id }) => deviceIds.includes(id));
    expect(await stored()).toMatchObject([
      { name: 's1', isActive: false, ...settings },
      { name: 's2', isActive: false, ...settings },
    ]);
    expect((await change({ deviceIds, ratedPowerKw: null })).statusCode).toBe(200);
    const left = { isActive: false, ...settings, ratedPowerKw: null };
    expect(await stored()).toMatchObject([left, left]);
    expect((await change({ deviceIds, expectedIntervalSeconds: 0 })).statusCode).toBe(400);
    expect(await stored()).toMatchObject([left, left]);
  });

  test('a deleted device or a missing site leaves everything unchanged', async () => {
    const deviceIds = await make('b3');
    const unknown = '019a0000-0000-7000-8000-000000000001';
    expect((await change({ deviceIds: [...deviceIds, unknown], isActive: false })).statusCode).toBe(404);
    const answer = await change({ deviceIds, siteId: unknown, isActive: false });
    expect([answer.statusCode, answer.json<{ error: string }>().error]).toEqual([
      400,
      expect.stringContaining('siteId: site'),
    ]);
    expect((await devices()).find(({ externalId }) => externalId === 'b3')).toMatchObject({ isActive: true });
  });

  test.each([{}, { deviceIds: [] }, { deviceIds: ['x'], isActive: false }])('POST %j: 400', async (body) => {
    expect((await change(body)).statusCode).toBe(400);
  });

  test('an empty change is 400, and more than 5,000 devices are 400 or 413', async () => {
    const deviceIds = await make('b4');
    expect((await change({ deviceIds })).statusCode).toBe(400);
    const many = (length: number) => Array.from({ length }, () => deviceIds[0]);
    expect((await change({ deviceIds: many(5_000), isActive: true })).json()).toEqual({ changed: 1 });
    const tooMany = await change({ deviceIds: many(5_001), isActive: false });
    expect([tooMany.statusCode, tooMany.body]).toEqual([400, expect.stringMatching(/deviceIds.*5,?000/)]);
    expect((await change({ deviceIds: many(10_000), isActive: false })).statusCode).toBe(413);
  });
});
