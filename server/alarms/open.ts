import type { SecretBox } from '../accounts/sealed.ts';
import { shares } from '../base/budgets.ts';
import { warns } from '../base/log.ts';
import { pause, type Repeating, startRepeating } from '../database/turns.ts';
import type { Context } from '../http/context.ts';
import type { Guard, App } from '../http/guard.ts';
import { alarmRuleRoutes } from './alarm-rules.routes.ts';
import { alarmRoutes } from './alarms.routes.ts';
import { createEnergyFigures } from './energy-figures.ts';
import { createEvaluation } from './evaluate.ts';
import { type Channel, sendMessages } from '../notifications/messages.ts';
import type { MailParts } from '../notifications/mails.ts';
import type { PushParts } from '../notifications/push-client.ts';
import { makeMessages, webhookChannel } from './notifications.ts';
import { peopleChannel } from './people.ts';
import { webhookRoutes } from './webhooks.routes.ts';

/** How often rules are evaluated. An alarm fires at most this long after its condition is met. */
const everyMs = 5_000;
/** After an evaluation, the portal rests at least this many times as long as the evaluation took. */
const restFactor = 4;
const sendEveryMs = 2_000;

/** Registers the routes of alarms. While the portal listens, it also evaluates the rules and sends notifications. */
export function openAlarms(
  app: App,
  { config, database, log, now }: Context,
  {
    guard,
    box,
    mail,
    push,
    channels,
  }: {
    guard: Guard;
    box: SecretBox;
    mail: MailParts;
    push: PushParts;
    channels: Readonly<Record<string, Channel>>;
  },
): void {
  const { runMode, timeZone, fleetIngest } = config;
  const allowPrivate = config.notifications.allowPrivateTargets;
  alarmRuleRoutes(app, { database, guard, runMode, now, timeZone });
  alarmRoutes(app, { database, guard, runMode, now });
  webhookRoutes(app, { database, guard, now, box, allowPrivate });

  const ofWorker = database.within(shares.worker);
  const running: Repeating[] = [];
  app.addHook('onListen', async () => {
    const figures = createEnergyFigures({ database: ofWorker, timeZone, now });
    const parts = { database: ofWorker, runMode, timeZone, pushes: fleetIngest.enabled, now, figures };
    if (runMode === 'Client') {
      running.push(
        startRepeating({
          work: () => figures.refresh(),
          onProblem: warns(log, 'figures of an alarm rule could not be computed; they are tried again later'),
          rest: (signal, tookMs) => pause(Math.max(everyMs, tookMs * restFactor), signal),
        }),
      );
    }
    const people = peopleChannel({ database: ofWorker, mail, push, runMode, timeZone });
    const webhook = webhookChannel({ database: ofWorker, box, allowPrivate, now });
    const all = { ...channels, user: people, email: people, browser: people, webhook };
    const sending = { database: ofWorker, channels: all, now, random: Math.random };
    running.push(
      startRepeating({
        work: createEvaluation(parts),
        onProblem: warns(log, 'the alarms could not be evaluated; they are tried again'),
        rest: (signal, tookMs) => pause(Math.max(everyMs, tookMs * restFactor), signal),
      }),
      startRepeating({
        work: async (signal) => {
          await makeMessages(ofWorker, { nowMs: now(), timeZone, sendsMail: mail.mailer !== null });
          return sendMessages(sending, signal);
        },
        onProblem: warns(log, 'notifications could not be sent; they are tried again'),
        rest: (signal, _, sent = 0) => pause(sent > 0 ? 0 : sendEveryMs, signal),
      }),
    );
  });
  app.addHook('onClose', async () => void (await Promise.all(running.map((one) => one.stop()))));
}
