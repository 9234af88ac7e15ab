import type { FastifyBaseLogger } from 'fastify';
import type { Config } from './config.ts';

/** The parameters of a one-off command. */
export interface OneRunOptions {
  config: Config;
  log: FastifyBaseLogger;
  migrationsFolder: string;
  /** Epoch milliseconds. */
  now: () => number;
  /** Aborted when the process is told to stop. */
  signal: AbortSignal;
  /** For a command that starts a portal: the parts with which it starts a dashboard tool. */
  tool: { projectFolder: string; environment: NodeJS.ProcessEnv };
  /** The arguments after the command's name. */
  words: readonly string[];
}
