import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { appOfFile } from '../support/app-of-file.ts';

const portal = appOfFile();
let admin: { cookie: string };

beforeAll(async () => {
  admin = await portal.signIn();
});

const get = (url: string, headers: Record<string, string> = {}) =>
  portal.app.inject({ url, headers: { ...admin, ...headers } });

describe('Answers are compressed for clients that accept it', () => {
  test.each([
    ['zstd', 'gzip, deflate, br, zstd', zstdDecompressSync],
    ['gzip', 'gzip, deflate', gunzipSync],
  ])('with %s, and are identical once decompressed', async (encoding, accepted, decompress) => {
    const plain = await get('/api/openapi.json');
    expect(plain.headers['content-encoding']).toBeUndefined();
    const packed = await get('/api/openapi.json', { 'accept-encoding': accepted });
    expect(packed.headers).toMatchObject({ 'content-encoding': encoding, vary: 'accept-encoding' });
    expect(packed.rawPayload.length).toBeLessThan(plain.rawPayload.length / 5);
    expect(decompress(packed.rawPayload).toString()).toBe(plain.body);
  });

  test('but not those below 1 KiB', async () => {
    const answer = await get('/api/auth/me', { 'accept-encoding': 'gzip, zstd' });
    expect([answer.statusCode, answer.headers['content-encoding']]).toEqual([200, undefined]);
  });

  test('but not the answers to writes, which may contain a new key beside text from others', async () => {
    const answer = await portal.app.inject({
      method: 'PUT',
      url: '/api/branding',
      headers: { ...admin, 'accept-encoding': 'gzip, zstd' },
      payload: { footerText: 'x'.repeat(500), logoUrl: `https://example.com/${'x'.repeat(1_000)}` },
    });
    expect(answer.statusCode).toBe(200);
    expect(answer.rawPayload.length).toBeGreaterThan(1_500);
    expect(answer.headers['content-encoding']).toBeUndefined();
  });

  test('a workbook, which is already compressed, is sent unchanged', async () => {
    const range = 'from=2026-03-01T00:00:00Z&to=2026-03-02T00:00:00Z';
    const answer = await get(`/api/dashboard/summary/export.xlsx?${range}`, { 'accept-encoding': 'gzip, zstd' });
    expect([answer.statusCode, answer.headers['content-encoding']]).toEqual([200, undefined]);
    expect(answer.rawPayload.subarray(0, 2).toString()).toBe('PK');
  });

  test('a compressed request body is still rejected where it would not be decompressed', async () => {
    const answer = await portal.app.inject({
      method: 'PUT',
      url: '/api/auth/me',
      headers: { ...admin, 'content-type': 'application/json', 'content-encoding': 'zstd' },
      payload: 'x',
    });
    expect(answer.statusCode).toBe(415);
  });
});
