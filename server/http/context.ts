import type { FastifyBaseLogger } from 'fastify';
import type { TimeSeriesEngine } from '../database/engines/engine.ts';
import type { Database } from '../database/pool.ts';
import type { Config } from '../settings/config.ts';

/** The input that opens the rooms of a portal. Time is passed in, so that tests can set it. */
export interface Context {
  config: Config;
  database: Database;
  engine: TimeSeriesEngine;
  log: FastifyBaseLogger;
  /** Epoch milliseconds. */
  now: () => number;
  /** Called when measurements were stored. */
  onStored?: ((rows: number) => void) | undefined;
}
