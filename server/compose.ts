import { applyAuditRetention } from './accounts/audit.ts';
import { type AccountContext, openAccounts } from './accounts/open.ts';
import { apiKeyRoutes } from './accounts/api-keys.routes.ts';
import { shares } from './base/budgets.ts';
import { IncomingRows } from './base/incoming-rows.ts';
import { applyAlarmRetention } from './alarms/alarms.ts';
import { countOpenAlarms } from './alarms/alarms.sql.ts';
import { findOutboxAge } from './alarms/outbox.sql.ts';
import { openAlarms } from './alarms/open.ts';
import { openBranding } from './branding/open.ts';
import type { DashboardTool } from './dashboards/dashboard-proxy.ts';
import { openDashboards } from './dashboards/open.ts';
import { isReachable } from './database/open-database.ts';
import { type Demo, type DemoParts, startDemo } from './demo/run.ts';
import { listFailures } from './energy/energy-flags.sql.ts';
import { openEnergy, ownMaterializer, retention } from './energy/open.ts';
import { createFleetMaterializer } from './fleet/fleet-energy.ts';
import { applyEventRetention, clearDeletedCustomers } from './fleet/fleet-maintenance.ts';
import { customerReadings } from './fleet/customer-readings.ts';
import { countCustomerStates } from './fleet/customers.ts';
import { openFleet } from './fleet/open.ts';
import { createApp } from './http/app.ts';
import { appInfoRoutes, configOverviewRoutes } from './http/app-info.routes.ts';
import { documentApi } from './http/api-docs.ts';
import { type ClientParts, ownReadings } from './http/client-parts.ts';
import type { Context } from './http/context.ts';
import { createMetrics, metricsRoutes } from './http/metrics.routes.ts';
import type { App } from './http/guard.ts';
import { serveWebPage } from './http/web-page.ts';
import { openNotifications } from './notifications/open.ts';
import { postPublicly } from './notifications/webhook-client.ts';
import { openIngest } from './ingest/open.ts';
import { endUnusedRecording, openPush, type Push } from './push/open.ts';
import { overviewPush } from './push/push.ts';
import { pushRoutes } from './push/push.routes.ts';
import { rateRoutes } from './rates/open.ts';
import { readingRoutes, reportRoutes } from './reports/open.ts';
import { openSubscriptions } from './subscriptions/open.ts';
import { clearDeletedDevices } from './sites/deleted-devices.ts';
import { countDeviceStates } from './sites/devices.ts';
import { ownSiteRoutes, siteListRoutes } from './sites/open.ts';
import { findFirstSiteZone } from './sites/sites.sql.ts';

export interface PortalContext extends Context, AccountContext {
  /** Begins the next round of the push now, if this portal pushes. */
  pushNow?: (() => void) | undefined;
  /** The options for the demo data, if the portal has any. */
  demo?: Pick<DemoParts, 'historyDays' | 'sites' | 'world'> | undefined;
  /** The share of the demo data that is loaded; null if nothing is missing. */
  demoPercent?: (() => number | null) | undefined;
  /** The dashboard tool that the portal starts. */
  tool?: DashboardTool | undefined;
  /** The folder of the built page; without it only the API is served. */
  webFolder?: string;
  /** A test replaces it, because its push service is not public. */
  postToBrowsers?: typeof postPublicly | undefined;
}

