import { writeFile } from 'node:fs/promises';
import { Agent, get } from 'node:http';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { layCable } from '../support/cable.ts';
import { makePortalFolder, type RunningPortal, runPortalToItsEnd, startPortal } from '../support/portal.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';

let database: TestDatabase;
let environment: Record<string, string>;

beforeAll(async () => {
  database = await createTestDatabase();
  environment = { Database__ConnectionString: database.connectionString };
});
afterAll(() => database.drop());

const body = '{"email":"nobody@example.com","password":"wrong"}';

interface OpenRequest {
  socket: Socket;
  answer: () => string;
  closed: Promise<void>;
}

const goOn = 'HTTP/1.1 100 Continue\r\n\r\n';

/** A sign-in request without its last byte, whose headers the server has confirmed. */
async function beginRequest({ port }: RunningPortal): Promise<OpenRequest> {
  const socket = connect(port, '127.0.0.1');
  let answer = '';
  socket.on('data', (data) => (answer += String(data))).on('error', () => undefined);
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  const head = `POST /api/auth/login HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`;
  socket.write(head + body.slice(0, -1));
  await vi.waitFor(() => expect(answer).toBe(goOn), { timeout: 30_000 });
  return { socket, answer: () => answer.slice(goOn.length), closed };
}

const isRefused = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1')
      .once('connect', () => resolve(socket.destroy() === undefined))
      .once('error', () => resolve(true));
  });

const untilRefused = ({ port }: RunningPortal) =>
  vi.waitFor(async () => expect(await isRefused(port)).toBe(true), { timeout: 30_000 });

describe('SIGTERM', () => {
  test('stops accepting, finishes current requests, closes idle connections, exits 0', async () => {
    await using portal = await startPortal({ environment });
    const agent = new Agent({ keepAlive: true });
    await new Promise<void>((resolve) =>
      get(`${portal.url}/health`, { agent }, (response) => response.resume().once('end', () => resolve())),
    );
    const request = await beginRequest(portal);
    const before = performance.now();
    process.kill(portal.pid, 'SIGTERM');
    // A terminal and npm both pass a signal on: the second one at the same moment must not cut anything off.
    process.kill(portal.pid, 'SIGTERM');
    await untilRefused(portal);
    expect(request.answer()).toBe('');
    request.socket.write(body.slice(-1));
    await request.closed;
    expect(request.answer()).toMatch(/^HTTP\/1\.1 401 /);
    expect(request.answer().toLowerCase()).toContain('\r\nconnection: close\r\n');
    expect(await portal.ending).toBe(0);
    // Well before the ten seconds after which it is cut.
    expect(performance.now() - before).toBeLessThan(8_000);
    expect(portal.output()).toContain('"msg":"stopped"');
    agent.destroy();
  });

  test('current requests get ten seconds, then they are cut', async () => {
    await using portal = await startPortal({ environment });
    const request = await beginRequest(portal);
    const before = performance.now();
    process.kill(portal.pid, 'SIGTERM');
    expect(await portal.ending).toBe(0);
    expect(performance.now() - before).toBeGreaterThan(9_500);
    expect(performance.now() - before).toBeLessThan(30_000);
    await request.closed;
  });

  test('a second signal ends the process at once', async () => {
    await using portal = await startPortal({ environment });
    const request = await beginRequest(portal);
    process.kill(portal.pid, 'SIGINT');
    await untilRefused(portal);
    // Signals within half a second of the first count as the same.
    await sleep(700);
    const before = performance.now();
    process.kill(portal.pid, 'SIGINT');
    expect(await portal.ending).toBe(1);
    // The first signal waits up to ten seconds for requests in flight.
    expect(performance.now() - before).toBeLessThan(8_000);
    await request.closed;
  });

  test('while the portal waits for its database, it ends at once', async () => {
    await using cable = await layCable(database.connectionString, false);
    const folder = await makePortalFolder();
    const ending = runPortalToItsEnd({
      folder,
      environment: { Database__ConnectionString: cable.connectionString },
      nodeArguments: ['--import', await plant(folder, `setTimeout(() => process.kill(process.pid, 'SIGTERM'), 1500);`)],
    });
    expect((await ending).ending).toBe(0);
    expect((await ending).errors).toBe('');
  });
});

/** A module that runs inside the portal's process before it. */
async function plant(folder: string, code: string): Promise<string> {
  const path = join(folder, 'planted.mjs');
  await writeFile(path, code);
  return path;
}

/** Code that runs in the portal once it is ready, however long its start takes. */
const onceReady = (code: string) => `
  const write = process.stdout.write;
  process.stdout.write = (text, ...rest) => {
    if (String(text).includes('is ready')) setTimeout(() => { ${code} }, 100);
    return write.call(process.stdout, text, ...rest);
  };`;

describe('an unexpected error', () => {
  test.each([
    ['an exception', onceReady(`throw new TypeError('planted');`)],
    ['a rejection', onceReady(`void Promise.reject(new TypeError('planted'));`)],
  ])('%s is logged as fatal with its stack, and the process stops in order and exits non-zero', async (_, code) => {
    const folder = await makePortalFolder();
    const { ending, output } = await runPortalToItsEnd({
      folder,
      environment,
      nodeArguments: ['--import', await plant(folder, code)],
    });
    expect(ending).toBe(1);
    const fatal = output.split('\n').find((line) => line.includes('"level":"fatal"'));
    expect(JSON.parse(fatal ?? '{}')).toMatchObject({ err: { type: 'TypeError', message: 'planted' } });
    expect(output).toContain('"msg":"stopped"');
  });
});
