declare module 'vitest' {
  interface TaskMeta {
    /** Why a test is skipped on this machine; `npm test` prints it at its end. */
    reason?: string;
  }
}

/** Options of a test with a requirement. If it is missing, `npm test` reports that. */
export const onlyIf = (isThere: boolean, reason: string) => (isThere ? {} : { skip: true, meta: { reason } });
