import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { dashboardSummary, type DashboardSummary } from '../../shared/dashboard.ts';
import { bucketedRow } from '../../shared/measurements.ts';
import { appOfFile } from '../support/app-of-file.ts';
import { createDevice, createSite } from '../support/sites.ts';
import { readWithLibreOffice, withLibreOffice } from '../support/xlsx/libre-office.ts';
import { readWithOpenpyxl, withOpenpyxl } from '../support/xlsx/openpyxl.ts';
import { openWorkbook } from '../support/xlsx/workbook.ts';

const url = '/api/measurements/profile/export';
/** In the middle of a day in Berlin, and of a quarter-hour. */
const nowMs = Date.parse('2026-11-01T08:37:00Z');
const [autumn, spring, today] = [
  { fromDate: '2026-10-25', toDate: '2026-10-26' },
  { fromDate: '2026-03-29', toDate: '2026-03-30' },
  { fromDate: '2026-11-01', toDate: '2026-11-02' },
];
const portal = appOfFile({ now: () => nowMs });
let admin = { cookie: '' };
const ids: Record<'main' | 'sub' | 'other', string> = { main: '', sub: '', other: '' };
let summary: DashboardSummary;

const ask = (path: string, query: Record<string, string>, headers: Record<string, string> = admin) =>
  portal.app.inject({ method: 'GET', url: path, query, headers });

type Row = Record<string, string>;
async function profile(query: Record<string, string>): Promise<Row[]> {
  const answer = await ask(`${url}.csv`, query);
  expect(answer.statusCode, answer.body.slice(0, 300)).toBe(200);
  const [head = '', ...lines] = answer.body.trimEnd().split('\r\n');
  expect(Number(answer.headers['x-export-row-count'])).toBe(lines.length);
  const fields = head.split(',');
  return lines.map((line) => {
    const cells = line.split(',');
    return Object.fromEntries(fields.map((field, at) => [field, cells[at] ?? '']));
  });
}
const sumOf = (rows: readonly Row[], field: string) => rows.reduce((sum, row) => sum + Number(row[field]), 0);
const statesOf = (rows: readonly Row[]) => {
  const counts = new Map<string, number>();
  for (const { status = '' } of rows) counts.set(status, (counts.get(status) ?? 0) + 1);
  return Object.fromEntries(counts);
};

beforeAll(async () => {
  admin = await portal.signIn();
  const session = { app: portal.app, headers: admin };
  const site = await createSite(session, { timeZone: 'Europe/Berlin', name: 'Works' });
  ids.main = await createDevice(session, site, { externalId: 'DE-001', name: '=cmd|A0' });
  ids.sub = await createDevice(session, site, { externalId: 'DE-002', name: 'Press', parentDeviceId: ids.main });
  ids.other = await createDevice(session, site, { externalId: 'DE-003', name: 'Yard', energySource: 'power' });
  const start = Date.parse('2026-10-24T21:00:00Z');
  const isIn = (atMs: number, from: string, to: string) =>
    atMs > Date.parse(`2026-10-25T${from}:00Z`) && atMs < Date.parse(`2026-10-25T${to}:00Z`);
  const payload = Array.from({ length: 8 * 96 }, (_, at) => at).flatMap((at) => {
    const atMs = start + at * 900_000;
    const time = new Date(atMs).toISOString();
    return [
      // A kilowatt-hour more in each quarter-hour, three in one of them, and no readings for two hours.
      ...(isIn(atMs, '10:00', '12:00')
        ? []
        : [{ externalId: 'DE-001', time, activePowerKw: 4, energyImportedKwh: 100 + at + (at > 40 ? 2 : 0) }]),
      { externalId: 'DE-002', time, activePowerKw: 1, energyImportedKwh: at / 4, energyExportedKwh: at / 10 },
      ...(isIn(atMs, '15:00', '17:00') ? [] : [{ externalId: 'DE-003', time, activePowerKw: 0.3 }]),
    ];
  });
  const stored = await portal.app.inject({
    method: 'POST',
    url: '/api/ingest/measurements',
    payload,
    headers: admin,
  });
  expect(stored.json()).toMatchObject({ accepted: payload.length, rejected: 0 });
  summary = dashboardSummary.parse((await ask('/api/dashboard/summary', autumn)).json());
}, 60_000);

const ofDevice = (id: string) => summary.devices.find(({ deviceId }) => deviceId === id);

