import { setTimeout as sleep } from 'node:timers/promises';

/** Requests that are sent at a steady rate, however long their answers take. */
export interface SteadyLoad {
  /** Ends after the current requests, and returns their durations in milliseconds; throws if a request failed. */
  stop: () => Promise<Map<string, number[]>>;
}

/**
 * Sends the requests in turns, together at the given rate per second. If the portal stops answering, the durations of open
 * requests show it, and fewer are sent.
 */
export function startSteadyLoad(
  requests: ReadonlyMap<string, () => Promise<unknown>>,
  perSecond: number,
  maxInFlight = 200,
): SteadyLoad {
  const started = performance.now();
  const taken = new Map<string, number[]>([...requests.keys()].map((name) => [name, []]));
  const inFlight = new Set<Promise<void>>();
  const failures: unknown[] = [];
  const stopping = new AbortController();

  const send = async (name: string, work: () => Promise<unknown>) => {
    const sent = performance.now();
    try {
      await work();
      taken.get(name)?.push(performance.now() - sent);
    } catch (error) {
      failures.push(error);
    }
  };
  const run = async () => {
    const turns = [...requests];
    for (let tick = 0; !stopping.signal.aborted; tick += 1) {
      await sleep(Math.max(0, started + (tick * 1000) / perSecond - performance.now()));
      const [name, work] = turns[tick % turns.length] ?? [];
      if (name === undefined || work === undefined || inFlight.size >= maxInFlight) continue;
      const sending = send(name, work).finally(() => inFlight.delete(sending));
      inFlight.add(sending);
    }
  };
  const running = run();

  return {
    async stop() {
      stopping.abort();
      await running;
      await Promise.all(inFlight);
      if (failures.length > 0) throw new Error('A request of the load failed.', { cause: failures[0] });
      return taken;
    },
  };
}
