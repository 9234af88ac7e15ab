import { randomUUIDv7 } from 'node:crypto';
import { z } from 'zod';
import type { FastifyRequest } from 'fastify';
import { mailTest } from '../../shared/notifications.ts';
import { errorBody, idParams } from '../../shared/primitives.ts';
import {
  maxOwnReportSubscriptions,
  maxReportSubscriptions,
  type ReportSubscription,
  reportSubscription,
  reportSubscriptionWrite,
} from '../../shared/report-subscriptions.ts';
import { reportSubscriptionVersion } from '../../shared/versions.ts';
import { bucketsOf, limiterOf } from '../base/budgets.ts';
import { found, type Precondition, refuse } from '../base/errors.ts';
import { byNames } from '../base/names.ts';
import { allCustomers } from '../base/scopes.ts';
import { clientGone } from '../http/client-gone.ts';
import { guarded, type App, type Guard } from '../http/guard.ts';
import { removeRoute, writeRoutes } from '../http/resources.ts';
import { languageOf, type MailParts } from '../notifications/mails.ts';
import { visibleTo } from './contents.ts';
import { lastFinished } from './periods.rules.ts';
import type { ReportParts } from './read-report.ts';
import { mailReport, makeReport } from './send.ts';
import {
  type Asker,
  changeSubscription,
  createSubscription,
  getSubscription,
  readSubscriptions,
  removeSubscription,
} from './subscriptions.ts';

export interface ReportRouteParts extends ReportParts {
  guard: Guard;
  mail: MailParts;
}

const tags = ['Reports'];
const resource = { path: '/api/admin/report-subscriptions', tags };

/** The account of a request: an administrator in a Client; also a RestrictedAdmin in an Admin. */
export const askerIn =
  ({ guard, runMode }: Pick<ReportRouteParts, 'guard' | 'runMode'>) =>
  (request: FastifyRequest): Asker => ({
    accountId: guard.current(request).accountId,
    scope: runMode === 'Client' ? allCustomers : guard.fleetScope(request),
  });

/** `/api/admin/report-subscriptions`: who gets which report by mail. */
export function subscriptionRoutes(app: App, parts: ReportRouteParts): void {
  const { database, guard, runMode, now, mail } = parts;
  // In an Admin, a RestrictedAdmin may subscribe to reports for themself.
  const admitted = runMode === 'Client' ? guard : { ...guard, admin: guard.fleetReader };
  const askerOf = askerIn(parts);
  app.get(
    resource.path,
    guarded(admitted.admin, {
      tags,
      operationId: 'listReportSubscriptions',
      summary: 'List the reports by mail by name',
      description: 'A RestrictedAdmin sees those that name only them.',
      response: { 200: z.array(reportSubscription) },
    }),
    async (request) => (await readSubscriptions(database, askerOf(request))).toSorted(byNames('name')),
  );

  writeRoutes(
    app,
    { database, guard: admitted },
    {
      ...resource,
      answer: reportSubscription,
      present: (one: ReportSubscription) => one,
      versionOf: reportSubscriptionVersion,
      create: {
        operationId: 'createReportSubscription',
        summary: 'Add a report by mail',
        description: `409 beyond ${maxReportSubscriptions}, of a RestrictedAdmin ${maxOwnReportSubscriptions}. It is sent some six hours after a week, month or year has ended at every site; periods that ended before are not sent. After a downtime, only the last period is.`,
        body: reportSubscriptionWrite,
        run: (changing, values) => createSubscription({ ...changing, runMode, now }, values),
      },
      change: {
        operationId: 'updateReportSubscription',
        summary: 'Change a report by mail; kept reports stay',
        body: reportSubscriptionWrite,
        run: (changing, id, values, check) => changeSubscription({ ...changing, runMode, now }, id, values, check),
      },
    },
  );

  removeRoute(
    app,
    { database, guard: admitted },
    {
      ...resource,
      operationId: 'deleteReportSubscription',
      summary: 'Delete a report by mail; kept reports stay',
      versionOf: reportSubscriptionVersion,
      run: (changing, id, check: Precondition<ReportSubscription>) =>
        removeSubscription({ ...changing, runMode, now }, id, check),
    },
  );

  const sent = bucketsOf('mailTests');
  const checks = limiterOf('reportChecks');
  app.post(
    `${resource.path}/:id/test`,
    guarded(admitted.admin, {
      tags,
      operationId: 'testReportSubscription',
      summary: 'Send yourself the report of the last period and wait for the answer of the mail server',
      description: 'It is not kept. 409 without a mail server; at most ten in ten minutes.',
      params: idParams,
      response: { 200: mailTest, 409: errorBody, 429: errorBody },
    }),
    async (request, reply) => {
      const asker = askerOf(request);
      const subscription = await getSubscription(database, asker, request.params.id);
      if (mail.mailer === null) throw refuse('mailNotSet');
      const { accountId, email: to } = guard.current(request);
      const retryAfterSeconds = sent.take(accountId, now());
      if (retryAfterSeconds !== null) throw refuse('manyMailTests', {}, { retryAfterSeconds });
      const signal = clientGone(reply);
      const asking = { ...parts, database: database.until(signal) };
      const dates = lastFinished(subscription.period, now(), parts.timeZone);
      const report = await checks.run(() => makeReport(asking, subscription, dates), { key: accountId, signal });
      const contents = report && visibleTo(report.contents, asker.scope);
      const message = { id: randomUUIDv7(), createdMs: now() };
      const language = await languageOf(mail, accountId);
      const shown = found(report && contents && { ...report, contents }, 'report');
      const answer = await mailReport(mail, message, { report: shown, to, language }, signal);
      return { isSent: answer.as === 'sent', to, error: 'error' in answer ? answer.error : null };
    },
  );
}
