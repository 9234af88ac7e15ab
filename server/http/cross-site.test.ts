import fastify from 'fastify';
import { afterAll, expect, test } from 'vitest';
import { refuseCrossSite } from './browser-security.ts';
import { answerError } from './errors.ts';

function appAt(publicUrl: string, isDevelopment: boolean) {
  const app = fastify();
  app.addHook('onRequest', refuseCrossSite(publicUrl, isDevelopment));
  app.setErrorHandler(answerError);
  app.all('/', async () => ({}));
  return app;
}
const app = appAt('https://portal.example.com', false);
const trial = appAt('http://127.0.0.1:8080', true);
afterAll(async () => Promise.all([app.close(), trial.close()]));

type Method = 'GET' | 'HEAD' | 'OPTIONS' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
const statusOf = async (method: Method, headers: Record<string, string>) =>
  (await app.inject({ method, url: '/', headers: { host: 'internal:8080', ...headers } })).statusCode;

const changing: Method[] = ['POST', 'PUT', 'PATCH', 'DELETE'];

test.each<[string, Record<string, string>]>([
  ['Sec-Fetch-Site: cross-site', { 'sec-fetch-site': 'cross-site' }],
  ['Sec-Fetch-Site: same-site, as from the portal of another customer', { 'sec-fetch-site': 'same-site' }],
  ['a Sec-Fetch-Site that nobody knows', { 'sec-fetch-site': 'sideways' }],
  ['another Origin', { origin: 'https://evil.example' }],
  ['an Origin that only begins like ours', { origin: 'https://portal.example.com.evil.example' }],
  ['our host at another port', { origin: 'https://portal.example.com:8443' }],
  ['Origin: null, as from a sandboxed frame', { origin: 'null' }],
  ['an empty Origin', { origin: '' }],
  ['our Origin, but cross-site', { origin: 'https://portal.example.com', 'sec-fetch-site': 'cross-site' }],
  ['the Origin of the Host that came, which anybody can name', { origin: 'http://internal:8080' }],
  ['a loopback Origin in Production', { origin: 'http://localhost:8080' }],
  ['another Origin that claims same-origin', { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' }],
])('Cross-site rule: %s is rejected with 403 for every change', async (_name, headers) => {
  for (const method of changing) expect(await statusOf(method, headers)).toBe(403);
});

test.each<[string, Record<string, string>]>([
  ['neither header, so no browser', {}],
  ['Sec-Fetch-Site: same-origin', { 'sec-fetch-site': 'same-origin' }],
  ['Sec-Fetch-Site: none, typed by the user', { 'sec-fetch-site': 'none' }],
  ['the Origin of the public address', { origin: 'https://portal.example.com', 'sec-fetch-site': 'same-origin' }],
])('Cross-site rule: %s passes', async (_name, headers) => {
  for (const method of changing) expect(await statusOf(method, headers)).toBe(200);
});

test.each([
  ['http://127.0.0.1:8080', 200],
  ['http://localhost:8080', 200],
  ['http://[::1]:8080', 200],
  ['http://127.0.0.1:5173', 200],
  ['http://internal:8080', 403],
  ['http://localhost.evil.example', 403],
])(
  'Cross-site rule: in Development loopback names are the portal too: Origin %s answers %i',
  async (origin, status) => {
    const answer = await trial.inject({ method: 'POST', url: '/', headers: { host: 'internal:8080', origin } });
    expect(answer.statusCode).toBe(status);
    if (status === 403)
      expect(answer.json()).toMatchObject({ error: expect.stringContaining('Application__PublicUrl') });
  },
);

test('Cross-site rule: reading is allowed from anywhere', async () => {
  for (const method of ['GET', 'HEAD', 'OPTIONS'] as const) {
    expect(await statusOf(method, { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' })).toBe(200);
  }
});

test('Cross-site rule: pages of the portal may open a web socket, those of other sites may not', async () => {
  const upgrade = { connection: 'upgrade', upgrade: 'websocket' };
  expect(await statusOf('GET', { ...upgrade, origin: 'https://evil.example' })).toBe(403);
  expect(await statusOf('GET', { ...upgrade, origin: 'https://portal.example.com' })).toBe(200);
});

test('Cross-site rule: the answer says why', async () => {
  const answer = await app.inject({ method: 'POST', url: '/', headers: { 'sec-fetch-site': 'cross-site' } });
  expect(answer.json()).toMatchObject({ error: 'Request from another website rejected.' });
});
