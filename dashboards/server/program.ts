import { join } from 'node:path';
import { createLog } from '../../server/logging.ts';
import { provisionedFor } from './provisioned/provisioned.ts';
import { readToolSettings } from './settings.ts';
import { startTool } from './tool.ts';

const stopPatienceMs = 15_000;

/** Runs the dashboard tool until it is stopped. If the portal started it, it also stops when the portal ends. */
export async function runTool(environment: NodeJS.ProcessEnv): Promise<void> {
  const log = createLog();
  const read = readToolSettings(environment, process.cwd());
  if ('violations' in read) {
    process.stderr.write(`${read.violations.join('\n')}\n`);
    process.exit(1);
  }
  const tool = await startTool({
    settings: read.settings,
    log,
    now: Date.now,
    pageFolder: join(import.meta.dirname, '../page/dist'),
    provisioned: provisionedFor(read.settings.runMode),
  }).catch((error: unknown) => {
    process.stderr.write(
      `The dashboard tool did not start. ${error instanceof Error ? error.message : String(error)}\n`,
    );
    process.exit(1);
  });
  let isStopping = false;
  const stop = (reason: string) => {
    if (isStopping) return;
    isStopping = true;
    log.info({ reason }, 'the dashboard tool stops');
    setTimeout(() => process.exit(1), stopPatienceMs);
    tool.stop().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop(signal));
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => {
      log.fatal({ err: error }, 'unexpected error; stopping the dashboard tool');
      stop(event);
    });
  }
  log.info({ port: tool.port, residentBytes: process.memoryUsage.rss() }, 'the dashboard tool listens');
  // Only a tool that the portal started has a channel. It closes with the portal, however the portal ends.
  process.once('disconnect', () => stop('the portal has gone'));
  process.send?.({ listening: tool.port });
}
