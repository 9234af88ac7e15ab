import type { Database } from '../database/pool.ts';
import type { Guard } from './guard.ts';
import type { ReadingSource } from './reading-source.ts';

/** What the routes of a mode share. */
export interface ClientParts {
  guard: Guard;
  database: Database;
  readings: ReadingSource;
  /** The current name from the branding. */
  applicationName: () => Promise<string>;
  /** IANA zone of ranges, days and times where the devices have several zones or none. */
  timeZone: string;
  /** Epoch milliseconds. */
  now: () => number;
}
