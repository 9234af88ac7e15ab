import type { FastifyBaseLogger } from 'fastify';
import { createIngestKeyFinder } from './accounts/api-keys.ts';
import { createArrivalLog } from './ingest/arrivals.ts';
import { applyAuditRetention } from './accounts/audit.ts';
import { getBranding } from './branding/branding.ts';
import { createTokenFinder } from './fleet/customers.ts';
import { findFleetScope } from './fleet/customer-access.ts';
import { clearDeletedDevices } from './sites/deleted-devices.ts';
import { startEnergyWorker } from './energy/energy-worker.ts';
import { createFleetIngest } from './fleet/fleet-ingest.ts';
import { createFleetMaterializer } from './fleet/fleet-energy.ts';
import { applyEventRetention, clearDeletedCustomers } from './fleet/fleet-maintenance.ts';
import { createClientIngest } from './ingest/client-ingest.ts';
import { startMaintenance } from './energy/maintenance.ts';
import { materializeSome } from './energy/materialize-energy.ts';
import { createPasswords } from './accounts/passwords.ts';
import { giveUpRecording, overviewPush } from './push/push.ts';
import { applyRetention } from './energy/retention.ts';
import { type AccountParts, createAccountParts } from './accounts/sign-in-attempts.ts';
import { openUploads } from './branding/uploads.ts';
import type { Config } from './settings/config.ts';
import { shares } from './base/budgets.ts';
import type { Database } from './database/pool.ts';
import { listFailures } from './energy/energy-failures.sql.ts';
import { isReachable } from './database/open-database.ts';
import { violatedPasswordRules } from '../shared/accounts.ts';
import type { ConfigEntry } from '../shared/app.ts';
import type { TimeSeriesEngine } from './database/engines/engine.ts';
import { type DemoParts, startDemo } from './demo/run.ts';
import { noTool, toolAt } from './dashboards/upstream.ts';
import { accountRoutes } from './accounts/accounts.routes.ts';
import { apiKeyRoutes } from './accounts/api-keys.routes.ts';
import { documentApi } from './http/api-docs.ts';
import { appInfoRoutes, configOverviewRoutes } from './http/app-info.routes.ts';
import { arrivalRoutes } from './ingest/arrivals.routes.ts';
import { auditRoutes } from './accounts/audit.routes.ts';
import { createApp } from './http/app.ts';
import type { App } from './http/typed-app.ts';
import { brandingRoutes } from './branding/branding.routes.ts';
import { comparisonRoutes, costComparisonRoutes } from './reports/comparison.routes.ts';
import { reportRemarkRoutes } from './sites/report-remarks.routes.ts';
import { customerDetailRoutes } from './fleet/customer-detail.routes.ts';
import { type FleetIngestParts, fleetIngestRoutes } from './fleet/fleet-ingest.routes.ts';
import { customerRoutes } from './fleet/customers.routes.ts';
import { dashboardRoutes } from './reports/dashboard.routes.ts';
import { dataQualityRoutes } from './reports/data-quality.routes.ts';
import { deviceListRoute, deviceRoutes } from './sites/devices.routes.ts';
import { embeddedDashboardRoutes } from './dashboards/embedded-dashboards.routes.ts';
import { fleetDashboardRoutes } from './fleet/fleet-dashboard.routes.ts';
import type { DashboardTool } from './dashboards/dashboard-proxy.ts';
import { type ClientParts, ownReadings } from './http/client-parts.ts';
import { gateRoutes } from './dashboards/gate.routes.ts';
import type { Guard } from './http/guard.ts';
import { createGuard } from './http/create-guard.ts';
import { ingestRoutes } from './ingest/ingest.routes.ts';
import { installRoutes } from './http/install.routes.ts';
import { loadCurveRoutes, usualRoutes } from './reports/loads.routes.ts';
import { measurementRoutes } from './reports/measurements.routes.ts';
import { createMetrics, type Metrics, metricsRoutes } from './http/metrics.routes.ts';
import { municipalityRoutes, tariffRoutes } from './rates/tariffs.routes.ts';
import { createSecretBox } from './accounts/sealed-steps.ts';
import { createPartyOf } from './accounts/own-proof.routes.ts';
import { passkeyRoutes } from './accounts/passkeys.routes.ts';
import { secondFactorRoutes } from './accounts/second-factor.routes.ts';
import { openSessionKeys } from './accounts/session-keys.ts';
import { createSessions, sessionCookieName } from './accounts/sessions.routes.ts';
import { simulationRoutes } from './rates/simulation.routes.ts';
import { pushRoutes } from './push/push.routes.ts';
import { rawExportRoutes } from './reports/raw-export.routes.ts';
import { reconcileRoutes } from './fleet/reconcile.routes.ts';
import { siteListRoute, siteRoutes } from './sites/sites.routes.ts';
import { siteTableRoutes } from './sites/site-table.routes.ts';
import { summaryExportRoutes } from './reports/summary-export.routes.ts';
import { uploadRoutes } from './branding/uploads.routes.ts';
import { userRoutes } from './accounts/users.routes.ts';
import { serveWebPage } from './http/web-page.ts';
import { openPush } from './push/open.ts';
import type { Push } from './push/loop.ts';
import { IncomingRows } from './base/incoming-rows.ts';
import type { HashCost } from './accounts/passwords.rules.ts';
import { customerReadings } from './fleet/customer-readings.ts';

