import { setTimeout as sleep } from 'node:timers/promises';

/** In a container network, names cannot be resolved for a moment while another container joins. */
const usualPausesMs = [100, 300, 600, 1_000];
const unknownName = new Set(['ENOTFOUND', 'EAI_AGAIN']);

/** Runs work that needs the name of another machine, and retries after each pause if the name cannot be resolved; nothing was sent then. */
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

/** `fetch` has it as the cause. */
function isUnknownName(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ('code' in error && unknownName.has(String(error.code))) || isUnknownName(error.cause);
}