describe('a load profile: one row for each quarter-hour', () => {
  it('has 100 rows on the day the clocks go back, distinguished by their offset', async () => {
    const rows = await profile({ ...autumn, deviceIds: ids.other });
    expect(rows).toHaveLength(100);
    expect(rows[0]).toEqual({
      begin: '2026-10-25T00:00:00+02:00',
      end: '2026-10-25T00:15:00+02:00',
      siteName: 'Works',
      deviceName: 'Yard',
      externalId: 'DE-003',
      partOf: '',
      energyImportedKwh: '0.075',
      energyExportedKwh: '0',
      demandKw: '0.3',
      status: 'measured',
    });
    expect(rows.slice(11, 13).map(({ begin, end }) => [begin, end])).toEqual([
      ['2026-10-25T02:45:00+02:00', '2026-10-25T02:00:00+01:00'],
      ['2026-10-25T02:00:00+01:00', '2026-10-25T02:15:00+01:00'],
    ]);
    expect(rows.at(-1)?.end).toBe('2026-10-26T00:00:00+01:00');
    expect(new Set(rows.map(({ begin }) => begin)).size).toBe(100);
  });

  it('has 92 on the day they go forward, even if nothing is known', async () => {
    const rows = await profile({ ...spring, deviceIds: ids.main });
    expect(rows).toHaveLength(92);
    expect(statesOf(rows)).toEqual({ missing: 92 });
    expect(rows[0]).toMatchObject({ energyImportedKwh: '', energyExportedKwh: '', demandKw: '' });
    expect(rows[8]?.begin).toBe('2026-03-29T03:00:00+02:00');
  });

  it('adds up to the summary, and its highest measured demand is the peak of the summary', async () => {
    for (const id of Object.values(ids)) {
      const rows = await profile({ ...autumn, deviceIds: id });
      expect(sumOf(rows, 'energyImportedKwh')).toBeCloseTo(ofDevice(id)?.energyImportedKwh ?? NaN, 9);
      expect(sumOf(rows, 'energyExportedKwh')).toBeCloseTo(ofDevice(id)?.energyExportedKwh ?? NaN, 9);
      const measured = rows.filter(({ status }) => status === 'measured');
      expect(Math.max(...measured.map(({ demandKw }) => Number(demandKw)))).toBe(ofDevice(id)?.peakPowerKw);
    }
  });

  it('has no floating-point noise', async () => {
    for (const groupBy of ['device', 'site'])
      for (const { energyImportedKwh, energyExportedKwh, demandKw } of await profile({ ...autumn, groupBy }))
        for (const value of [energyImportedKwh, energyExportedKwh, demandKw])
          expect(value).toMatch(/^(\d+(\.\d{1,9})?)?$/);
  });

  it('marks measured slots, slots estimated over a gap of the register, and missing ones', async () => {
    expect(statesOf(await profile({ ...autumn, deviceIds: ids.main }))).toEqual({ measured: 92, estimated: 8 });
    expect(statesOf(await profile({ ...autumn, deviceIds: ids.sub }))).toEqual({ measured: 100 });
    expect(statesOf(await profile({ ...autumn, deviceIds: ids.other }))).toEqual({ measured: 92, missing: 8 });
  });

  it('counts the sum of a site with sub-meters once, incomplete if a device is missing', async () => {
    const rows = await profile({ ...autumn, groupBy: 'site' });
    expect(rows).toHaveLength(100);
    expect(Object.keys(rows[0] ?? {})).not.toContain('deviceName');
    expect(statesOf(rows)).toEqual({ measured: 84, estimated: 8, incomplete: 8 });
    expect(sumOf(rows, 'energyImportedKwh')).toBeCloseTo(summary.energyImportedKwh, 9);
    expect(summary.energyImportedKwh).toBeLessThan(
      summary.devices.reduce((sum, one) => sum + one.energyImportedKwh, 0) - 20,
    );
    expect(sumOf(rows, 'energyExportedKwh')).toBeCloseTo(summary.energyExportedKwh, 9);
  });

  it('goes device by device, each with its main meter, and escapes names that are formulas', async () => {
    const rows = await profile(autumn);
    expect(rows.map(({ externalId }) => externalId)).toEqual(
      ['DE-001', 'DE-002', 'DE-003'].flatMap((id) => Array.from({ length: 100 }, () => id)),
    );
    expect(rows[0]?.deviceName).toBe("'=cmd|A0");
    expect(rows[100]).toMatchObject({ deviceName: 'Press', partOf: "'=cmd|A0" });
  });

  it('ends with the last complete quarter-hour, and has no quarter-hour that the range cuts', async () => {
    const running = await profile({ ...today, deviceIds: ids.sub });
    expect(running).toHaveLength(38);
    expect(running.at(-1)?.end).toBe('2026-11-01T09:30:00+01:00');
    const cut = { from: '2026-10-25T05:07:00Z', to: '2026-10-25T06:08:00Z', deviceIds: ids.sub };
    expect((await profile(cut)).map(({ begin }) => begin)).toEqual([
      '2026-10-25T06:15:00+01:00',
      '2026-10-25T06:30:00+01:00',
      '2026-10-25T06:45:00+01:00',
    ]);
    const future = { from: '2026-12-01T00:00:00Z', to: '2026-12-02T00:00:00Z' };
    expect(await profile(future)).toEqual([]);
  });

  it('spans months without a row twice or missing', async () => {
    const rows = await profile({ fromDate: '2026-09-01', toDate: '2026-11-01', deviceIds: ids.sub });
    const starts = rows.map(({ begin = '' }) => Date.parse(begin));
    expect(rows).toHaveLength(61 * 96 + 4);
    expect(starts.every((start, at) => at === 0 || start - (starts[at - 1] ?? 0) === 900_000)).toBe(true);
  });
});

