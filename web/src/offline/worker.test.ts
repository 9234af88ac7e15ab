import { createHash } from 'node:crypto';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createCaches } from '../../../test/support/kept-caches.ts';

const origin = 'https://portal.example';
/** The portal's answers by path; absent means that the network fails. */
let portal: Map<string, { status: number; body: string }>;
let kept: ReturnType<typeof createCaches>;
let told: unknown[];
let isRegistered: boolean;
let shown: unknown[];
let opened: string[];
/** Where the open page of the portal is; null without one. */
let openPage: string | null;

beforeEach(() => {
  portal = new Map();
  kept = createCaches(origin);
  told = [];
  isRegistered = true;
  [shown, opened, openPage] = [[], [], null];
});
afterEach(() => vi.unstubAllGlobals());

const digestOf = (body: string) => `sha256-${createHash('sha256').update(body).digest('base64')}`;
const entryOf = (id: string) => `/assets/index-${id}.js`;

/** A portal of a release, with the index page, the script and a file without a hash. */
function serve(id: string): void {
  portal = new Map([
    ['/', { status: 200, body: `<script type="module" src="${entryOf(id)}"></script>` }],
    [entryOf(id), { status: 200, body: `script of ${id}` }],
    ['/color-scheme.js', { status: 200, body: `colors of ${id}` }],
    ['/sw.js', { status: 200, body: '' }],
  ]);
}

const pathOf = (asked: string | Request) => new URL(typeof asked === 'string' ? asked : asked.url, origin).pathname;

async function answer(asked: string | Request, { integrity }: RequestInit = {}): Promise<Response> {
  const found = portal.get(pathOf(asked));
  if (found === undefined) throw new TypeError('Failed to fetch');
  if (integrity !== undefined && integrity !== digestOf(found.body)) throw new TypeError('another digest');
  return new Response(found.body, { status: found.status });
}

/** The worker of a release, as the browser starts it. */
async function start(id: string) {
  const listeners = new Map<string, (event: object) => void>();
  const files = {
    [entryOf(id)]: digestOf(`script of ${id}`),
    '/color-scheme.js': digestOf(`colors of ${id}`),
  };
  vi.stubGlobal('SHELL', { id, entry: entryOf(id), files });
  vi.stubGlobal('location', { origin });
  vi.stubGlobal('caches', kept);
  vi.stubGlobal('fetch', answer);
  vi.stubGlobal('self', {
    addEventListener: (type: string, listener: (event: object) => void) => listeners.set(type, listener),
    skipWaiting: async () => undefined,
    clients: {
      claim: async () => undefined,
      matchAll: async (options?: object) =>
        options !== undefined && openPage === null
          ? []
          : [
              {
                postMessage: (message: unknown) => told.push(message),
                focus: async () => undefined,
                navigate: async (url: string) => (openPage = url),
              },
            ],
      openWindow: async (url: string) => opened.push(url),
    },
    registration: {
      unregister: async () => (isRegistered = false),
      showNotification: async (title: string, options: object) => shown.push({ title, ...options }),
    },
  });
  vi.resetModules();
  await import('./worker.ts');
  const fire = async (type: string, event: object = {}) => {
    const work: unknown[] = [];
    listeners.get(type)?.({ ...event, waitUntil: (one: unknown) => work.push(one) });
    await Promise.all(work);
  };
  return {
    install: () => fire('install'),
    activate: () => fire('activate'),
    push: (notice: object) => fire('push', { data: { json: () => notice } }),
    click: (data: unknown) => fire('notificationclick', { notification: { data, close: () => shown.pop() } }),
    /** The answer to a page or a script; null if the worker leaves the request to the browser. */
    ask: async (path: string, mode = 'navigate', destination = 'document') => {
      const answered: Promise<Response>[] = [];
      const request = { method: 'GET', mode, destination, url: new URL(path, origin).href };
      await fire('fetch', { request, respondWith: (one: Promise<Response>) => answered.push(one) });
      return (await answered[0])?.text() ?? null;
    },
  };
}

