import { setTimeout as sleep } from 'node:timers/promises';
import type { RealHistory } from './history.ts';
import type { BenchPortal } from './portal.ts';

const bodiesPerSecond = 10;
/** A portal that is slower than the load gets less of it, which the rate then shows. */
const maxInFlight = 32;

/** Rows of all devices that come in at a steady pace: ten requests a second, each with the next row of every device. */
export interface LiveLoad {
  /** The last minute of the history that is certain to be stored, with all before it. */
  storedUpTo: () => number;
  /** The last minute that may be stored. */
  sentUpTo: () => number;
  /** Rows per second that were stored so far. */
  rate: () => number;
  /** Ends after what is under way; throws if a request failed. */
  stop: () => Promise<void>;
}

/** Sends the rows from `fromMinute` on, stamped from `startMs` on (epoch milliseconds), each `stepMs` later than the last. */
export function startLiveLoad(
  portal: BenchPortal,
  history: RealHistory,
  { fromMinute, startMs, stepMs }: { fromMinute: number; startMs: number; stepMs: number },
): LiveLoad {
  const started = performance.now();
  const inFlight = new Map<number, Promise<void>>();
  let next = fromMinute;
  let stored = 0;
  const failures: unknown[] = [];
  const stopping = new AbortController();

  const send = async (minute: number) => {
    const time = startMs + (minute - fromMinute) * stepMs;
    const rows = portal.deviceIds.map((_, device) => history.rowAt(device, minute, time));
    try {
      await portal.send('POST', '/api/ingest/measurements', JSON.stringify(rows));
      stored += rows.length;
      inFlight.delete(minute);
    } catch (error) {
      // It stays in flight, so that nothing after it counts as certain.
      failures.push(error);
    }
  };
  const run = async () => {
    for (let tick = 0; !stopping.signal.aborted; tick += 1) {
      await sleep(Math.max(0, started + (tick * 1000) / bodiesPerSecond - performance.now()));
      if (inFlight.size >= maxInFlight) continue;
      inFlight.set(next, send(next));
      next += 1;
    }
  };
  const running = run();

  return {
    storedUpTo: () => Math.min(next, ...inFlight.keys()) - 1,
    sentUpTo: () => next - 1,
    rate: () => (stored * 1000) / (performance.now() - started),
    async stop() {
      stopping.abort();
      await running;
      await Promise.all(inFlight.values());
      if (failures.length > 0) throw new Error('Rows that came in live were refused.', { cause: failures[0] });
    },
  };
}
