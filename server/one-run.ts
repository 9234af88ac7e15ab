import type { FastifyBaseLogger } from 'fastify';
import type { Config } from './settings/config.ts';

/** What a command is given that does one thing and ends. */
export interface OneRunOptions {
  config: Config;
  log: FastifyBaseLogger;
  migrationsFolder: string;
  /** Epoch milliseconds. */
  now: () => number;
  /** Aborted when the process is told to stop. */
  signal: AbortSignal;
  /** What a portal of the command starts a dashboard tool with. */
  tool: { projectFolder: string; environment: NodeJS.ProcessEnv };
  /** What stands behind the command's name. */
  words: readonly string[];
}
