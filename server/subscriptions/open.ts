import type { Branding } from '../../shared/app.ts';
import { shares } from '../base/budgets.ts';
import { warns } from '../base/log.ts';
import { pause, type Repeating, startRepeating } from '../database/turns.ts';
import type { Context } from '../http/context.ts';
import type { App, Guard } from '../http/guard.ts';
import type { MailParts } from '../notifications/mails.ts';
import type { Channel } from '../notifications/messages.ts';
import { keptReportRoutes } from './kept-reports.routes.ts';
import { makeDueReports, reportChannel } from './send.ts';
import { subscriptionRoutes } from './subscriptions.routes.ts';

const everyMs = 60_000;

/**
 * Registers the routes of reports by mail. While the portal listens, it also makes the reports that are due. Returns the sender
 * of reports.
 */
export function openSubscriptions(
  app: App,
  { config, database, log, now }: Context,
  { guard, mail, branding }: { guard: Guard; mail: MailParts; branding: () => Promise<Branding> },
): { report: Channel } {
  const { runMode, timeZone } = config;
  const parts = { runMode, timeZone, branding, now, guard, mail };
  subscriptionRoutes(app, { ...parts, database });
  keptReportRoutes(app, { ...parts, database });
  const ofWorker = { ...parts, database: database.within(shares.worker) };
  let making: Repeating | undefined;
  app.addHook('onListen', async () => {
    making = startRepeating({
      work: (signal) => makeDueReports(ofWorker, signal),
      onProblem: warns(log, 'reports could not be made; they are tried again'),
      rest: (signal) => pause(everyMs, signal),
    });
  });
  app.addHook('onClose', async () => making?.stop());
  return { report: reportChannel(ofWorker.mail, { runMode }) };
}
