declare module 'vitest' {
  interface TaskMeta {
    /** Why a test is skipped on this machine; `npm test` says it at its end. */
    reason?: string;
  }
}

/** Options of a test with a requirement; without it `npm test` reports what is missing. */
export const onlyIf = (isThere: boolean, reason: string) => (isThere ? {} : { skip: true, meta: { reason } });
