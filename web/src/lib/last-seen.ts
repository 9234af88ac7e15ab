import type { QueryClient, QueryKey } from '@tanstack/react-query';
import { z } from 'zod';
import { currentUser } from '../../../shared/accounts.ts';

/** Where the browser keeps what the signed-in account saw last, for when the page is opened without a network (ADR 73). */
const place = { cache: 'last-seen', path: '/last-seen' } as const;
/** Figures only: nothing of keys, accounts, settings, single readings or the trail of changes. */
const keptKeys = new Set<unknown>([
  'app-info',
  'branding',
  'current-user',
  'dashboard',
  'data-quality',
  'devices',
  'fleet',
  'sites',
]);
const userKey = ['current-user'];
/** Of the text that is kept; what was asked for longest ago is left out first. */
export const maxKeptLength = 2_000_000;
/** As long as a session lives without being used: nobody sees more without the portal than with it. */
export const keptForMs = 8 * 3_600_000;
const firstAfterMs = 3_000;
const nextAfterMs = 60_000;

const keptQuery = z.object({ key: z.array(z.unknown()), data: z.unknown(), updatedAtMs: z.number() });
const record = z.object({ release: z.string(), savedAtMs: z.number(), queries: z.array(keptQuery) });
type LastSeen = z.infer<typeof record>;

export const isKept = ([head, second, ...rest]: QueryKey): boolean =>
  keptKeys.has(head) && (head !== 'fleet' || (second === undefined && rest.length === 0));

/** What is kept of all that the page knows; null while nobody is signed in. */
export function lastSeenOf(client: QueryClient, release: string, nowMs: number): LastSeen | null {
  if (!currentUser.safeParse(client.getQueryData(userKey)).success) return null;
  const queries = client
    .getQueryCache()
    .getAll()
    .filter(({ queryKey, state }) => isKept(queryKey) && state.data !== undefined)
    // Without who it is the rest would be nobody's.
    .toSorted((one, other) => rankOf(other) - rankOf(one));
  let left = maxKeptLength;
  const kept: LastSeen['queries'] = [];
  for (const { queryKey, state } of queries) {
    left -= JSON.stringify(state.data).length;
    if (left < 0) break;
    kept.push({ key: [...queryKey], data: state.data, updatedAtMs: state.dataUpdatedAt });
  }
  return { release, savedAtMs: nowMs, queries: kept };
}

const rankOf = ({ queryKey: [head], state }: { queryKey: QueryKey; state: { dataUpdatedAt: number } }): number =>
  head === 'current-user' || head === 'app-info' ? Number.MAX_VALUE : state.dataUpdatedAt;

/** What a record tells this release now: nothing where another one wrote it, or where it is too old to be shown. */
export function readLastSeen(text: string, release: string, nowMs: number): LastSeen | null {
  const { data } = record.safeParse(JSON.parse(text));
  if (data?.release !== release) return null;
  const ageMs = nowMs - data.savedAtMs;
  return ageMs >= 0 && ageMs < keptForMs ? data : null;
}

/** The script that the page began with; each release has another one. */
export const pageRelease = (): string => document.querySelector('script[type="module"]')?.getAttribute('src') ?? '';

let restoredAtMs: number | null = null;
/** Of when the figures are that the page was opened with; null where they came from the portal. */
export const restoredAt = (): number | null => restoredAtMs;

/** Fills the page with what was seen last, where there is something. */
export async function restoreLastSeen(client: QueryClient): Promise<void> {
  try {
    const kept = await caches.match(place.path, { cacheName: place.cache });
    const lastSeen = kept === undefined ? null : readLastSeen(await kept.text(), pageRelease(), Date.now());
    if (lastSeen === null) return;
    for (const { key, data, updatedAtMs } of lastSeen.queries)
      client.setQueryData(key, data, { updatedAt: updatedAtMs });
    restoredAtMs = lastSeen.savedAtMs;
  } catch {
    // Not allowed here, or not readable: then nothing was seen.
  }
}

let timer: ReturnType<typeof setTimeout> | undefined;
let hasSaved = false;
/** Raised when a session ends, so that nothing that is on its way is written after it. */
let generation = 0;
/** One write or removal after the other. */
let work: Promise<unknown> = Promise.resolve();
let channel: BroadcastChannel | undefined;

/** Keeps what the page shows, once a worker could open it without a network. */
export function keepLastSeen(client: QueryClient): void {
  channel = new BroadcastChannel(place.cache);
  channel.addEventListener('message', stop);
  client.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'success' || event.action.manual === true) return;
    if (!isKept(event.query.queryKey) || (navigator.serviceWorker?.controller ?? null) === null) return;
    timer ??= setTimeout(() => save(client), hasSaved ? nextAfterMs : firstAfterMs);
  });
}

function save(client: QueryClient): void {
  timer = undefined;
  const lastSeen = lastSeenOf(client, pageRelease(), Date.now());
  if (lastSeen === null) return;
  hasSaved = true;
  const own = generation;
  work = work
    .then(async () => {
      const cache = await caches.open(place.cache);
      if (own === generation) await cache.put(place.path, new Response(JSON.stringify(lastSeen)));
    })
    // There is no room: then nothing older stays either.
    .catch(drop);
}

const drop = () => caches.delete(place.cache).catch(() => false);

function stop(): void {
  generation += 1;
  hasSaved = false;
  clearTimeout(timer);
  timer = undefined;
}

/** Nobody is signed in any more: what was kept goes, and what another page of this browser was about to keep. */
export function forgetLastSeen(): void {
  stop();
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has one origin, a window may have any
  channel?.postMessage('forget');
  if ('caches' in globalThis) work = work.then(drop);
}
