import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it, test } from 'vitest';
import { z } from 'zod';
import { rawMeasurementRow, type RawMeasurementRow, rawMeasurementsPage } from '../../shared/measurements.ts';
import type { TestApp } from '../support/app.ts';
import { appOfFile } from '../support/app-of-file.ts';
import { createDevice, createSite } from '../support/sites.ts';
import { readWithLibreOffice, withLibreOffice } from '../support/xlsx/libre-office.ts';
import { readWithOpenpyxl, withOpenpyxl } from '../support/xlsx/openpyxl.ts';
import { localTimeOfSerial } from '../support/xlsx/serial-time.ts';
import { openWorkbook, type Workbook } from '../support/xlsx/workbook.ts';

const xlsx = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const url = '/api/measurements/raw/export';
const nowMs = Date.parse('2026-11-01T08:30:15.250Z');
/** Over the night in which clocks in Berlin go back, at 01:00 UTC. */
const range = { from: '2026-10-24T22:00:00Z', to: '2026-10-25T04:00:00Z' };

const sites = { berlin: `=cmd|' /C calc'!A0`, kolkata: 'مصنع 🏭 "North", hall 1' };
const names = ['+49 "Press"', '@ Kühlhaus 😀', `-${'long name '.repeat(19)}`];

const portal = appOfFile({ environment: { WhiteLabel__ApplicationName: 'Acme & Söhne' }, now: () => nowMs });
let session: { app: TestApp['app']; headers: { cookie: string } };
const devices: string[] = [];
/** Of the whole range, as in the table. */
let shown: RawMeasurementRow[] = [];

async function ask(path: string, query: Record<string, string>, headers: Record<string, string> = {}) {
  return portal.app.inject({ method: 'GET', url: path, query, headers: { ...session.headers, ...headers } });
}

async function exported(query: Record<string, string> = {}): Promise<Workbook> {
  const answer = await ask(`${url}.xlsx`, { ...range, ...query });
  expect(answer.statusCode, answer.body.slice(0, 300)).toBe(200);
  return openWorkbook(answer.rawPayload);
}

const sheetOf = (workbook: Workbook, name: string) => {
  const sheet = workbook.sheets.find((one) => one.name === name);
  if (sheet === undefined) throw new Error(`There is no sheet ${name}.`);
  return { ...sheet, values: sheet.rows.map((row) => row.map((cell) => cell?.value ?? null)) };
};

/** The properties on the last sheet. */
const aboutOf = (workbook: Workbook) => {
  const last = workbook.sheets.at(-1)?.name ?? '';
  expect(last).toBe('About');
  return new Map(sheetOf(workbook, last).values.map(([property, value]) => [property, value]));
};

beforeAll(async () => {
  session = { app: portal.app, headers: await portal.signIn() };
  const berlin = await createSite(session, { timeZone: 'Europe/Berlin', name: sites.berlin });
  const kolkata = await createSite(session, { timeZone: 'Asia/Kolkata', name: sites.kolkata });
  const places = [berlin, berlin, kolkata];
  for (const [at, name] of names.entries()) {
    devices.push(await createDevice(session, places[at] ?? berlin, { externalId: `meter-${at}`, name }));
  }
  const payload = Array.from({ length: 24 }, (_, at) => at).flatMap((at) =>
    devices.map((_, device) => ({
      externalId: `meter-${device}`,
      time: new Date(Date.parse(range.from) + at * 900_000 + device * 250).toISOString(),
      activePowerKw: (at - 12) * 1.000001 + device,
      reactivePowerKvar: at % 3 === 0 ? null : 0.1 + 0.2,
      apparentPowerKva: 1234567.891,
      powerFactor: -0.123456,
      voltageV: 229.987,
      frequencyHz: at % 2 === 0 ? 49.9876 : null,
      energyImportedKwh: 9_876_543.210001 + at,
      ...(device === 1 ? {} : { energyExportedKwh: 0.000001 * at }),
    })),
  );
  const stored = await portal.app.inject({
    method: 'POST',
    url: '/api/ingest/measurements',
    payload,
    headers: session.headers,
  });
  expect(stored.json()).toMatchObject({ accepted: payload.length, rejected: 0 });
  const page = await ask('/api/measurements/raw', { ...range, limit: '1000' });
  shown = rawMeasurementsPage.parse(page.json()).rows;
  expect(shown).toHaveLength(72);
}, 60_000);