describe('a load profile as a workbook', () => {
  it('has local times with their offset beside them, and numbers that add up', async () => {
    const answer = await ask(`${url}.xlsx`, { ...autumn, deviceIds: ids.main });
    expect(answer.headers['content-disposition']).toBe(
      'attachment; filename="load-profile-1meter-20261025-20261025.xlsx"',
    );
    const book = openWorkbook(answer.rawPayload);
    const [sheet] = book.sheets;
    const rows = (sheet?.rows ?? []).map((row) => row.map((cell) => cell?.value ?? null));
    expect(rows[0]).toEqual([
      'Start (Europe/Berlin)',
      'End (Europe/Berlin)',
      'Site',
      'Device',
      'External ID',
      'Main meter',
      'Import (kWh)',
      'Export (kWh)',
      'Demand (kW)',
      'Status',
      'UTC offset',
    ]);
    expect(rows).toHaveLength(101);
    expect([rows[1]?.[10], rows[100]?.[10]]).toEqual(['+02:00', '+01:00']);
    expect(book.sheets.at(-1)?.name).toBe('About');
  });

  it('opens in openpyxl', withOpenpyxl, async () => {
    const answer = await ask(`${url}.xlsx`, autumn);
    const [sheet] = await readWithOpenpyxl(answer.rawPayload);
    expect(sheet).toMatchObject({ name: 'Load profile', freezePanes: 'A2' });
    expect(sheet?.rows).toHaveLength(301);
  });

  it('opens in LibreOffice', { timeout: 120_000, ...withLibreOffice }, async () => {
    const answer = await ask(`${url}.xlsx`, { ...autumn, groupBy: 'site' });
    const [sheet] = await readWithLibreOffice(answer.rawPayload);
    expect(sheet?.rows).toHaveLength(101);
  });
});

describe('the limits of a load profile', () => {
  it('has at most a million rows, and the error says what to choose instead', async () => {
    const answer = await ask(`${url}.csv`, { fromDate: '2005-01-01', toDate: '2026-01-01' });
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toEqual({
      error:
        'toDate: a load profile may have at most 1000000 rows; got 2208960; choose a shorter range, fewer devices or groupBy=site.',
      code: 'profileRowsOfDevices',
      field: 'toDate',
      params: { max: 1_000_000, count: 2_208_960 },
    });
    const sites = await ask(`${url}.csv`, { fromDate: '1900-01-01', toDate: '2026-01-01', groupBy: 'site' });
    expect(sites.json()).toMatchObject({ code: 'profileRowsOfSites', field: 'toDate' });
    const instants = await ask(`${url}.csv`, { from: '1900-01-01T00:00:00Z', to: '2026-01-01T00:00:00Z' });
    expect(instants.json()).toMatchObject({ code: 'profileRowsOfDevices', field: 'to' });
  });

  it('with too many rows is rejected before dirty ranges are computed', async () => {
    const payload = Array.from({ length: 300 }, (_, day) => ({
      externalId: 'DE-002',
      time: new Date(Date.UTC(2025, 0, 1 + day)).toISOString(),
      activePowerKw: 1,
    }));
    const stored = await portal.app.inject({
      method: 'POST',
      url: '/api/ingest/measurements',
      payload,
      headers: admin,
    });
    expect(stored.json()).toMatchObject({ rejected: 0 });
    const listPending = async () =>
      (await portal.database.query({ text: 'SELECT * FROM monitoring.energy_dirty_ranges ORDER BY id' })).rows;
    const pending = await listPending();
    expect(pending).not.toEqual([]);
    expect((await ask(`${url}.csv`, { fromDate: '2005-01-01', toDate: '2026-01-01' })).statusCode).toBe(400);
    expect(await listPending()).toEqual(pending);
  });

  it('accepts only devices and sites', async () => {
    const answer = await ask(`${url}.csv`, { ...autumn, groupBy: 'moon' });
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ error: 'groupBy must be one of device, site; got "moon".' });
  });
});

it.each(['15min', 'hour', 'day'])('energy by %s adds up to the summary, device by device', async (bucket) => {
  for (const id of Object.values(ids)) {
    const answer = await ask('/api/measurements', { ...autumn, bucket, deviceId: id });
    const rows = z.array(bucketedRow).parse(answer.json());
    const sum = (field: 'energyImportedKwh' | 'energyExportedKwh') => rows.reduce((all, row) => all + row[field], 0);
    expect(sum('energyImportedKwh')).toBeCloseTo(ofDevice(id)?.energyImportedKwh ?? NaN, 9);
    expect(sum('energyExportedKwh')).toBeCloseTo(ofDevice(id)?.energyExportedKwh ?? NaN, 9);
  }
});
