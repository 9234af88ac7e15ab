import { beforeAll, describe, expect, test } from 'vitest';
import { auditPage } from '../../shared/audit.ts';
import { maxRemarkLength } from '../../shared/reports.ts';
import { createUser } from '../support/accounts.ts';
import { appOfFile } from '../support/app-of-file.ts';
import { createDevice, createSite } from '../support/sites.ts';

const portal = appOfFile();
let admin: { cookie: string };
let plain: { cookie: string };
let sites: readonly string[];
let devices: readonly string[];

beforeAll(async () => {
  admin = await portal.signIn();
  plain = await portal.signIn(await createUser(portal, { email: 'plain@example.com' }));
  const asking = { app: portal.app, headers: admin };
  sites = [await createSite(asking, { name: 'Office' }), await createSite(asking, { name: 'Works' })];
  devices = await Promise.all(['a', 'b'].map((externalId) => createDevice(asking, sites[1] ?? '', { externalId })));
});

const ask = (query: string, remark?: unknown, headers: Record<string, string> = admin) =>
  portal.app.inject({
    method: remark === undefined ? 'GET' : 'PUT',
    url: `/api/report/remark?${query}`,
    headers,
    ...(remark === undefined ? {} : { payload: { remark } }),
  });
const read = async (query: string) => (await ask(query, undefined, plain)).json<{ remark: string }>().remark;

const remove = (kind: 'sites' | 'devices', id = '') =>
  portal.app.inject({ method: 'DELETE', url: `/api/admin/${kind}/${id}`, headers: admin });
const errorOf = (answer: { json: <T>() => T }) => answer.json<{ error: string }>().error;

describe('a remark in a report', () => {
  test('is kept for its month or year and its devices, whatever their order; everyone reads it', async () => {
    expect(await read('period=2026-03')).toBe('');
    expect((await ask('period=2026-03', ' The press stood still.\n\nTwice. ')).json()).toEqual({
      remark: 'The press stood still.\n\nTwice.',
    });
    const [a = '', b = ''] = sites;
    await ask(`period=2026-03&siteIds=${a},${b}`, 'Both sites');
    await ask(`period=2026-03&deviceIds=${devices.join()}`, 'Both devices');
    await ask('period=2026', 'The year');
    expect(await read('period=2026-03')).toBe('The press stood still.\n\nTwice.');
    expect(await read(`period=2026-03&siteIds=${b},${a.toUpperCase()}`)).toBe('Both sites');
    expect(await read(`period=2026-03&deviceIds=${devices.toReversed().join()}`)).toBe('Both devices');
    expect(await read(`period=2026-03&siteIds=${a}`)).toBe('');
    expect(await read('period=2026')).toBe('The year');
    expect(await read('period=2026-04')).toBe('');
  });

  test('is removed by an empty text, and each change is an event of the audit trail', async () => {
    await ask('period=2025-01', 'First');
    await ask('period=2025-01', 'First');
    await ask('period=2025-01', '  ');
    expect(await read('period=2025-01')).toBe('');
    const trail = await portal.app.inject({ url: '/api/admin/audit?subjectKind=report&limit=2', headers: admin });
    const { events } = auditPage.parse(trail.json());
    expect(events.map(({ action, subjectName, before, after }) => [action, subjectName, before, after])).toEqual([
      ['report.change-remark', '2025-01', { remark: 'First' }, { remark: '' }],
      ['report.change-remark', '2025-01', { remark: '' }, { remark: 'First' }],
    ]);
  });

  test('is not written over an unseen one: 412', async () => {
    const { etag } = (await ask('period=2025-02')).headers;
    const over = { ...admin, 'if-match': String(etag) };
    expect((await ask('period=2025-02', 'Mine', over)).statusCode).toBe(200);
    expect((await ask('period=2025-02', 'Theirs', over)).statusCode).toBe(412);
    expect(await read('period=2025-02')).toBe('Mine');
  });

  test('accepts a month or year, GUIDs and a text of limited length', async () => {
    expect((await ask('period=2025-03', 'x'.repeat(maxRemarkLength))).statusCode).toBe(200);
    for (const [query, remark, field] of [
      ['period=2025-03', 'x'.repeat(maxRemarkLength + 1), 'remark'],
      ['period=2025-03', 7, 'remark'],
      ['period=2025-03', 'NUL\u0000', 'remark'],
      ['period=2025-13', 'x', 'period'],
      ['period=1999-12', 'x', 'period'],
      ['', 'x', 'period'],
      ['period=2025-03&siteIds=works', 'x', 'siteIds'],
    ] as const) {
      const answer = await ask(query, remark);
      expect([answer.statusCode, answer.json<{ error: string }>().error]).toEqual([
        400,
        expect.stringContaining(field),
      ]);
    }
  });

  test('is deleted with the last of its sites and devices; a report about deleted ones accepts none: 404', async () => {
    const [office = '', works = ''] = sites;
    const [a = '', b = ''] = devices;
    await ask('period=2024-01', 'All');
    await ask(`period=2024-01&deviceIds=${a}`, 'One');
    await ask(`period=2024-01&deviceIds=${a},${b}`, 'Two');
    await ask(`period=2024-01&deviceIds=${a}&siteIds=${office}`, 'A device and a site');
    await ask(`period=2024-01&siteIds=${works}`, 'Another site');
    expect((await remove('devices', a)).statusCode).toBe(204);
    expect(await read(`period=2024-01&deviceIds=${a}`)).toBe('');
    expect(await read(`period=2024-01&deviceIds=${a},${b}`)).toBe('Two');
    expect(await read(`period=2024-01&deviceIds=${a}&siteIds=${office}`)).toBe('A device and a site');
    expect((await remove('sites', office)).statusCode).toBe(204);
    expect(await read(`period=2024-01&deviceIds=${a}&siteIds=${office}`)).toBe('');
    expect((await remove('devices', b)).statusCode).toBe(204);
    expect(await read(`period=2024-01&deviceIds=${a},${b}`)).toBe('');
    expect(await read(`period=2024-01&siteIds=${works}`)).toBe('Another site');
    expect(await read('period=2024-01')).toBe('All');
    const refused = await ask(`period=2024-02&deviceIds=${a},${b}`, 'Gone');
    expect([refused.statusCode, errorOf(refused)]).toEqual([404, 'This device does not exist.']);
  });

  test('is one of 5,000 at most: 409; an existing one can still be changed and removed', async () => {
    await portal.database.query({ text: 'TRUNCATE monitoring.report_remarks' });
    await portal.database.query({
      text: `INSERT INTO monitoring.report_remarks (period, scope, remark) SELECT '2023', n::text, 'x' FROM generate_series(1, 4999) AS n`,
    });
    expect((await ask('period=2023-01', 'The last')).statusCode).toBe(200);
    const refused = await ask('period=2023-02', 'One too many');
    expect([refused.statusCode, errorOf(refused)]).toEqual([409, expect.stringContaining('already 5000 remarks')]);
    expect((await ask('period=2023-01', 'Changed')).statusCode).toBe(200);
    expect((await ask('period=2023-01', '')).statusCode).toBe(200);
    expect((await ask('period=2023-02', 'In its place')).statusCode).toBe(200);
  });
});
