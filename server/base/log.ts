/** Where a part of the portal says what it does; the log of the web server is one. */
export interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/** Returns a function that logs an error with the message. */
export const warns = (log: Pick<Log, 'warn'>, message: string) => (error: unknown) => log.warn({ err: error }, message);
