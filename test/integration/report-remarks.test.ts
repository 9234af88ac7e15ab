import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { auditPage } from '../../shared/audit.ts';
import { maxRemarkLength } from '../../shared/report-remarks.ts';
import { createUser } from '../support/accounts.ts';
import { createTestApp, type TestApp } from '../support/app.ts';

let portal: TestApp;
let admin: { cookie: string };
let plain: { cookie: string };
const [a, b] = ['019a0000-0000-7000-8000-00000000000a', '019a0000-0000-7000-8000-00000000000b'];

beforeAll(async () => {
  portal = await createTestApp();
  admin = await portal.signIn();
  plain = await portal.signIn(await createUser(portal, { email: 'plain@example.com' }));
});
afterAll(() => portal.close());

const ask = (query: string, remark?: unknown, headers: Record<string, string> = admin) =>
  portal.app.inject({
    method: remark === undefined ? 'GET' : 'PUT',
    url: `/api/report/remark?${query}`,
    headers,
    ...(remark === undefined ? {} : { payload: { remark } }),
  });
const read = async (query: string) => (await ask(query, undefined, plain)).json<{ remark: string }>().remark;

describe('a remark of one’s own in a report', () => {
  test('is kept for its month or year and its devices, whatever their order; everybody reads it', async () => {
    expect(await read('period=2026-03')).toBe('');
    expect((await ask('period=2026-03', ' The press stood still.\n\nTwice. ')).json()).toEqual({
      remark: 'The press stood still.\n\nTwice.',
    });
    await ask(`period=2026-03&siteIds=${a},${b}`, 'Both sites');
    await ask(`period=2026-03&deviceIds=${a},${b}`, 'Both devices');
    await ask('period=2026', 'The year');
    expect(await read('period=2026-03')).toBe('The press stood still.\n\nTwice.');
    expect(await read(`period=2026-03&siteIds=${b},${a.toUpperCase()}`)).toBe('Both sites');
    expect(await read(`period=2026-03&deviceIds=${b},${a}`)).toBe('Both devices');
    expect(await read(`period=2026-03&siteIds=${a}`)).toBe('');
    expect(await read('period=2026')).toBe('The year');
    expect(await read('period=2026-04')).toBe('');
  });

  test('is taken away by an empty text, and each change is an event of the audit trail', async () => {
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

  test('is not written over another one that was not read: 412', async () => {
    const { etag } = (await ask('period=2025-02')).headers;
    const over = { ...admin, 'if-match': String(etag) };
    expect((await ask('period=2025-02', 'Mine', over)).statusCode).toBe(200);
    expect((await ask('period=2025-02', 'Theirs', over)).statusCode).toBe(412);
    expect(await read('period=2025-02')).toBe('Mine');
  });

  test('is written by administrators, and takes a month or year, GUIDs and a bounded text', async () => {
    expect((await ask('period=2025-03', 'x', plain)).statusCode).toBe(403);
    expect((await ask('period=2025-03', 'x', {})).statusCode).toBe(401);
    expect((await ask('period=2025-03', undefined, {})).statusCode).toBe(401);
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
});