async function installed(id: string) {
  serve(id);
  const worker = await start(id);
  await worker.install();
  await worker.activate();
  return worker;
}

const hasInstalled = (worker: { install: () => Promise<void> }) =>
  worker.install().then(
    () => true,
    () => false,
  );

const refusals: [string, () => void][] = [
  ['an answer that is an error', () => portal.set('/', { status: 500, body: `"${entryOf('two')}"` })],
  ['a file of other content', () => portal.set('/color-scheme.js', { status: 200, body: 'Welcome to the hotel' })],
  ['the index page of another release', () => portal.set('/', { status: 200, body: `"${entryOf('three')}"` })],
  ['a network that is lost half way', () => portal.delete('/')],
  ['a disk that is full', () => (kept.disk.isFull = true)],
];

it.each(refusals)('%s keeps the previous release, which opens the page without a network', async (_, spoil) => {
  const one = await installed('one');
  serve('two');
  spoil();
  const two = await start('two');
  expect(await hasInstalled(two)).toBe(false);
  portal.clear();
  expect(await one.ask('/dashboard')).toContain(entryOf('one'));
  expect(await one.ask(entryOf('one'), 'no-cors', 'script')).toBe('script of one');
});

it('an update tells the open pages, keeps the previous release for them, and drops older ones', async () => {
  for (const id of ['one', 'two', 'three']) await installed(id);
  expect(await kept.keys()).toEqual(['shell-two', 'shell-three']);
  expect(told).toEqual(['one', 'two', 'three'].map((id) => ({ release: entryOf(id) })));
});

it('an incomplete release does not count as the previous one', async () => {
  await installed('one');
  serve('two');
  portal.delete('/');
  expect(await hasInstalled(await start('two'))).toBe(false);
  await installed('three');
  expect(await kept.keys()).toEqual(['shell-one', 'shell-three']);
});

it('a page comes from the network, or from the shell if a proxy reports that the portal is down', async () => {
  const worker = await installed('one');
  portal.set('/dashboard', { status: 200, body: 'newer' });
  expect(await worker.ask('/dashboard')).toBe('newer');
  portal.set('/dashboard', { status: 502, body: 'Bad gateway' });
  expect(await worker.ask('/dashboard')).toContain(entryOf('one'));
  portal.set('/dashboard', { status: 403, body: 'forbidden' });
  expect(await worker.ask('/dashboard')).toBe('forbidden');
});

it('if a portal has no worker, it is left alone, and nothing stays in the browser', async () => {
  const worker = await installed('one');
  await (await kept.open('last-seen')).put('/last-seen', new Response('figures'));
  portal.set('/dashboard', { status: 200, body: 'page' });
  portal.delete('/sw.js');
  await worker.ask('/dashboard');
  // A failing network says nothing about the portal.
  expect([isRegistered, (await kept.keys()).length]).toEqual([true, 2]);
  const later = await start('one');
  portal.set('/sw.js', { status: 404, body: '' });
  await later.ask('/dashboard');
  expect([isRegistered, await kept.keys()]).toEqual([false, []]);
});

it('shows a notice of the portal, one with the same id in its place', async () => {
  const worker = await start('one');
  await worker.push({ id: 'x', title: 'New: Freezer', body: 'Now', path: '/sites/1', language: 'en' });
  expect(shown).toMatchObject([{ title: 'New: Freezer', body: 'Now', tag: 'x', lang: 'en', data: '/sites/1' }]);
});

it.each([
  ['/sites/1/devices/2', `${origin}/sites/1/devices/2`],
  ['https://elsewhere.example/', origin],
  ['//elsewhere.example/', origin],
  ['javascript:alert(1)', origin],
  [undefined, `${origin}/`],
])('a click on a notice about %s opens %s, in the open page if there is one', async (path, url) => {
  const worker = await start('one');
  await worker.push({ id: 'x', title: 'New' });
  await worker.click(path);
  expect([opened, shown]).toEqual([[url], []]);
  openPage = `${origin}/dashboard`;
  await worker.click(path);
  expect([opened.length, openPage]).toEqual([1, url]);
});