describe('GET /api/measurements/raw/export.xlsx: the rules of the specification', () => {
  it.each([
    ['no device', '', 'measurements-20261024-20261025.xlsx'],
    ['blanks alone', ' , ,', 'measurements-20261024-20261025.xlsx'],
    ['one device', '0', 'measurements-1meter-20261024-20261025.xlsx'],
    ['one device twice', '0,0', 'measurements-1meter-20261024-20261025.xlsx'],
    ['three devices', '0,1,2', 'measurements-3meters-20261024-20261025.xlsx'],
  ])('Rule 5: the name of the file, %s', async (_, chosen, name) => {
    const deviceIds = chosen.replaceAll(/\d/g, (at) => devices[Number(at)] ?? '');
    const answer = await ask(`${url}.xlsx`, { ...range, deviceIds });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers).toMatchObject({
      'content-type': xlsx,
      'content-disposition': `attachment; filename="${name}"`,
    });
  });

  it('Rule 5: the dates of the name are in UTC', async () => {
    const edges = { from: '2026-03-01T00:30:00+02:00', to: '2026-03-31T23:30:00-01:00' };
    const answer = await ask(`${url}.xlsx`, edges);
    expect(answer.headers['content-disposition']).toBe('attachment; filename="measurements-20260228-20260401.xlsx"');
  });

  it.each([
    ['0', 100_000],
    ['-5', 100_000],
    ['250001', 100_000],
    ['1.5', 100_000],
    ['many', 100_000],
    ['', 100_000],
    ['9'.repeat(40), 100_000],
    ['1', 1],
    ['250000', 250_000],
  ])('Rule 5: rowCap %j counts as %i', async (rowCap, cap) => {
    const workbook = await exported({ rowCap });
    expect(aboutOf(workbook).get('Row limit')).toBe(cap);
    expect(workbook.sheets[0]?.rows).toHaveLength(Math.min(cap, shown.length) + 1);
  });

  it('Rule 5: the cap keeps the newest, and the file and its headers say so', async () => {
    const answer = await ask(`${url}.xlsx`, { ...range, rowCap: '5' });
    expect(answer.headers).toMatchObject({ 'x-export-row-count': '5', 'x-export-total-count': '72' });
    const workbook = openWorkbook(answer.rawPayload);
    const rows = sheetOf(workbook, 'Measurements').values.slice(1);
    expect(rows.map((row) => row[1])).toEqual(shown.slice(0, 5).map((row) => row.deviceName));
    const about = aboutOf(workbook);
    expect(about.get('Rows')).toBe(5);
    expect(about.get('Matching rows')).toBe(72);
    expect(about.get('Cut by the limit')).toMatch(/^yes/);
    expect(aboutOf(await exported()).get('Cut by the limit')).toBe('no');
  });

  it.each(['xlsx', 'csv', 'ndjson'])('Rules 2 and 3: .%s rejects what the table rejects, as JSON', async (format) => {
    const path = `${url}.${format}`;
    for (const [query, sentence] of [
      [{ from: range.to, to: range.to }, /to must be after from/],
      [{ ...range, deviceIds: `${devices[0]},nonsense` }, /"nonsense"/],
      [{ to: range.to }, /^from is missing/],
    ] as const) {
      const answer = await ask(path, query);
      expect(answer.statusCode).toBe(400);
      expect(answer.headers['content-type']).toMatch(/json/);
      expect(answer.json<{ error: string }>().error).toMatch(sentence);
    }
    // It would read everything in vain.
    const head = await portal.app.inject({ method: 'HEAD', url: path, query: range, headers: session.headers });
    expect(head.statusCode).toBe(404);
  });

  it('an unknown device, or a range without readings: a file with its header and its description', async () => {
    const deviceIds = '00000000-0000-4000-8000-000000000000';
    for (const query of [{ deviceIds }, { from: '1999-01-01T00:00:00Z', to: '2000-01-01T00:00:00Z' }]) {
      const workbook = await exported(query);
      expect(workbook.sheets.map(({ rows }) => rows.length)).toEqual([1, expect.any(Number)]);
      expect(aboutOf(workbook).get('Rows')).toBe(0);
    }
    const far = await exported({ from: '0001-01-01T00:00:00Z', to: '9999-12-31T23:59:59Z' });
    expect(sheetOf(far, 'Measurements').rows).toHaveLength(73);
  });
});

