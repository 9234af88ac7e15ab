import type { Branding } from '../../shared/app.ts';
import type { AccountParts } from '../accounts/sign-in-attempts.ts';
import type { SessionKeys } from '../accounts/session-keys.ts';
import { shares } from '../base/budgets.ts';
import type { Context } from '../http/context.ts';
import type { App, Guard } from '../http/guard.ts';
import { accountChannels } from './account-mails.ts';
import { accountMailRoutes } from './account-mails.routes.ts';
import { browserRoutes } from './browsers.routes.ts';
import { choiceRoutes } from './choices.routes.ts';
import { createMailer } from './mail-client.ts';
import { mailRoutes } from './mail.routes.ts';
import type { PushParts } from './push-client.ts';

/** Mail and notifications in browsers: what people choose, and the links of accounts. */
export function openNotifications(
  app: App,
  { config, database, log, now }: Context,
  {
    guard,
    keys,
    accounts,
    branding,
    post,
  }: {
    guard: Guard;
    keys: SessionKeys;
    accounts: AccountParts;
    branding: () => Promise<Branding>;
    post: PushParts['post'];
  },
) {
  const { publicUrl, runMode } = config;
  const { language } = config.notifications;
  const mail = { database, mailer: createMailer(config.mail), branding, publicUrl, language };
  if (mail.mailer === null) log.info('The portal sends no mail. Set Mail__Host and Mail__From so that it does.');
  accountMailRoutes(app, { ...mail, accounts, keys, now }, guard);
  mailRoutes(app, { mail, guard, from: config.mail.from, now });
  choiceRoutes(app, { database, guard, runMode });
  const push = { database, keys, publicUrl, post };
  browserRoutes(app, { database, guard, accounts, mail, push });
  const ofWorker = { ...mail, database: database.within(shares.worker) };
  return {
    mail: ofWorker,
    push: { ...push, database: ofWorker.database },
    channels: accountChannels({ ...ofWorker, accounts, keys, now }),
  };
}
