import { wayOf, type Way } from './way-of.ts';

interface LastingEvent extends Event {
  waitUntil: (work: Promise<unknown>) => void;
}

interface PushEvent extends LastingEvent {
  data: { json: () => unknown } | null;
}

interface NoticeEvent extends LastingEvent {
  notification: { data: unknown; close: () => void };
}

interface Page {
  url: string;
  postMessage: (message: unknown) => void;
  focus: () => Promise<unknown>;
  navigate: (url: string) => Promise<unknown>;
}

interface AskEvent extends LastingEvent {
  request: Request;
  respondWith: (answer: Promise<Response>) => void;
}

/** The part of a service worker's environment that is used here. The types of the page, which all other code has, lack it. */
declare const self: {
  addEventListener: ((type: 'install' | 'activate', listener: (event: LastingEvent) => void) => void) &
    ((type: 'fetch', listener: (event: AskEvent) => void) => void) &
    ((type: 'push', listener: (event: PushEvent) => void) => void) &
    ((type: 'notificationclick', listener: (event: NoticeEvent) => void) => void);
  skipWaiting: () => Promise<void>;
  clients: {
    claim: () => Promise<void>;
    matchAll: (options?: { type: 'window' }) => Promise<Page[]>;
    openWindow: (url: string) => Promise<unknown>;
  };
  registration: {
    unregister: () => Promise<boolean>;
    showNotification: (title: string, options: NotificationOptions) => Promise<void>;
  };
};

/** The script of the page, and all files with their digests. */
interface Release {
  id: string;
  entry: string;
  files: Readonly<Record<string, string>>;
}

/** The build fills this in and makes a worker for each release. */
declare const SHELL: Release;
const release = SHELL;

const prefix = 'shell-';
const shellName = prefix + release.id;
const files = new Set(Object.keys(release.files));
/** How long to wait for the portal: longer than the portal needs, shorter than a user waits for a page. */
const patienceMs = 10_000;
/** The statuses that a proxy sends while the portal is down or starting. */
const awayStatuses = new Set([502, 503, 504]);

self.addEventListener('install', (event) => event.waitUntil(keepShell()));
self.addEventListener('activate', (event) => event.waitUntil(takeOver()));
self.addEventListener('fetch', (event) => {
  const way = wayOf(event.request, location.origin, files);
  if (way !== null) event.respondWith(answers[way](event));
});

self.addEventListener('push', (event) => event.waitUntil(show(event.data?.json())));
self.addEventListener('notificationclick', (event) => event.waitUntil(openNotice(event.notification)));

/** A text of a notice; only the portal can encrypt one, but a later release may send others. */
const textOf = (notice: unknown, key: string): string => {
  const value: unknown = notice instanceof Object ? Reflect.get(notice, key) : undefined;
  return typeof value === 'string' ? value : '';
};

/** A notice of the portal (server/notifications/push-client.ts); browsers want each push shown. */
const show = (notice: unknown): Promise<void> =>
  self.registration.showNotification(textOf(notice, 'title'), {
    body: textOf(notice, 'body'),
    lang: textOf(notice, 'language'),
    tag: textOf(notice, 'id'),
    data: textOf(notice, 'path'),
    icon: '/apple-touch-icon.png',
  });

/** Opens the page that a notice is about: in a page of the portal where one is open. Other origins are never opened. */
async function openNotice(notice: NoticeEvent['notification']): Promise<void> {
  notice.close();
  const { data } = notice;
  const url = new URL(typeof data === 'string' ? data : '/', location.origin);
  const target = url.origin === location.origin ? url.href : location.origin;
  const [page] = await self.clients.matchAll({ type: 'window' });
  if (page === undefined) return void (await self.clients.openWindow(target));
  await page.focus();
  await page.navigate(target);
}

/** Stores all files of the release or none. One file is fetched at a time, so that requests of the page go first. */
async function keepShell(): Promise<void> {
  const shell = await caches.open(shellName);
  for (const [file, integrity] of Object.entries(release.files)) {
    if ((await shell.match(file)) !== undefined) continue;
    // The name of the file contains its hash, so another release may already have stored it.
    const known = file.startsWith('/assets/') ? await caches.match(file, { ignoreVary: true }) : undefined;
    await shell.put(file, known ?? (await ask(file, { integrity })));
  }
  const page = await ask('/');
  const html = await page.clone().text();
  if (!html.includes(`"${release.entry}"`)) throw new Error('The page is of another release than this worker.');
  await shell.put('/', page);
  await self.skipWaiting();
}

/** Accepts only answers of the portal itself: no errors, no redirects by another network, only files of the build. */
async function ask(file: string, options: RequestInit = {}): Promise<Response> {
  const cache = file.startsWith('/assets/') ? 'default' : 'no-cache';
  const answer = await fetch(file, { ...options, redirect: 'error', cache });
  if (answer.status !== 200) throw new Error(`${file}: ${answer.status}`);
  return answer;
}

/** The previous release stays for pages that are still open. */
async function takeOver(): Promise<void> {
  const others = (await shells()).filter((name) => name !== shellName);
  // An incomplete release was never used by a page.
  const areWhole = await Promise.all(
    others.map(async (name) => (await caches.match('/', { cacheName: name })) !== undefined),
  );
  const before = others.findLast((_, index) => areWhole[index]);
  await Promise.all(others.filter((name) => name !== before).map((name) => caches.delete(name)));
  await self.clients.claim();
  const pages = await self.clients.matchAll();
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has pages of its own origin alone
  for (const page of pages) page.postMessage({ release: release.entry });
}

const shells = async () => (await caches.keys()).filter((name) => name.startsWith(prefix));

const kept = async (path: string) => (await caches.open(shellName)).match(path, { ignoreVary: true });

const answers: Record<Way, (event: AskEvent) => Promise<Response>> = {
  page: async (event) => {
    const asked = fetch(event.request);
    event.waitUntil(leaveWhereGone(asked));
    const late = new Promise<undefined>((resolve) => setTimeout(resolve, patienceMs));
    const answer = await Promise.race([asked, late]).catch(() => undefined);
    if (answer !== undefined && !awayStatuses.has(answer.status)) return answer;
    return (await kept('/')) ?? asked;
  },
  asset: async ({ request }) => (await caches.match(request.url, { ignoreVary: true })) ?? fetch(request),
  file: async ({ request }) =>
    fetch(request).catch(async (error: unknown) => {
      const own = await kept(new URL(request.url).pathname);
      if (own === undefined) throw error;
      return own;
    }),
};

let hasLooked = false;

/** If the portal has no worker, this worker unregisters itself and deletes everything. */
async function leaveWhereGone(asked: Promise<Response>): Promise<void> {
  const answer = await asked.catch(() => undefined);
  if (hasLooked || answer?.ok !== true) return;
  hasLooked = true;
  const script = await fetch('/sw.js', { method: 'HEAD', cache: 'no-store' }).catch(() => undefined);
  if (script?.status !== 404 && script?.status !== 410) return;
  await Promise.all((await caches.keys()).map((name) => caches.delete(name)));
  await self.registration.unregister();
}