const quantities = [
  'activePowerKw',
  'reactivePowerKvar',
  'apparentPowerKva',
  'powerFactor',
  'voltageV',
  'frequencyHz',
  'energyImportedKwh',
  'energyExportedKwh',
] as const;
/** The reader's zone for times: that of the first site. */
const zone = 'Europe/Berlin';
const localTime = (row: RawMeasurementRow) =>
  Temporal.Instant.from(row.time).toZonedDateTimeISO(zone).toPlainDateTime().toString();
const offsetOf = (row: RawMeasurementRow) => Temporal.Instant.from(row.time).toZonedDateTimeISO(zone).offset;

describe('The workbook of readings', () => {
  const columns = [
    ['Time (Europe/Berlin)', 'yyyy-mm-dd hh:mm:ss'],
    ['Device', 'General'],
    ['Site', 'General'],
    ['Active power (kW)', '#,##0.000### "kW"'],
    ['Reactive power (kvar)', '#,##0.000### "kvar"'],
    ['Apparent power (kVA)', '#,##0.000### "kVA"'],
    ['Power factor', '#,##0.000###'],
    ['Voltage (V)', '#,##0.0## "V"'],
    ['Frequency (Hz)', '#,##0.000# "Hz"'],
    ['Import register (kWh)', '#,##0.000### "kWh"'],
    ['Export register (kWh)', '#,##0.000### "kWh"'],
    ['UTC offset', 'General'],
  ] as const;
  /** The expected value of each cell, header first. */
  const expectedValues = () => [
    columns.map(([header]) => header),
    ...shown.map((row) => [
      localTime(row),
      row.deviceName,
      row.siteName,
      ...quantities.map((name) => row[name]),
      offsetOf(row),
    ]),
  ];

  it('has the rows of the table, cell by cell, in its order, each time in the zone of the reader', async () => {
    const { rows, frozenRows, autoFilter } = sheetOf(await exported(), 'Measurements');
    const values = rows.map((row, at) =>
      row.map((cell, column) => {
        const value = cell?.value ?? null;
        return at > 0 && column === 0 && typeof value === 'number' ? localTimeOfSerial(value) : value;
      }),
    );
    expect(values).toEqual(expectedValues());
    expect({ frozenRows, autoFilter }).toEqual({ frozenRows: 1, autoFilter: 'A1:L73' });
    expect(rows[0]?.every((cell) => cell?.isBold)).toBe(true);
    for (const [at, [header, format]] of columns.entries()) {
      // Times are whole seconds; milliseconds are shown if there are any.
      const whole = rows.slice(1).filter((_, row) => shown[row]?.time.includes('.') === false);
      const formats = new Set(whole.flatMap((row) => row[at]?.numberFormat ?? []));
      expect([...formats], header).toEqual([format]);
    }
  });

  it('distinguishes the two halves of the repeated autumn hour', async () => {
    const { values } = sheetOf(await exported({ deviceIds: devices[0] ?? '' }), 'Measurements');
    const repeated = values.flatMap((row) =>
      typeof row[0] === 'number' && localTimeOfSerial(row[0]).endsWith('T02:15:00') ? [row.at(-1)] : [],
    );
    expect(repeated).toEqual(['+01:00', '+02:00']);
  });

  it('has the times of a reader who has chosen another zone in that one', async () => {
    const choose = (timeZone: string | null) =>
      portal.app.inject({
        method: 'PUT',
        url: '/api/auth/me',
        headers: session.headers,
        payload: { displayName: 'Administrator', timeZone },
      });
    await choose('Asia/Tokyo');
    const { values } = sheetOf(await exported(), 'Measurements');
    await choose(null);
    expect(values[0]?.[0]).toBe('Time (Asia/Tokyo)');
    const times = values.slice(1).map(([time]) => (typeof time === 'number' ? localTimeOfSerial(time) : time));
    expect(times).toEqual(
      shown.map(({ time }) =>
        Temporal.Instant.from(time).toZonedDateTimeISO('Asia/Tokyo').toPlainDateTime().toString(),
      ),
    );
    expect(values[1]?.at(-1)).toBe('+09:00');
  });

  it('has columns that fit, even the longest name and the largest number', async () => {
    const { columnWidths, values } = sheetOf(await exported(), 'Measurements');
    expect(columnWidths).toHaveLength(12);
    for (const [at, width] of columnWidths.entries()) {
      expect(width, columns[at]?.[0]).toBeGreaterThanOrEqual(String(values[0]?.[at]).length);
      expect(width).toBeLessThanOrEqual(60);
    }
    // 9,876,566.210001 kWh
    expect(columnWidths[9]).toBeGreaterThanOrEqual('9,876,566.210001 kWh'.length);
  });

  it('ends with a sheet with range, devices, zone, brand, user and time', async () => {
    const workbook = await exported({ deviceIds: `${devices[0]},${devices[1]}` });
    const { values, frozenRows } = sheetOf(workbook, 'About');
    expect(frozenRows).toBe(1);
    expect(
      values.map((row) =>
        row.map((value) => (typeof value === 'number' && value > 40_000 ? localTimeOfSerial(value) : value)),
      ),
    ).toEqual([
      ['Property', 'Value', 'Detail'],
      ['Application', 'Acme & Söhne'],
      ['Content', 'Measurements as received, newest first'],
      ['From (Europe/Berlin)', '2026-10-25T00:00:00', '2026-10-24T22:00:00Z'],
      ['To, exclusive (Europe/Berlin)', '2026-10-25T05:00:00', '2026-10-25T04:00:00Z'],
      ['Time zone', 'Europe/Berlin'],
      ['Created at (Europe/Berlin)', '2026-11-01T09:30:15.25', '2026-11-01T08:30:15.250Z'],
      ['Created by', 'Administrator (admin@example.com)'],
      ['Rows', 48],
      ['Matching rows', 48],
      ['Row limit', expect.any(String)],
      ['Cut by the limit', 'no'],
      ['Devices', 2, 'selected'],
      ['Device', names[0], sites.berlin],
      ['Device', names[1], sites.berlin],
    ]);
    expect(workbook.properties.get('creator')).toBe('Acme & Söhne');
    expect(workbook.properties.get('created')).toBe('2026-11-01T08:30:15.250Z');
  });

  test('openpyxl reads the same, and every text as text', { timeout: 120_000, ...withOpenpyxl }, async () => {
    const answer = await ask(`${url}.xlsx`, range);
    const [sheet] = await readWithOpenpyxl(answer.rawPayload);
    expect(sheet?.rows.map((row) => row.map(({ value }) => value))).toEqual(expectedValues());
    expect(sheet).toMatchObject({ name: 'Measurements', freezePanes: 'A2', autoFilter: 'A1:L73' });
    for (const row of sheet?.rows.slice(1) ?? []) {
      expect(row.map(({ dataType }) => dataType).join('')).toMatch(/^dss[n]{8}s$/);
    }
  });

  test(
    'LibreOffice reads the same, and shows each number with its unit',
    { timeout: 120_000, ...withLibreOffice },
    async () => {
      const answer = await ask(`${url}.xlsx`, range);
      const [sheet] = await readWithLibreOffice(answer.rawPayload);
      const values = sheet?.rows.map((row) => row.map((cell) => cell?.value ?? null));
      // Its precision is a hundredth of a second.
      const expected = expectedValues().map((row) =>
        row.map((value, at) =>
          at === 0 && typeof value === 'string' && value.includes('.') ? value.slice(0, 22) : value,
        ),
      );
      expect(values).toEqual(expected);
      const newest = sheet?.rows[1]?.map((cell) => cell?.text ?? null);
      expect(newest?.[9]).toBe('9,876,566.210001 kWh');
      expect(newest?.[7]).toBe('229.987 V');
    },
  );
});

