/** Logger interface used outside HTTP; the web server's logger implements it. */
export interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/** Returns a function that logs an error with the message. */
export const warns = (log: Pick<Log, 'warn'>, message: string) => (error: unknown) => log.warn({ err: error }, message);
