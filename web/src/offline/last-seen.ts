import { hashKey, type QueryClient, type QueryKey } from '@tanstack/react-query';
import { z } from 'zod';
import { currentUser } from '../../../shared/accounts.ts';
import { ownApi } from '../lib/readings-api.ts';

/**
 * The place where the browser stores the figures that the signed-in account saw last. They are shown when the page is opened
 * without a network (ADR 73).
 */
const place = { cache: 'last-seen', path: '/last-seen' } as const;
/** Only figures are stored: no keys, accounts, settings, single readings or audit trail. */
const figureKeys = new Set<unknown>(['compare', 'dashboard', 'data-quality', 'fleet', 'measurements']);
const keptKeys = new Set<unknown>([...figureKeys, 'app-info', 'branding', 'current-user', 'devices', 'sites']);
const userKey = ['current-user'];
/** Maximum length of the stored text. The oldest answers are dropped first, and an answer that does not fit is not stored. */
export const maxKeptLength = 2_000_000;
/** As long as a session without use. So without the portal nobody sees figures for longer than with it. */
export const keptForMs = 8 * 3_600_000;
const firstAfterMs = 3_000;
const nextAfterMs = 60_000;

const keptQuery = z.object({
  key: z.array(z.unknown()),
  data: z.unknown(),
  updatedAtMs: z.number(),
  /** When the answer was last part of a page. */
  seenAtMs: z.number(),
});
const record = z.object({ release: z.string(), savedAtMs: z.number(), queries: z.array(keptQuery) });
type LastSeen = z.infer<typeof record>;

export function isKept([head, second, third]: QueryKey): boolean {
  if (head === 'fleet') return second === undefined;
  return keptKeys.has(head) && (head !== 'measurements' || (second === 'series' && third === ownApi));
}

/**
 * The part of the page's data that is stored, together with `before`, the data that other pages of the account have stored.
 * Null without a session.
 */
export function lastSeenOf(
  client: QueryClient,
  release: string,
  nowMs: number,
  before: LastSeen | null = null,
): LastSeen | null {
  const user = currentUser.safeParse(client.getQueryData(userKey)).data;
  if (user === undefined) return null;
  const seen = client
    .getQueryCache()
    .getAll()
    .filter(({ queryKey, state }) => isKept(queryKey) && state.data !== undefined)
    .map(({ queryKey, state: { data, dataUpdatedAt } }) => ({
      key: [...queryKey],
      data,
      updatedAtMs: dataUpdatedAt,
      seenAtMs: nowMs,
    }));
  const known = new Set(seen.map(({ key }) => hashKey(key)));
  const userBefore = currentUser.safeParse(before?.queries.find(({ key }) => key[0] === userKey[0])?.data).data;
  const others = userBefore?.email === user.email ? (before?.queries ?? []) : [];
  const queries = [...seen, ...others.filter(({ key }) => !known.has(hashKey(key)))].toSorted(
    (one, other) => rankOf(other) - rankOf(one),
  );
  let left = maxKeptLength;
  const kept: LastSeen['queries'] = [];
  for (const query of queries) {
    const length = JSON.stringify(query.data).length;
    if (length > left) continue;
    left -= length;
    kept.push(query);
  }
  return { release, savedAtMs: nowMs, queries: kept };
}

/** The user comes first, because all other data belongs to the user. The long series of Measurements come last. */
function rankOf({ key: [head], updatedAtMs }: LastSeen['queries'][number]): number {
  if (head === 'current-user' || head === 'app-info') return Number.MAX_VALUE;
  return head === 'measurements' ? updatedAtMs - Number.MAX_SAFE_INTEGER : updatedAtMs;
}

/** The usable content of a record: nothing if another release wrote it, or if it is too old. */
export function readLastSeen(text: string, release: string, nowMs: number): LastSeen | null {
  const { data } = record.safeParse(JSON.parse(text));
  if (data?.release !== release) return null;
  const isYoung = (atMs: number) => nowMs - atMs >= 0 && nowMs - atMs < keptForMs;
  if (!isYoung(data.savedAtMs)) return null;
  return { ...data, queries: data.queries.filter(({ seenAtMs }) => isYoung(seenAtMs)) };
}

/** The first script of the page. Each release has a different one. */
export const pageRelease = (): string => document.querySelector('script[type="module"]')?.getAttribute('src') ?? '';

let restoredAtMs: number | null = null;
/** Timestamp of the oldest cached figure shown, or null if nothing came from the cache. */
export function figuresAt(client: QueryClient): number | null {
  if (restoredAtMs === null) return null;
  const shown = client.getQueryCache().findAll({
    type: 'active',
    predicate: ({ queryKey: [head], state }) => figureKeys.has(head) && state.data !== undefined,
  });
  return shown.length === 0 ? restoredAtMs : Math.min(...shown.map(({ state }) => state.dataUpdatedAt));
}

async function findLastSeen(): Promise<LastSeen | null> {
  const kept = await caches.match(place.path, { cacheName: place.cache });
  return kept === undefined ? null : readLastSeen(await kept.text(), pageRelease(), Date.now());
}

/** Fills the page with the last seen figures, if there are any. */
export async function restoreLastSeen(client: QueryClient): Promise<void> {
  try {
    const lastSeen = await findLastSeen();
    if (lastSeen === null) return;
    for (const { key, data, updatedAtMs } of lastSeen.queries)
      client.setQueryData(key, data, { updatedAt: updatedAtMs });
    restoredAtMs = lastSeen.savedAtMs;
  } catch {
    // Storage is not allowed here, or cannot be read. Then there are no stored figures.
  }
}

let timer: ReturnType<typeof setTimeout> | undefined;
let hasSaved = false;
/** Incremented when a session ends, so that nothing in progress is written afterwards. */
let generation = 0;
/** One write or removal after the other. */
let work: Promise<unknown> = Promise.resolve();
let channel: BroadcastChannel | undefined;

/** Stores the figures on the page, once a worker could open the page without a network. */
export function keepLastSeen(client: QueryClient): void {
  channel = new BroadcastChannel(place.cache);
  channel.addEventListener('message', stop);
  client.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'success' || event.action.manual === true) return;
    if (!isKept(event.query.queryKey) || (navigator.serviceWorker?.controller ?? null) === null) return;
    timer ??= setTimeout(() => save(client), hasSaved ? nextAfterMs : firstAfterMs);
  });
  // A user who closes the page may open it again without a network, so the figures are stored now.
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden' && timer !== undefined) save(client);
  });
}

function save(client: QueryClient): void {
  clearTimeout(timer);
  timer = undefined;
  hasSaved = true;
  const own = generation;
  work = work
    .then(async () => {
      const before = await findLastSeen();
      const lastSeen = lastSeenOf(client, pageRelease(), Date.now(), before);
      const cache = lastSeen === null ? null : await caches.open(place.cache);
      if (own === generation) await cache?.put(place.path, new Response(JSON.stringify(lastSeen)));
    })
    // There is no space. Then older data is removed as well.
    .catch(drop);
}

const drop = () => caches.delete(place.cache).catch(() => false);

function stop(): void {
  generation += 1;
  hasSaved = false;
  clearTimeout(timer);
  timer = undefined;
}

/** The session is over. Deletes the stored figures, and tells other pages of this browser to store none. */
export function forgetLastSeen(): void {
  stop();
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has one origin, a window may have any
  channel?.postMessage('forget');
  if ('caches' in globalThis) work = work.then(drop);
}