describe('CSV and NDJSON follow the same rules', () => {
  it('NDJSON is the rows of the table, a line each', async () => {
    const answer = await ask(`${url}.ndjson`, range);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/x-ndjson; charset=utf-8',
      'content-disposition': 'attachment; filename="measurements-20261024-20261025.ndjson"',
      'x-export-row-count': '72',
      vary: 'accept-encoding',
    });
    const lines = answer.body.split('\n');
    expect(lines.pop()).toBe('');
    expect(lines.map((line) => rawMeasurementRow.parse(JSON.parse(line)))).toEqual(shown);
  });

  it('CSV has the same fields, times in UTC, and no text that a spreadsheet computes', async () => {
    const answer = await ask(`${url}.csv`, { ...range, rowCap: '2' });
    expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8');
    const longName = `'${names[2]?.trim()}`;
    expect(answer.body).toBe(
      [
        `time,deviceName,siteName,${quantities.join(',')}`,
        `2026-10-25T03:45:00.5Z,${longName},"مصنع 🏭 ""North"", hall 1",13.000011,0.3,1234567.891,-0.123456,229.987,,9876566.210001,0.000023`,
        `2026-10-25T03:45:00.25Z,'@ Kühlhaus 😀,'=cmd|' /C calc'!A0,12.000011,0.3,1234567.891,-0.123456,229.987,,9876566.210001,`,
        '',
      ].join('\r\n'),
    );
  });

  it.each([
    ['gzip', true],
    ['br, gzip;q=0.5', true],
    ['*', true],
    ['', false],
    ['identity', false],
    ['gzip;q=0, *', false],
  ])('Accept-Encoding %j: compressed is %s', async (accepted, isPacked) => {
    for (const format of ['csv', 'ndjson']) {
      const plain = await ask(`${url}.${format}`, range);
      const answer = await ask(`${url}.${format}`, range, { 'accept-encoding': accepted });
      expect(answer.headers['content-encoding']).toBe(isPacked ? 'gzip' : undefined);
      expect((isPacked ? gunzipSync(answer.rawPayload) : answer.rawPayload).equals(plain.rawPayload)).toBe(true);
    }
    const workbook = await ask(`${url}.xlsx`, range, { 'accept-encoding': accepted });
    expect(workbook.headers['content-encoding']).toBeUndefined();
  });
});

describe('The API document', () => {
  it('has the exports with their types', async () => {
    const document = z
      .object({
        paths: z.record(
          z.string(),
          z
            .object({
              get: z.object({
                responses: z.record(z.string(), z.object({ content: z.record(z.string(), z.unknown()).default({}) })),
              }),
            })
            .partial(),
        ),
      })
      .parse((await ask('/api/openapi.json', {})).json());
    const typesOf = (path: string) => Object.keys(document.paths[path]?.get?.responses['200']?.content ?? {});
    expect(typesOf(`${url}.xlsx`)).toEqual([xlsx]);
    expect(typesOf(`${url}.csv`)).toEqual(['text/csv; charset=utf-8']);
    expect(typesOf(`${url}.ndjson`)).toEqual(['application/x-ndjson; charset=utf-8']);
    expect(typesOf('/api/dashboard/summary/export.xlsx')).toEqual([xlsx]);
  });
});