/** Everything that the parts share. Time comes in from outside, so that tests can set it. */
export interface Context {
  config: Config;
  database: Database;
  engine: TimeSeriesEngine;
  log: FastifyBaseLogger;
  /** Epoch milliseconds. */
  now: () => number;
  /** Called when measurements were stored. */
  onStored?: ((rows: number) => void) | undefined;
  /** Begins the next round of the push at once, if there is one. */
  pushNow?: (() => void) | undefined;
  /** The options of its demo data, if it has any. */
  demo?: Pick<DemoParts, 'historyDays' | 'sites'> | undefined;
  /** The dashboard tool that this portal starts. */
  tool?: DashboardTool | undefined;
  /** The folder of the built page; without it only the API is served. */
  webFolder?: string;
  /** The cost of hashing a password, for tests with many of them. */
  hashCost?: HashCost;
}

/** Builds the application of this run mode: the one place that knows which groups of routes a mode has. It asks no database. */
export async function compose(context: Context): Promise<App> {
  const { config, database, log, now } = context;
  const { embedPathPrefix: prefix, upstream, gateSecret: secret } = config.dashboard;
  const tool = context.tool ?? (upstream === undefined ? noTool(now) : toolAt(upstream, prefix, now));
  // Loaded on demand, because it brings an HTTP client with it.
  const isProxied = upstream !== undefined || context.tool !== undefined;
  const proxy = isProxied ? await import('./dashboards/dashboard-proxy.ts') : null;
  const metrics = createMetrics({
    version: config.version,
    engine: context.engine.name,
    poolStatistics: () => database.statistics(),
    ...(config.runMode === 'Client'
      ? {
          countEnergyFailures: async () => (await listFailures(database, null)).length,
          ...(config.fleetIngest.enabled ? { overviewPush: () => overviewPush(database) } : {}),
        }
      : {}),
  });
  const app = await createApp({
    log,
    publicUrl: config.publicUrl,
    isDevelopment: config.environment === 'Development',
    trustedProxies: config.trustedProxies,
    mayUpgrade: proxy?.mayBecomeSocket(prefix) ?? (() => false),
    onAnswer: metrics.recordAnswer,
  });

  const keys = await openSessionKeys({
    folder: config.storage.keysPath,
    now,
    onProblem: warns(log, 'the session keys could not be read or replaced'),
  });
  const sessions = createSessions({ database, keys, publicUrl: config.publicUrl, now });
  const ofIngest = database.within(shares.ingest);
  const findIngestKey =
    config.runMode === 'Client'
      ? createIngestKeyFinder({
          database: ofIngest,
          now,
          onProblem: warns(log, 'the last use of an API key could not be written'),
        })
      : async () => null;
  const guard = createGuard({
    findSession: sessions.find,
    findIngestKey,
    findCustomer: config.runMode === 'Admin' ? createTokenFinder({ database: ofIngest, now }) : async () => null,
    findFleetScope: async (account) => (config.runMode === 'Admin' ? findFleetScope(database, account) : null),
  });
  const branding = { database, uploads: await openUploads(config.storage.uploadsPath), whiteLabel: config.whiteLabel };
  const applicationName = async () => (await getBranding(branding)).applicationName;

  // Before all routes, because it collects those registered after it.
  await documentApi(app, {
    guard,
    version: config.version,
    sessionCookieName: sessionCookieName(config.publicUrl),
    isOpen: config.environment === 'Development',
  });
  metricsRoutes(app, metrics, { token: config.metrics.token, isBehindProxy: config.trustedProxies.length > 0 });
  appInfoRoutes(app, {
    runMode: config.runMode,
    version: config.version,
    applicationName,
    isDatabaseReachable: () => isReachable(database),
  });
  if (hasPlainAddress(config)) {
    log.warn(
      { publicUrl: config.publicUrl },
      'PRODUCTION WITHOUT TLS: Application__PublicUrl is an http address, so passwords and session cookies travel unencrypted; put a proxy with TLS in front and set the https address',
    );
  }
  configOverviewRoutes(app, guard, [
    ...config.overview.map((entry) => withWarning(entry, config)),
    engineEntry(context.engine),
  ]);

  const accounts = accountPartsOf(context);
  const secondFactor = { accounts, box: createSecretBox(keys) };
  const partyOf = createPartyOf(config.publicUrl, config.environment === 'Development');
  const signInParts = { secondFactor, guard, sessions, keys, partyOf, applicationName };
  await accountRoutes(app, signInParts);
  await secondFactorRoutes(app, signInParts);
  await passkeyRoutes(app, signInParts);
  const gate = { guard, secret, now };
  gateRoutes(app, gate);
  embeddedDashboardRoutes(app, { database, guard, prefix, tool });
  await proxy?.dashboardProxy(app, { gate, prefix, tool });
  await auditRoutes(app, { database, guard });
  await userRoutes(app, { users: { accounts, runMode: config.runMode }, guard, sessions });
  // In its own scope, because only it accepts multipart forms.
  await app.register(async (scope) => brandingRoutes(scope, branding, guard));
  await uploadRoutes(app, { uploads: branding.uploads });
  installRoutes(app, () => getBranding(branding));
  const readings = (config.runMode === 'Client' ? ownReadings : customerReadings)({ guard, database });
  const parts = { guard, database, readings, applicationName, timeZone: config.timeZone, now };
  for (const routes of readingRoutes) await routes(app, parts);
  if (config.runMode === 'Client') {
    await clientRoutes(app, context, parts, metrics);
  } else {
    await app.register(async (scope) => fleetIngestRoutes(scope, fleetIngestParts(context, guard)));
    await fleetDashboardRoutes(app, parts);
    await customerDetailRoutes(app, parts);
    await reconcileRoutes(app, parts);
    await customerRoutes(app, { ...parts, graceHours: config.fleetIngest.tokenGraceHours });
  }
  await serveWebPage(app, context.webFolder);
  return app;
}

