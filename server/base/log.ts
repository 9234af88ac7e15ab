/** Where a part of the portal says what it does; the log of the web server is one. */
export interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}
