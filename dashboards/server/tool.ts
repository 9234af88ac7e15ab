import type { FastifyBaseLogger } from 'fastify';
import type { z } from 'zod';
import { dashboardSpec } from '../../shared/dashboard-tool.ts';
import { limiterOf, toolConnections } from '../../server/base/budgets.ts';
import { FleetDays } from '../../server/fleet/fleet-days.ts';
import { Database } from '../../server/database/pool.ts';
import { createApp } from '../../server/http/app.ts';
import type { App } from '../../server/http/guard.ts';
import { dashboardRoutes } from './dashboards.ts';
import { dataRoutes } from './data.ts';
import { demandIdentity } from './identity.ts';
import { servePage } from './page.ts';
import type { ToolSettings } from './settings.ts';
import type { ToolParts } from './tool-parts.ts';
import { userRoutes } from './user.ts';

/** Only proxies reach the tool. The client addresses that they forward are used only in the log. */
const proxies = ['loopback', 'linklocal', 'uniquelocal'];

export interface ToolOptions {
  settings: ToolSettings;
  log: FastifyBaseLogger;
  /** Epoch milliseconds. */
  now: () => number;
  /** The folder of the built page. */
  pageFolder: string;
  /** The dashboards that ship with the tool, by name; fields with a default may be left out. */
  provisioned: Readonly<Record<string, z.input<typeof dashboardSpec>>>;
}

export interface Tool {
  port: number;
  stop: () => Promise<void>;
}

export async function startTool(options: ToolOptions): Promise<Tool> {
  const { app, close } = await composeTool(options);
  try {
    await app.listen(options.settings.listen);
  } catch (error) {
    await close();
    throw error;
  }
  const address = app.server.address();
  return { port: typeof address === 'object' && address !== null ? address.port : 0, stop: close };
}

/** The application of the tool. Everything is below the prefix. Only the health check needs no proof. */
export async function composeTool({ settings, log, now, pageFolder, provisioned }: ToolOptions): Promise<{
  app: App;
  close: () => Promise<void>;
}> {
  const onIdleError = (error: Error) => log.warn({ err: error }, 'lost an idle database connection');
  const open = (maxConnections: number, isReadOnly: boolean) =>
    new Database(settings.connectionString, { maxConnections, isReadOnly, onIdleError });
  const database = open(toolConnections.reading, true);
  const writing = open(toolConnections.writing, false);
  const questions = limiterOf('questions');
  const app = await createApp({
    log,
    publicUrl: settings.publicUrl,
    isDevelopment: settings.isDevelopment,
    trustedProxies: proxies,
    mayUpgrade: () => false,
    onAnswer: () => undefined,
  });
  const close = async () => {
    await app.close();
    await Promise.all([database.close(), writing.close()]);
  };
  const shipped = new Map(Object.entries(provisioned).map(([name, spec]) => [name, dashboardSpec.parse(spec)]));
  const fleet = new FleetDays(now, (error) =>
    log.warn({ err: error }, 'could not compute the energy of a customer; shown as pending'),
  );
  const parts: ToolParts = { settings, database, writing, now, questions, fleet, shipped };
  demandIdentity(app, { secret: settings.gateSecret, now, isOpen: (path) => path === `${settings.prefix}/health` });
  app.get(`${settings.prefix}/health`, async (_request, reply) =>
    reply.type('text/plain; charset=utf-8').send('Healthy'),
  );
  await app.register(
    async (scope: App) => {
      userRoutes(scope, parts);
      dataRoutes(scope, parts);
      dashboardRoutes(scope, parts);
    },
    { prefix: `${settings.prefix}/api` },
  );
  await servePage(app, { folder: pageFolder, prefix: settings.prefix });
  return { app, close };
}