export function accountPartsOf({ config, database, now, hashCost }: Omit<Context, 'engine'>): AccountParts {
  const refuseCommon = config.authentication.refuseCommonPasswords;
  return createAccountParts(
    database,
    createPasswords({ violatedRules: violatedPasswordRules, refuseCommon, hashCost }),
    now,
  );
}

const warns = (log: FastifyBaseLogger, message: string) => (error: unknown) => log.warn({ err: error }, message);

/** The routes that a Client has for itself, and an Admin for each customer. */
const readingRoutes = [siteListRoute, deviceListRoute, measurementRoutes, rawExportRoutes];

const hasPlainAddress = ({ environment, publicUrl }: Config) =>
  environment === 'Production' && !publicUrl.startsWith('https:');

const withWarning = (entry: ConfigEntry, config: Config): ConfigEntry =>
  entry.name === 'Application__PublicUrl' && hasPlainAddress(config) ? { ...entry, warning: 'plainHttp' } : entry;

/** The engine is detected, not configured; it is listed with the settings of the database. */
const engineEntry = ({ name }: TimeSeriesEngine): ConfigEntry => ({
  name: 'Database__Engine',
  value: name,
  source: 'database',
  isSet: true,
  isSecret: false,
});

function fleetIngestParts({ config, database, engine, now, onStored }: Context, guard: Guard): FleetIngestParts {
  const ofIngest = database.within(shares.ingest);
  return {
    guard,
    database: ofIngest,
    ingest: createFleetIngest({ database: ofIngest, engine, now, onStored }),
    maxBatchesPerMinute: config.fleetIngest.maxBatchesPerMinute,
    now,
  };
}

