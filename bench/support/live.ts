import type { MeterHistory } from './history.ts';
import type { BenchPortal } from './portal.ts';
import { startSteadyLoad } from './steady-load.ts';

const bodiesPerSecond = 10;
/** If the portal is slower than the load, it gets less of it, and the rate shows that. */
const maxInFlight = 32;

/** Rows of all devices at a steady rate: ten requests a second, each with the next row of every device. */
export interface LiveLoad {
  /** The last minute of the history that is certainly stored, as are all before it. */
  storedUpTo: () => number;
  /** The last minute that may be stored. */
  sentUpTo: () => number;
  /** Rows stored per second until now. */
  rate: () => number;
  /** Ends after the current request; throws if a request failed. */
  stop: () => Promise<unknown>;
}

/** Sends the rows from `fromMinute`, with times from `startMs` (epoch milliseconds), each `stepMs` after the last. */
export function startLiveLoad(
  portal: BenchPortal,
  history: MeterHistory,
  { fromMinute, startMs, stepMs }: { fromMinute: number; startMs: number; stepMs: number },
): LiveLoad {
  const started = performance.now();
  const unanswered = new Set<number>();
  let next = fromMinute;
  let stored = 0;

  const sendNext = async () => {
    const minute = next;
    next += 1;
    // It stops at a failure, so that nothing after it counts as stored.
    unanswered.add(minute);
    const time = startMs + (minute - fromMinute) * stepMs;
    const rows = portal.deviceIds.map((_, device) => history.rowAt(device, minute, time));
    await portal.deliver(JSON.stringify(rows));
    stored += rows.length;
    unanswered.delete(minute);
  };
  const load = startSteadyLoad(new Map([['rows', sendNext]]), bodiesPerSecond, maxInFlight);

  return {
    storedUpTo: () => Math.min(next, ...unanswered) - 1,
    sentUpTo: () => next - 1,
    rate: () => (stored * 1000) / (performance.now() - started),
    stop: load.stop,
  };
}
