import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type GateIdentity, gateHeaders } from '../../server/commands/gate-proof.ts';
import { type Caddy, findCaddy, startCaddy } from '../support/caddy.ts';
import { findFreePort } from '../support/ports.ts';
import { onlyIf } from '../support/only-if.ts';

const host = 'acme.example.com';
const account: GateIdentity = {
  user: '0197a1c2-0000-7000-8000-000000000001',
  email: 'jörg=40@example.com',
  name: 'Jörg 50% = "halb" 李',
  role: 'User',
};

/** As Grafana decodes `headers_encoded`. */
const quotedPrintable = (value: unknown) =>
  Buffer.from(
    String(value).replaceAll(/=([\dA-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))),
    'latin1',
  ).toString();

describe('Grafana behind Caddy', onlyIf((await findCaddy()) !== undefined, 'there is no caddy on this machine'), () => {
  const resources = new AsyncDisposableStack();
  let caddy: Caddy;
  let asks: GateIdentity | null = null;
  let arrivals: { url: string | undefined; headers: IncomingHttpHeaders }[] = [];

  const listen = async (answer: RequestListener) => {
    const port = await findFreePort();
    const server = createServer(answer).listen(port, '127.0.0.1');
    await once(server, 'listening');
    resources.defer(() => {
      server.closeAllConnections();
      server.close();
    });
    return `127.0.0.1:${port}`;
  };

  beforeAll(async () => {
    const portal = await listen((request, response) => {
      const isKnown = request.url !== '/api/auth/check' || asks !== null;
      const headers = asks === null ? {} : gateHeaders(asks, { secret: 'of a test'.repeat(4), nowMs: Date.now() });
      response.writeHead(isKnown ? 200 : 401, headers).end('portal');
    });
    const grafana = await listen((request, response) => {
      arrivals.push({ url: request.url, headers: request.headers });
      response.end('grafana');
    });
    caddy = resources.use(
      await startCaddy(await findFreePort(), [{ host, portals: [portal], tool: grafana, isGrafana: true }]),
    );
  }, 60_000);
  afterAll(() => resources.disposeAsync());
  beforeEach(() => {
    arrivals = [];
    asks = account;
  });

  test('is told who asks in words that it knows, and nothing that could act in that name', async () => {
    const headers = { cookie: 'portal=secret', authorization: 'Basic YTpi', 'x-portal-role': 'Admin' };
    expect(await caddy.ask(host, '/dash/d/overview?theme=dark', { headers })).toMatchObject({
      status: 200,
      body: 'grafana',
    });
    const [arrival] = arrivals;
    expect(arrival?.url).toBe('/dash/d/overview?theme=dark');
    expect(arrival?.headers).toMatchObject({ 'x-portal-user': account.user, 'x-portal-role': 'Viewer' });
    expect(quotedPrintable(arrival?.headers['x-portal-name'])).toBe(account.name);
    expect(quotedPrintable(arrival?.headers['x-portal-email'])).toBe(account.email);
    for (const name of ['cookie', 'authorization', 'x-portal-proof']) expect(arrival?.headers[name]).toBeUndefined();
  });

  test.each([
    ['Admin', 'Admin'],
    ['RestrictedAdmin', 'Viewer'],
    ['User', 'Viewer'],
  ] as const)('the role %s is %s', async (role, expected) => {
    asks = { ...account, role };
    await caddy.ask(host, '/dash/');
    expect(arrivals[0]?.headers['x-portal-role']).toBe(expected);
  });

  test('is not reached by who is not signed in', async () => {
    asks = null;
    const spoofed = { 'x-portal-user': account.user, 'x-portal-role': 'Admin' };
    for (const path of ['/dash/', '/dash/api/ds/query', '/dash/dashboards/overview']) {
      expect((await caddy.ask(host, path, { headers: spoofed })).status).toBe(401);
    }
    expect(arrivals).toEqual([]);
  });

  test('the paths of the tool lead to the dashboards of the same name; its own pages are left alone', async () => {
    const answer = await caddy.ask(host, '/dash/dashboards/energy-and-cost?theme=dark');
    expect(answer).toMatchObject({ status: 302, headers: { location: '/dash/d/energy-and-cost?theme=dark' } });
    for (const path of ['/dash/dashboards', '/dash/dashboards/f/folder', '/dash/dashboards/Over%2fview']) {
      expect((await caddy.ask(host, path)).body).toBe('grafana');
    }
    expect((await caddy.ask(host, '/dashboards/overview')).body).toBe('portal');
  });
});
