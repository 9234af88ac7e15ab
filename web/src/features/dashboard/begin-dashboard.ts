import type { QueryClient } from '@tanstack/react-query';
import { dataQualityQuery } from '../../entities/data-quality.ts';
import { devicesOfChoice, isChoice } from '../../lib/device-choice.ts';
import type { DeviceWithSite } from '../../../../shared/sites.ts';
import { currentUserQuery } from '../../lib/current-user.ts';
import { devicesQuery } from '../../lib/devices.ts';
import { keepFirstDays } from '../../lib/first-paint.ts';
import { sitesQuery } from '../../lib/sites.ts';
import { resolveTimeRange } from '../../lib/time-range.ts';
import { fitsSeries } from '../../../../shared/charts/buckets.ts';
import { costGroupOf } from './cost-bars.ts';
import { recentBucket } from './figures.ts';
import { countSeries, defaultGroup, finestBucket } from './panels/load-curve-data.ts';
import { dashboardPanels } from './panels-code.ts';
import {
  baseLoadQuery,
  comparisonQuery,
  costBreakdownQuery,
  hoursQuery,
  loadCurveQuery,
  recentPowerQuery,
  summaryQuery,
  usualQuery,
} from './queries.ts';
import type { DashboardSearch } from './search.ts';

/**
 * Requests the data of the Overview as soon as its time zone is known, while its code is still loading. The first numbers are
 * requested first and alone, so that nothing else takes part of a slow line.
 */
export async function beginDashboard(client: QueryClient, search: DashboardSearch): Promise<void> {
  void client.prefetchQuery(sitesQuery);
  const [devices, user] = await Promise.all([
    client.fetchQuery(devicesQuery),
    client.ensureQueryData(currentUserQuery),
  ]);
  const chosen = devicesOfChoice(search, devices);
  const timeZone = search.tz ?? user?.displayTimeZone;
  if (chosen.length === 0 || timeZone === undefined) return;
  if (search.tz === undefined && !isChoice(search)) keepFirstDays(timeZone);
  const queries = firstQueries(search, timeZone, chosen);
  // Four weeks of nights take the longest, and only one small number waits for them.
  void client.prefetchQuery(queries.baseLoad);
  const summary = client.prefetchQuery(queries.summary);
  // Usual consumption, and two more summaries when it shows how far the readings go.
  void client.prefetchQuery(comparisonQuery(search, timeZone, false));
  await Promise.all([summary, client.prefetchQuery(queries.cost), client.prefetchQuery(queries.recentPower)]);
  void beginPanels(client, search, timeZone, chosen);
}

/** What the first numbers need and what does not depend on another answer; `web/first/requests.ts` has the same for today. */
export function firstQueries(search: DashboardSearch, timeZone: string, chosen: readonly DeviceWithSite[]) {
  const range = resolveTimeRange(search, timeZone, Date.now());
  return {
    summary: summaryQuery(search, timeZone),
    cost: costBreakdownQuery(search, timeZone, costGroupOf(range, timeZone), false),
    recentPower: recentPowerQuery(search, recentBucket(chosen)),
    baseLoad: baseLoadQuery(search, timeZone, false),
    usual: usualQuery(search, timeZone),
  };
}

/**
 * The data below the first numbers. It is requested after the code of the page, because on a slow line they would delay each
 * other.
 */
async function beginPanels(
  client: QueryClient,
  search: DashboardSearch,
  timeZone: string,
  chosen: readonly DeviceWithSite[],
): Promise<void> {
  await import('./DashboardPage.tsx').catch(() => undefined);
  void dashboardPanels.load().catch(() => undefined);
  const range = resolveTimeRange(search, timeZone, Date.now());
  const group = search.group ?? defaultGroup(chosen.map(({ siteId }) => siteId));
  if (group !== 'changed') {
    const seriesCount = countSeries(chosen, group);
    if (fitsSeries(range, 'day', seriesCount))
      void client.prefetchQuery(
        loadCurveQuery(search, timeZone, { group, seriesCount, finest: finestBucket(chosen) }, false),
      );
  }
  void client.prefetchQuery(hoursQuery(search, timeZone, false));
  void client.prefetchQuery(dataQualityQuery(search, timeZone, { isLive: false }));
}
