import { QueryClient, type FetchQueryOptions } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { firstQueries as firstQueriesOfCompare } from '../src/features/compare/compared-data.ts';
import { firstQueries as firstQueriesOfDashboard } from '../src/features/dashboard/begin-dashboard.ts';
import { appInfoQuery } from '../src/lib/app-info.ts';
import { brandingQuery } from '../src/lib/branding.ts';
import { currentUserQuery } from '../src/lib/current-user.ts';
import { devicesQuery } from '../src/lib/devices.ts';
import { sitesQuery } from '../src/lib/sites.ts';
import { firstTimes, pathAt } from './first-times.ts';
import { requestsOfCompare, requestsOfDashboard, requestsOfEveryPage } from './requests.ts';

let asked: string[];

beforeEach(() => {
  asked = [];
  vi.useFakeTimers();
  vi.stubGlobal('fetch', (path: string) => {
    asked.push(path);
    return new Promise(() => undefined);
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** The requests that the page makes for these queries, by name. */
async function pathsOf(queries: Record<string, object>): Promise<Record<string, string>> {
  const client = new QueryClient();
  const paths: Record<string, string> = {};
  for (const [name, query] of Object.entries(queries)) {
    asked = [];
    void client.prefetchQuery(query as FetchQueryOptions);
    await vi.waitFor(() => expect(asked).toHaveLength(1));
    paths[name] = asked.join();
  }
  return paths;
}

const everyPage = { branding: brandingQuery, appInfo: appInfoQuery, currentUser: currentUserQuery };
const places = { sites: sitesQuery, devices: devicesQuery };

it('the list for every page matches what its code requests', async () => {
  expect(await pathsOf(everyPage)).toEqual(requestsOfEveryPage);
});

// In the first minute of a day the page does not request costs yet, so one request is made in vain.
it.each([
  ['Europe/Berlin', '2026-07-01T10:07:31.500Z'],
  ['Europe/Berlin', '2026-03-28T23:01:00Z'],
  ['Europe/Berlin', '2026-10-25T22:59:30.500Z'],
  ['Pacific/Auckland', '2026-12-31T11:01:00Z'],
  ['America/St_Johns', '2028-02-29T03:31:00Z'],
  ['UTC', '2026-01-01T00:01:00Z'],
])('the lists for the Dashboard and Compare match what their code requests: %s at %s', async (timeZone, now) => {
  vi.setSystemTime(now);
  const times = firstTimes(timeZone, Date.now()) ?? {};
  const listed = (requests: Record<string, string>) =>
    Object.fromEntries(Object.entries(requests).map(([name, path]) => [name, pathAt(path, times)]));
  expect(await pathsOf({ ...places, ...firstQueriesOfDashboard({}, timeZone, []) })).toEqual(
    listed(requestsOfDashboard),
  );
  expect(await pathsOf({ ...places, ...firstQueriesOfCompare({}, timeZone) })).toEqual(listed(requestsOfCompare));
});

it('for a zone that a browser does not know nothing is requested ahead', () => {
  expect(firstTimes('Mars/Olympus_Mons', 0)).toBeNull();
});
