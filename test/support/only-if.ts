declare module 'vitest' {
  interface TaskMeta {
    /** Why a test is skipped on this machine; `npm test` says it at its end. */
    reason?: string;
  }
}

/** Options of a test that can run only where something is there; elsewhere `npm test` says what is missing. */
export const onlyIf = (isThere: boolean, reason: string) => (isThere ? {} : { skip: true, meta: { reason } });
