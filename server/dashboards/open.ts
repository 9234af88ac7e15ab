import type { Context } from '../http/context.ts';
import type { Guard } from '../http/guard.ts';
import type { App } from '../http/typed-app.ts';
import type { DashboardTool } from './dashboard-proxy.ts';
import { embeddedDashboardRoutes } from './embedded-dashboards.routes.ts';
import { gateRoutes } from './gate.routes.ts';
import { noTool, toolAt } from './upstream.ts';

/** The gate to the dashboard tool, whoever started the tool, and the menu of its dashboards. */
export async function openDashboards(
  { config, database, now }: Pick<Context, 'config' | 'database' | 'now'>,
  started: DashboardTool | undefined,
) {
  const { embedPathPrefix: prefix, upstream, gateSecret: secret } = config.dashboard;
  const tool = started ?? (upstream === undefined ? noTool(now) : toolAt(upstream, prefix, now));
  // Loaded on demand, because it brings an HTTP client with it.
  const isProxied = upstream !== undefined || started !== undefined;
  const proxy = isProxied ? await import('./dashboard-proxy.ts') : null;
  return {
    mayUpgrade: proxy?.mayBecomeSocket(prefix) ?? (() => false),
    async routes(app: App, guard: Guard): Promise<void> {
      const gate = { guard, secret, now };
      gateRoutes(app, gate);
      embeddedDashboardRoutes(app, { database, guard, prefix, tool });
      await proxy?.dashboardProxy(app, { gate, prefix, tool });
    },
  };
}