/** What a customer's stack has beyond the common groups. */
async function clientRoutes(app: App, context: Context, parts: ClientParts, metrics: Metrics): Promise<void> {
  const { database, engine, log, now, onStored } = context;
  const ingest = createClientIngest({ database: database.within(shares.ingest), engine, now, onStored });
  const { recordIngest } = metrics;
  const arrivals = createArrivalLog({
    database,
    now,
    onProblem: warns(log, 'recent arrivals could not be recorded'),
  });
  app.addHook('onClose', arrivals.write);
  // In its own scope, because it parses JSON bodies itself.
  await app.register(async (scope) =>
    ingestRoutes(scope, { guard: parts.guard, ingest, recordIngest, noteArrivals: arrivals.note }),
  );
  await arrivalRoutes(app, { ...parts, arrivals });
  const groups = [
    apiKeyRoutes,
    municipalityRoutes,
    tariffRoutes,
    simulationRoutes,
    siteRoutes,
    siteTableRoutes,
    deviceRoutes,
    comparisonRoutes,
    costComparisonRoutes,
    dashboardRoutes,
    summaryExportRoutes,
    loadCurveRoutes,
    usualRoutes,
    dataQualityRoutes,
    reportRemarkRoutes,
  ];
  for (const routes of groups) await routes(app, parts);
  const settings = context.config.fleetIngest;
  await pushRoutes(app, { ...parts, settings, pushNow: () => context.pushNow?.() });
}

/** The background work of a run mode. */
export interface Background {
  /** To be called when measurements were stored. */
  onStored?: (rows: number) => void;
  /** Starts the next tick of the push now, if this portal pushes. */
  pushNow: () => void;
  /** Starts the work that waits until the portal listens. */
  onListening: () => void;
  /** Each ends after the piece of work that is under way. */
  stop: () => Promise<void>;
}

export function startBackground(context: Context): Background {
  const { config, database, engine, log, now } = context;
  const onEnergyProblem = warns(log, 'new measurements could not be materialized; reads go on without that');
  const { materialize, maintain } = backgroundWorkOf(context, onEnergyProblem);
  const worker = startEnergyWorker({ materialize, onProblem: onEnergyProblem });
  const maintenance = startMaintenance({
    work: maintain,
    onProblem: warns(log, 'the maintenance of the measurements failed; it is tried again later'),
  });
  const running: { stop: () => Promise<void> }[] = [worker, maintenance];
  const incoming = new IncomingRows();
  const onStored = (rows: number) => {
    incoming.note(rows, performance.now());
    worker.wake(rows);
  };
  let push: Push | null = null;
  return {
    onStored,
    pushNow: () => push?.wake(),
    onListening() {
      push = startPushOf(context, () => incoming.quietInMs(performance.now()));
      if (push !== null) running.push(push);
      if (!config.demo.enabled) return;
      const parts = { database: database.within(shares.ingest), engine, log, now, onStored };
      running.push(startDemo({ ...parts, ...context.demo }));
    },
    async stop() {
      await Promise.all(running.map((one) => one.stop()));
    },
  };
}

/** Null if this portal does not push. */
function startPushOf({ config, database, log, now }: Context, quietInMs: () => number): Push | null {
  const { enabled, url, token } = config.fleetIngest;
  if (config.runMode !== 'Client' || !enabled || url === undefined || token === undefined) return null;
  return openPush(
    { ...config.fleetIngest, url, token },
    {
      database: database.within(shares.worker),
      fetch: globalThis.fetch,
      now,
      random: Math.random,
      quietInMs,
      onProblem: warns(log, 'a round of the push failed; the next one is tried on time'),
    },
  );
}

/** What the energy worker and the maintenance do in this run mode. */
function backgroundWorkOf({ config, database, engine, log, now }: Context, onProblem: (error: unknown) => void) {
  const [ofWorker, ofMaintenance] = [database.within(shares.worker), database.within(shares.background)];
  if (config.runMode === 'Admin') {
    return {
      materialize: createFleetMaterializer(ofWorker, onProblem),
      async maintain(signal: AbortSignal) {
        await engine.prepare(ofMaintenance);
        await applyEventRetention(ofMaintenance, now());
        await applyAuditRetention(ofMaintenance, now(), signal);
        // Last, because it may take long.
        await clearDeletedCustomers(ofMaintenance, signal);
      },
    };
  }
  const months = config.database.retentionMonths;
  return {
    materialize: () => materializeSome(ofWorker, { within: null, skip: true, onFailure: onProblem }),
    async maintain(signal: AbortSignal) {
      await engine.prepare(ofMaintenance);
      await clearDeletedDevices(ofMaintenance, signal);
      await applyAuditRetention(ofMaintenance, now(), signal);
      await applyRetention({ database: ofMaintenance, engine, months, now, log, signal });
      if (await giveUpRecording(ofMaintenance, now())) {
        log.warn(
          'nothing was pushed for a week, so new rows are no longer recorded; the next push begins with everything that is stored',
        );
      }
    },
  };
}
