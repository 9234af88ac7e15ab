import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { adminAppOfFile } from '../support/app-of-file.ts';

const fleet = adminAppOfFile();
let address: URL;
const tokens: string[] = [];
const open: Socket[] = [];
const start = Date.parse('2026-03-10T00:00:00Z');
const mebibyte = 1024 * 1024;

beforeAll(async () => {
  const headers = await fleet.signIn();
  for (const code of ['one', 'two', 'three', 'honest']) {
    const payload = { code, name: code };
    const made = await fleet.app.inject({ method: 'POST', url: '/api/admin/customers', headers, payload });
    tokens.push(made.json<{ token: string }>().token);
  }
  address = new URL(await fleet.app.listen({ host: '127.0.0.1', port: 0 }));
});
afterEach(() => {
  for (const socket of open.splice(0)) socket.destroy();
});

const rows = (count: number) =>
  JSON.stringify(
    Array.from({ length: count }, (_, n) => ({
      deviceId: '018f4ad0-0000-7000-8000-000000000001',
      time: new Date(start + n * 1_000).toISOString(),
      activePowerKw: 1 + (n % 7) / 10,
    })),
  );

/** Sends headers and the beginning of a body, and leaves the connection open; `answer` collects what arrives until it closes. */
async function begin(token: string | undefined, bytes: number, body: Buffer, more: string[] = []) {
  const socket = connect(Number(address.port), address.hostname);
  open.push(socket);
  const head = [
    'POST /api/fleet/ingest HTTP/1.1',
    'Host: a',
    'Connection: close',
    'Content-Type: application/json',
    `X-Customer-Token: ${token}`,
    'X-Batch-Type: measurements',
    `Content-Length: ${bytes}`,
    ...more,
  ];
  let came = '';
  socket.on('data', (data) => (came += String(data))).on('error', () => undefined);
  const answered = once(socket, 'data').then(() => came);
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  if (!socket.write(body)) await once(socket, 'drain');
  return { socket, answered, came: () => came };
}

async function store(body: string) {
  const asked = performance.now();
  const answer = await fetch(new URL('/api/fleet/ingest', address), {
    method: 'POST',
    body,
    headers: {
      'content-type': 'application/json',
      'x-customer-token': tokens[3] ?? '',
      'x-batch-type': 'measurements',
    },
  });
  return { status: answer.status, ms: performance.now() - asked };
}

test('bodies that arrive slowly take no more memory than their received part, whatever size they announce', async () => {
  const body = gzipSync(rows(5_000));
  const slow = await Promise.all(
    tokens
      .slice(0, 3)
      .flatMap((token) => [
        begin(token, 32 * mebibyte, Buffer.from(`[${' '.repeat(100_000)}`)),
        begin(token, body.length, body.subarray(0, 10_000), ['Content-Encoding: gzip']),
      ]),
  );
  await sleep(300);
  expect(await store(rows(5_000))).toMatchObject({ status: 200 });
  expect(slow.map(({ came }) => came())).toEqual(slow.map(() => ''));
  for (const { socket } of slow.filter((_, at) => at % 2 === 1)) socket.write(body.subarray(10_000));
  for (const { answered } of slow.filter((_, at) => at % 2 === 1)) expect(await answered).toMatch(/^HTTP\/1.1 200 /);
});

test('if slow bodies have all the memory, small ones are stored at once, and large ones once the slow ones are rejected with 503', async () => {
  const most = Buffer.from(`[${`{"deviceId":"${'x'.repeat(100_000)}"},`.repeat(45)}`);
  const slow = await Promise.all(tokens.slice(0, 3).map((token) => begin(token, 32 * mebibyte, most)));
  await sleep(300);
  const large = store(rows(12_000));
  expect(await store(rows(1))).toMatchObject({ status: 200 });
  const refused = await Promise.race(slow.map(({ answered }) => answered));
  expect(refused).toMatch(/^HTTP\/1.1 503 [^]*retry-after: 5[^]*arrived too slowly while other requests were waiting/i);
  expect(await large).toMatchObject({ status: 200 });
});

test('a batch whose customer was deactivated, or whose token was revoked, while its body arrived is 401 and not stored', async () => {
  const headers = await fleet.signIn();
  const payload = { code: 'disabled', name: 'Disabled' };
  const url = '/api/admin/customers';
  const made = await fleet.app.inject({ method: 'POST', url, headers, payload });
  const { customer, token } = made.json<{ customer: { id: string }; token: string }>();
  const body = Buffer.from(rows(1));
  const slow = await begin(token, body.length, body.subarray(0, 10));
  await sleep(1_200);
  await fleet.app.inject({
    method: 'POST',
    url: `${url}/${customer.id}/rotate-token`,
    headers,
    payload: { graceHours: 0 },
  });
  slow.socket.write(body.subarray(10));
  expect(await slow.answered).toMatch(/^HTTP\/1.1 401 /);
});
