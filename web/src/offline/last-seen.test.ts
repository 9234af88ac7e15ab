import { QueryClient, type QueryKey } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createCaches } from '../../../test/support/kept-caches.ts';
import { isKept, keptForMs, lastSeenOf, maxKeptLength, readLastSeen } from './last-seen.ts';

const user = { email: 'anna@example.com', displayName: 'Anna', roles: [], timeZone: null, displayTimeZone: 'UTC' };
const now = Date.parse('2026-03-01T12:00:00Z');

function pageWith(answers: readonly [QueryKey, unknown, number][]): QueryClient {
  const client = new QueryClient();
  for (const [key, data, updatedAt] of answers) client.setQueryData(key, data, { updatedAt });
  return client;
}
const keysOf = (client: QueryClient) => lastSeenOf(client, 'r1', now)?.queries.map(({ key }) => key);

it.each([
  ['the figures of the Overview', ['dashboard', 'summary', 'today'], true],
  ['sites', ['sites', '/api'], true],
  ['the fleet at a glance', ['fleet'], true],
  ['what one customer of the fleet sent', ['fleet', 'c1'], false],
  ['API keys', ['api-keys'], false],
  ['accounts', ['users'], false],
  ['the second factor', ['own-second-factor'], false],
  ['sessions', ['own-sessions'], false],
  ['settings', ['config'], false],
  ['the audit trail', ['audit', {}], false],
  ['the chart of Measurements', ['measurements', 'series', '/api', 'd1', 'auto', 'today'], true],
  ['the same of a customer', ['measurements', 'series', '/api/fleet/customers/c1', 'd1', 'auto', 'today'], false],
  ['Compare', ['compare', '{}', 'UTC', 'curve'], true],
  ['single readings', ['measurements', 'raw', '/api'], false],
  ['the state of the dashboard tool', ['embedded-dashboards', 'status'], false],
])('%s', (_, key, isToBeKept) => {
  expect(isKept(key)).toBe(isToBeKept);
});

it('keeps nothing while nobody is signed in', () => {
  expect(lastSeenOf(pageWith([[['sites', '/api'], [], now]]), 'r1', now)).toBeNull();
  expect(lastSeenOf(pageWith([[['current-user'], null, now]]), 'r1', now)).toBeNull();
});

it('keeps seen figures, the latest ones if there are too many, always with their user', () => {
  const half = 'x'.repeat(maxKeptLength / 2 - 200);
  const client = pageWith([
    [['current-user'], user, now - 1000],
    [['users'], [{ email: 'other@example.com' }], now],
    [['dashboard', 'old'], half, now - 30],
    [['dashboard', 'new'], half, now - 10],
    [['dashboard', 'newer'], half, now - 5],
  ]);
  expect(keysOf(client)).toEqual([['current-user'], ['dashboard', 'newer'], ['dashboard', 'new']]);
});

it('keeps the long series of Measurements if there is room after everything else, and short ones instead of one that is too long', () => {
  const client = pageWith([
    [['current-user'], user, now],
    [['measurements', 'series', '/api', 'd1'], 'x'.repeat(maxKeptLength - 200), now],
    [['measurements', 'series', '/api', 'd2'], 'x', now - 20],
    [['dashboard', 'summary'], 'x'.repeat(150), now - 10],
  ]);
  expect(keysOf(client)).toEqual([
    ['current-user'],
    ['dashboard', 'summary'],
    ['measurements', 'series', '/api', 'd2'],
  ]);
});

