import { setTimeout as sleep } from 'node:timers/promises';

/** Names of a network of containers lead nowhere for a moment while another container joins it. */
const usualPausesMs = [100, 300, 600, 1_000];
const unknownName = new Set(['ENOTFOUND', 'EAI_AGAIN']);

/** Does what needs the name of another machine, and again after each pause where that name is not known: nothing was sent then. */
export async function untilNameIsKnown<T>(
  work: () => Promise<T>,
  signal?: AbortSignal,
  pausesMs: readonly number[] = usualPausesMs,
): Promise<T> {
  for (const pauseMs of pausesMs) {
    try {
      return await work();
    } catch (error) {
      if (!isUnknownName(error)) throw error;
      await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
      if (signal?.aborted === true) throw error;
    }
  }
  return work();
}

/** `fetch` says it in the cause. */
function isUnknownName(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ('code' in error && unknownName.has(String(error.code))) || isUnknownName(error.cause);
}
