import { useSyncExternalStore } from 'react';

const tickers = new Map<number, { subscribe: (listener: () => void) => () => void; read: () => number }>();

function ticker(everyMs: number) {
  let made = tickers.get(everyMs);
  if (made === undefined) {
    const listeners = new Set<() => void>();
    let nowMs = Date.now();
    let timer: ReturnType<typeof setInterval> | undefined;
    const tick = () => {
      nowMs = Date.now();
      for (const listener of listeners) listener();
    };
    made = {
      subscribe: (listener) => {
        listeners.add(listener);
        timer ??= setInterval(tick, everyMs);
        return () => {
          listeners.delete(listener);
          if (listeners.size > 0) return;
          clearInterval(timer);
          timer = undefined;
        };
      },
      read: () => {
        if (Date.now() - nowMs >= everyMs) nowMs = Date.now();
        return nowMs;
      },
    };
    tickers.set(everyMs, made);
  }
  return made;
}

/** The time in milliseconds since 1970, updated every `everyMs`; all users of one interval share one timer. */
export function useNow(everyMs: number): number {
  const { subscribe, read } = ticker(everyMs);
  return useSyncExternalStore(subscribe, read);
}
