import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectionLimits } from '../../server/base/budgets.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { type RunningPortal, startPortal } from '../support/portal.ts';

let made: TestDatabase;
let portal: RunningPortal;
beforeAll(async () => {
  made = await createTestDatabase();
  portal = await startPortal({ environment: { Database__ConnectionString: made.connectionString } });
});
afterAll(async () => {
  await portal[Symbol.asyncDispose]();
  await made.drop();
});

async function open(localAddress: string): Promise<Socket> {
  const socket = connect({ port: portal.port, host: '127.0.0.1', localAddress });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

/** What the server sends before it closes the connection; empty if it stays open for a moment. */
async function saysOn(socket: Socket, waitMs = 300): Promise<string> {
  let said = '';
  socket.on('data', (data) => (said += String(data)));
  await Promise.race([once(socket, 'close'), new Promise((resolve) => setTimeout(resolve, waitMs))]);
  return said;
}

async function residentBytes(): Promise<number> {
  const text = await (await fetch(`${portal.url}/metrics`)).text();
  return Number(/^process_resident_memory_bytes (\S+)$/m.exec(text)?.[1]);
}

test('connections that each send all but two bytes of a large body to the sign-in hold almost no memory', async () => {
  const before = await residentBytes();
  const body = Buffer.alloc(1024 * 1024 - 2, ' ');
  const head = `POST /api/auth/login HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${1024 * 1024}\r\n\r\n`;
  const sockets = await Promise.all(Array.from({ length: 250 }, () => open('127.0.0.2')));
  for (const socket of sockets) {
    socket.write(head);
    socket.write(body);
  }
  let most = before;
  for (let n = 0; n < 12; n += 1) {
    await new Promise((resolve) => setTimeout(resolve, 250));
    most = Math.max(most, await residentBytes());
  }
  for (const socket of sockets) socket.destroy();
  // Kept whole they were 250 MiB and more.
  expect(most - before).toBeLessThan(100 * 1024 * 1024);
}, 60_000);

test('a source has a limited number of connections: the next gets 503, and other sources are served', async () => {
  const sockets = await Promise.all(Array.from({ length: connectionLimits.ofSource }, () => open('127.0.0.3')));
  try {
    const refused = await saysOn(await open('127.0.0.3'), 2_000);
    expect(refused).toMatch(
      /^HTTP\/1\.1 503 [^]*content-security-policy: [^]*"error":"Too many open connections from your address/,
    );
    expect((await fetch(`${portal.url}/health`)).status).toBe(200);
    expect(portal.output()).toMatch(/"source":"127\.0\.0\.3"[^\n]*refused connections/);
  } finally {
    for (const socket of sockets) socket.destroy();
  }
  // Released places can be used again.
  const later = await open('127.0.0.3');
  expect(await saysOn(later, 300)).toBe('');
  later.destroy();
}, 60_000);