/** Builds the application of a run mode. Only this function knows which rooms a mode has. It does not query the database. */
export async function compose(context: PortalContext): Promise<App> {
  const { config, database, engine, log, now } = context;
  const { version, runMode, publicUrl, trustedProxies } = config;
  const isDevelopment = config.environment === 'Development';
  const isClient = runMode === 'Client';
  const dashboards = await openDashboards(context, context.tool);
  const metrics = createMetrics({
    version,
    engine: engine.name,
    poolStatistics: () => database.statistics(),
    countOpenAlarms: () => countOpenAlarms(database),
    findOutboxAge: () => findOutboxAge(database, new Date(now())),
    ...(isClient
      ? { countDevices: () => countDeviceStates(database, now()) }
      : { countCustomers: () => countCustomerStates(database, now()) }),
    ...(isClient && { countEnergyFailures: async () => (await listFailures(database, null)).length }),
    ...(isClient && config.fleetIngest.enabled && { overviewPush: () => overviewPush(database) }),
  });
  const { mayUpgrade } = dashboards;
  const app = await createApp({
    log,
    publicUrl,
    isDevelopment,
    trustedProxies,
    mayUpgrade,
    onAnswer: metrics.recordAnswer,
  });
  const fleet = isClient ? null : openFleet(context);
  const accounts = await openAccounts(
    context,
    fleet?.admitted ?? null,
    isClient ? findFirstSiteZone : async () => null,
  );
  const { applicationName, ...branding } = await openBranding(context);
  const { guard, sessionCookieName, displayZoneOf } = accounts;

  // Registered before all routes, because it collects the routes that are registered after it.
  await documentApi(app, { guard, version, sessionCookieName, isOpen: isDevelopment });
  metricsRoutes(app, metrics, { token: config.metrics.token, isBehindProxy: trustedProxies.length > 0 });
  appInfoRoutes(app, {
    runMode,
    version,
    applicationName,
    demoPercent: () => context.demoPercent?.() ?? null,
    isDatabaseReachable: () => isReachable(database),
  });
  configOverviewRoutes(app, guard, context);
  await accounts.routes(app, applicationName);
  await dashboards.routes(app, guard);
  await branding.routes(app, guard);
  const { current } = branding;
  const notifications = openNotifications(app, context, {
    ...accounts,
    branding: current,
    post: context.postToBrowsers ?? postPublicly,
  });
  const reports = openSubscriptions(app, context, { guard, mail: notifications.mail, branding: current });
  openAlarms(app, context, { ...accounts, ...notifications, channels: { ...notifications.channels, ...reports } });

  const readings = (isClient ? ownReadings : customerReadings)({ guard, database });
  const parts: ClientParts = { guard, database, readings, applicationName, displayZoneOf, now };
  const own = isClient ? [apiKeyRoutes, ...rateRoutes, ...ownSiteRoutes, ...reportRoutes] : [];
  for (const routes of [...siteListRoutes, ...readingRoutes, ...own]) await routes(app, parts);
  await fleet?.routes(app, parts);
  if (isClient) {
    await openIngest(app, context, { ...parts, recordIngest: metrics.recordIngest });
    await pushRoutes(app, { ...parts, settings: config.fleetIngest, pushNow: () => context.pushNow?.() });
  }
  await serveWebPage(app, context.webFolder);
  return app;
}

/** The background work of a run mode. */
export interface Background {
  /** To be called when measurements were stored. */
  onStored?: (rows: number) => void;
  /** Starts the next tick of the push now, if this portal pushes. */
  pushNow: () => void;
  demoPercent: () => number | null;
  /** Starts the work that waits until the portal listens. */
  onListening: () => void;
  /** Tasks that end the work. Each waits for the current piece of work. */
  stop: () => Promise<void>;
}

export function startBackground(context: PortalContext): Background {
  const { config, database, now } = context;
  const isClient = config.runMode === 'Client';
  const energy = openEnergy(context, isClient ? ownMaterializer : createFleetMaterializer, [
    (ofUpkeep, signal) => applyAuditRetention(ofUpkeep, now(), signal),
    (ofUpkeep, signal) => applyAlarmRetention(ofUpkeep, now(), signal),
    ...(isClient
      ? [clearDeletedDevices, retention(context), endUnusedRecording(context)]
      : // The second may take long.
        [(ofUpkeep: Context['database']) => applyEventRetention(ofUpkeep, now()), clearDeletedCustomers]),
  ]);
  const running: { stop: () => Promise<unknown> }[] = [energy];
  const incoming = new IncomingRows();
  const onStored = (rows: number) => {
    incoming.note(rows, performance.now());
    energy.wake(rows);
  };
  let push: Push | null = null;
  let demo: Demo | null = null;
  return {
    onStored,
    pushNow: () => push?.wake(),
    demoPercent: () => demo?.percent() ?? null,
    onListening() {
      push = openPush(context, () => incoming.quietInMs(performance.now()));
      if (push !== null) running.push(push);
      if (!config.demo.enabled) return;
      const { world } = config.demo;
      demo = startDemo({ ...context, database: database.within(shares.ingest), onStored, world, ...context.demo });
      running.push(demo);
    },
    async stop() {
      await Promise.all(running.map((one) => one.stop()));
    },
  };
}
