import type { FastifyBaseLogger } from 'fastify';
import type { Config } from './config.ts';
import type { Database } from './db/pool.ts';
import type { TimeSeriesEngine } from './db/time-series-engine.ts';
import { createApp, type App } from './http/app.ts';

/** Everything that the parts share. Time comes in from outside, so that tests can set it. */
export interface Context {
  config: Config;
  database: Database;
  engine: TimeSeriesEngine;
  log: FastifyBaseLogger;
  /** Epoch milliseconds. */
  now: () => number;
}

/** Builds the application of this run mode: the one place that knows which groups of routes a mode has. */
export async function compose(context: Context): Promise<App> {
  const { config, log } = context;
  const app = await createApp({ log, publicUrl: config.publicUrl, trustedProxies: config.trustedProxies });
  return app;
}
