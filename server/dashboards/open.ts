import type { Context } from '../http/context.ts';
import type { Guard, App } from '../http/guard.ts';
import type { DashboardTool } from './dashboard-proxy.ts';
import { embeddedDashboardRoutes } from './embedded-dashboards.routes.ts';
import { gateRoutes } from './gate.routes.ts';
import type { DashboardToolStatus } from '../../shared/embedded-dashboards.ts';

const probeWithinMs = 3_000;

/** A dashboard tool that the portal did not start, at the address of `Dashboard__Upstream`. */
function toolAt(upstream: string, prefix: string, now: () => number): DashboardTool {
  const { origin } = new URL(upstream);
  let last: Omit<DashboardToolStatus, 'since' | 'path'> & { since: number } = {
    state: 'starting',
    since: now(),
    reason: null,
    failure: null,
  };
  const probe = async (): Promise<boolean> => {
    try {
      // Any answer means that it runs.
      await fetch(`${origin}${prefix}/health`, {
        method: 'HEAD',
        redirect: 'manual',
        signal: AbortSignal.timeout(probeWithinMs),
      });
      return true;
    } catch {
      return false;
    }
  };
  return {
    origin: () => origin,
    async status() {
      const isThere = await probe();
      const state = isThere ? 'running' : 'failed';
      // Without the address of the tool, because every signed-in user can read this.
      const reason = isThere ? null : 'nothing answers at the address in Dashboard__Upstream';
      const failure = isThere ? null : ({ code: 'noAnswer', detail: '' } as const);
      if (state !== last.state) last = { state, since: now(), reason, failure };
      return { ...last, since: new Date(last.since).toISOString() };
    },
  };
}

/** For a portal that neither starts a dashboard tool nor forwards requests to one. */
function noTool(now: () => number): DashboardTool {
  const since = new Date(now()).toISOString();
  return { origin: () => null, status: async () => ({ state: 'off', since, reason: null, failure: null }) };
}

/** The gate to the dashboard tool, and the menu of its dashboards. */
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
      embeddedDashboardRoutes(app, { database, guard, prefix, tool, isOwnTool: upstream === undefined });
      await proxy?.dashboardProxy(app, { gate, prefix, tool });
    },
  };
}
