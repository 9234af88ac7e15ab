import type { DashboardToolStatus } from '../../shared/embedded-dashboards.ts';
import type { DashboardTool } from '../http/dashboard-proxy.ts';

const probeWithinMs = 3_000;

/** A dashboard tool that somebody else has started, at the address of `Dashboard__Upstream`. */
export function toolAt(upstream: string, prefix: string, now: () => number): DashboardTool {
  const { origin } = new URL(upstream);
  let last: { state: DashboardToolStatus['state']; since: number; reason: string | null } = {
    state: 'starting',
    since: now(),
    reason: null,
  };
  const probe = async (): Promise<string | null> => {
    try {
      // Whatever it answers, it is there.
      await fetch(`${origin}${prefix}/health`, {
        method: 'HEAD',
        redirect: 'manual',
        signal: AbortSignal.timeout(probeWithinMs),
      });
      return null;
    } catch {
      // Not the address: everybody who is signed in reads this.
      return 'nothing answers at the address in Dashboard__Upstream';
    }
  };
  return {
    origin: () => origin,
    async status() {
      const reason = await probe();
      const state = reason === null ? 'running' : 'failed';
      if (state !== last.state) last = { state, since: now(), reason };
      return { ...last, since: new Date(last.since).toISOString() };
    },
  };
}

/** Where this portal neither starts a dashboard tool nor passes requests on to one. */
export function noTool(now: () => number): DashboardTool {
  const since = new Date(now()).toISOString();
  return { origin: () => null, status: async () => ({ state: 'off', since, reason: null }) };
}