it('keeps what the account saw on other pages until it is too old, and nothing of another account', () => {
  const seen = (email: string) =>
    lastSeenOf(
      pageWith([
        [['current-user'], { ...user, email }, now],
        [['dashboard', 'summary'], 'then', now - 1000],
        [['compare'], 'then', now - 1000],
      ]),
      'r1',
      now,
    );
  const laterMs = now + keptForMs - 1;
  const later = pageWith([
    [['current-user'], user, now],
    [['compare'], 'now', laterMs],
  ]);
  const merged = lastSeenOf(later, 'r1', laterMs, seen(user.email));
  const figures = (kept: typeof merged) => kept?.queries.slice(1).map(({ key, data }) => [key[0], data]);
  expect(figures(merged)).toEqual([
    ['compare', 'now'],
    ['dashboard', 'then'],
  ]);
  expect(figures(lastSeenOf(later, 'r1', laterMs, seen('other@example.com')))).toEqual([['compare', 'now']]);
  expect(figures(readLastSeen(JSON.stringify(merged), 'r1', laterMs))).toEqual(figures(merged));
  expect(figures(readLastSeen(JSON.stringify(merged), 'r1', laterMs + 1))).toEqual([['compare', 'now']]);
});

it.each([
  ['is read again', 'r1', now + keptForMs - 1, true],
  ['is nothing to another release, which may have other shapes', 'r2', now, false],
  ['goes when a session that is not used goes', 'r1', now + keptForMs, false],
  ['is nothing where the clock was turned back', 'r1', now - 1, false],
])('stored figures %s', (_, release, atMs, isRead) => {
  const kept = lastSeenOf(pageWith([[['current-user'], user, now]]), 'r1', now);
  const read = readLastSeen(JSON.stringify(kept), release, atMs);
  expect(read?.queries).toEqual(
    isRead ? [{ key: ['current-user'], data: user, updatedAtMs: now, seenAtMs: now }] : undefined,
  );
});

it('an invalid record is ignored', () => {
  expect(readLastSeen('{"queries":[]}', 'r1', now)).toBeNull();
});

describe('The pages of one browser', () => {
  let kept: ReturnType<typeof createCaches>;
  beforeEach(() => {
    vi.useFakeTimers();
    kept = createCaches('https://portal.example');
    const pages: Page[] = [];
    type Page = { listener: () => void };
    vi.stubGlobal(
      'BroadcastChannel',
      class {
        #own: Page = { listener: () => undefined };
        constructor() {
          pages.push(this.#own);
        }
        addEventListener(_type: string, listener: () => void) {
          this.#own.listener = listener;
        }
        postMessage() {
          for (const page of pages) if (page !== this.#own) page.listener();
        }
      },
    );
    vi.stubGlobal('caches', kept);
    vi.stubGlobal('navigator', { serviceWorker: { controller: {} } });
    vi.stubGlobal('document', { querySelector: () => null, addEventListener: () => undefined });
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  /** A separate page whose account sees something. */
  async function openPage() {
    vi.resetModules();
    const { keepLastSeen, forgetLastSeen } = await import('./last-seen.ts');
    const client = pageWith([[['current-user'], user, Date.now()]]);
    keepLastSeen(client);
    const see = (figure: string) =>
      client.fetchQuery({ queryKey: ['dashboard', 'summary'], queryFn: async () => figure, retry: false });
    return { see, forget: forgetLastSeen };
  }
  const keptText = async () => (await (await kept.match('/last-seen'))?.text()) ?? null;
  const minute = 60_000;

  it('keep figures, and delete them together when one of them signs out', async () => {
    const [one, other] = [await openPage(), await openPage()];
    await one.see('one');
    await vi.advanceTimersByTimeAsync(minute);
    expect(await keptText()).toContain('one');
    await other.see('other');
    one.forget();
    await vi.advanceTimersByTimeAsync(2 * minute);
    expect(await keptText()).toBeNull();
  });

  it('keep nothing older if there is no room for new figures', async () => {
    const page = await openPage();
    await page.see('one');
    await vi.advanceTimersByTimeAsync(minute);
    expect(await keptText()).toContain('one');
    kept.disk.isFull = true;
    await page.see('two');
    await vi.advanceTimersByTimeAsync(2 * minute);
    expect(await keptText()).toBeNull();
  });
});
