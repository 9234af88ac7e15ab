import { describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../support/app.ts';
import { appOfFile } from '../support/app-of-file.ts';

const portal = appOfFile();

/** The value of a series, written as Prometheus does. */
async function read(series: string): Promise<number> {
  const { body } = await portal.app.inject('/metrics');
  const line = body.split('\n').find((candidate) => candidate.startsWith(`${series} `));
  return Number(line?.slice(series.length + 1));
}

describe('GET /metrics', () => {
  test('is the text format of Prometheus with build, process, event loop and pool', async () => {
    const answer = await portal.app.inject('/metrics');
    expect(answer.headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/);
    for (const name of [
      'portal_build_info{version="0.0.0-test",node="v',
      'process_resident_memory_bytes ',
      'process_cpu_seconds_total ',
      'nodejs_eventloop_lag_p99_seconds ',
      'portal_database_connections{state="idle"} ',
      'portal_database_connections{state="busy"} 0',
      'portal_database_connections{state="waiting"} 0',
    ]) {
      expect(answer.body).toContain(`\n${name}`);
    }
  });

  test('counts requests by method, route and status: the pattern of the route, never the path', async () => {
    const series = (labels: string) => `portal_http_request_duration_seconds_count{${labels}}`;
    const known = series('method="GET",route="/api/sites/:id",status="401"');
    const unmatched = series('method="GET",route="unmatched",status="404"');
    const refused = series('method="POST",route="/api/auth/logout",status="403"');
    for (const id of ['a', 'b']) await portal.app.inject(`/api/sites/${id}`);
    for (const path of ['/api/x', '/api/y?secret=1']) await portal.app.inject(path);
    await portal.app.inject({ method: 'POST', url: '/api/auth/logout', headers: { origin: 'https://evil.example' } });
    expect([await read(known), await read(unmatched), await read(refused)]).toEqual([2, 2, 1]);
    const { body } = await portal.app.inject('/metrics');
    expect(body).toContain(
      `portal_http_request_duration_seconds_bucket{le="+Inf",${known.slice(known.indexOf('{') + 1)} 2`,
    );
    expect(body).not.toMatch(/\/api\/[xy]|secret/);
  });

  test('counts ingested rows by verdict', async () => {
    const headers = await portal.signIn();
    const send = (payload: object[]) =>
      portal.app.inject({ method: 'POST', url: '/api/ingest/measurements', headers, payload });
    const row = { externalId: 'metered', time: '2026-03-10T10:00:00Z', activePowerKw: 1 };
    const create = async (url: string, payload: object) =>
      (await portal.app.inject({ method: 'POST', url, headers, payload })).json<{ id: string }>().id;
    const municipalityId = await create('/api/admin/rates/municipalities', { name: 'Town', timeZone: 'UTC' });
    const siteId = await create('/api/admin/sites', { name: 'Site', municipalityId });
    await create('/api/admin/devices', { siteId, name: 'Meter', externalId: 'metered' });

    await send([row, { ...row, time: '2026-03-10T10:01:00Z' }, { ...row, externalId: 'unknown' }]);
    await send([row, { ...row, activePowerKw: 'much' }]);
    const verdicts = ['stored', 'duplicate', 'rejected'].map(
      (verdict) => `portal_ingest_rows_total{verdict="${verdict}"}`,
    );
    expect(await Promise.all(verdicts.map(read))).toEqual([2, 1, 2]);
    const states = ['offline', 'never', 'live'].map((state) => `portal_devices{state="${state}"}`);
    expect(await Promise.all(states.map(read))).toEqual([1, 0, 0]);
  });
});

describe('who may read /metrics (decisions.md 7)', () => {
  const ask = (target: TestApp, remoteAddress: string, headers: Record<string, string> = {}) =>
    target.app.inject({ url: '/metrics', remoteAddress, headers });

  test.each([
    ['127.0.0.1', {}, 200],
    ['127.1.2.3', {}, 200],
    ['::1', {}, 200],
    ['::ffff:127.0.0.1', {}, 200],
    ['10.0.0.5', {}, 403],
    ['::ffff:10.0.0.5', {}, 403],
    ['2001:db8::1', {}, 403],
    ['127.0.0.1', { 'x-forwarded-for': '127.0.0.1' }, 403],
    ['127.0.0.1', { 'x-forwarded-proto': 'https' }, 403],
    ['127.0.0.1', { 'x-real-ip': '127.0.0.1' }, 403],
    ['127.0.0.1', { forwarded: 'for=127.0.0.1' }, 403],
    ['127.0.0.1', { via: '1.1 proxy' }, 403],
    ['127.0.0.1', { host: '127.1.2.3:8080' }, 200],
    ['127.0.0.1', { host: '[::1]:8080' }, 200],
    ['127.0.0.1', { host: 'portal.example.com' }, 403],
    ['127.0.0.1', { host: 'localhost.example.com:8080' }, 403],
    ['127.0.0.1', { host: '127.0.0.1.example.com' }, 403],
  ])('without a token: from %s with %o answers %i', async (address, headers, status) => {
    const answer = await ask(portal, address, headers);
    expect(answer.statusCode).toBe(status);
    if (status === 403) expect(answer.json()).toMatchObject({ error: expect.stringContaining('Metrics__Token') });
  });

  test('a trusted proxy cannot make a stranger look local', async () => {
    await using proxied = await createTestApp({ environment: { Application__TrustedProxies: '10.0.0.5' } });
    const answer = await ask(proxied, '10.0.0.5', { 'x-forwarded-for': '127.0.0.1' });
    expect(answer.statusCode).toBe(403);
    // Nor can one on this machine that adds no header.
    expect((await ask(proxied, '127.0.0.1')).statusCode).toBe(403);
  });

  test('with a token: the bearer decides, wherever the request comes from', async () => {
    await using guarded = await createTestApp({ environment: { Metrics__Token: 'let-me-in' } });
    const statusOf = async (address: string, authorization?: string) =>
      (await ask(guarded, address, authorization === undefined ? {} : { authorization })).statusCode;
    expect(await statusOf('10.0.0.5', 'Bearer let-me-in')).toBe(200);
    expect(await statusOf('127.0.0.1')).toBe(401);
    expect(await statusOf('127.0.0.1', 'Bearer let-me')).toBe(401);
    expect(await statusOf('127.0.0.1', 'Basic let-me-in')).toBe(401);
    expect((await ask(guarded, '10.0.0.5')).json()).toMatchObject({ error: expect.stringContaining('Bearer') });
  });
});
