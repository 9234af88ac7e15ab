import { randomUUIDv7 } from 'node:crypto';
import { z } from 'zod';
import {
  type Browser,
  browser,
  browserList,
  browserTest,
  browserWrite,
  maxBrowsers,
} from '../../shared/notifications.ts';
import { errorBody, idParams } from '../../shared/primitives.ts';
import { makeChange } from '../accounts/audit.ts';
import { describeUserAgent } from '../accounts/sessions.rules.ts';
import { type AccountParts, countOwnChange } from '../accounts/sign-in-attempts.ts';
import { lockUser } from '../accounts/users.ts';
import { bucketsOf } from '../base/budgets.ts';
import { found, refuse } from '../base/errors.ts';
import type { Database } from '../database/pool.ts';
import { clientGone } from '../http/client-gone.ts';
import { guarded, type App, type Guard } from '../http/guard.ts';
import {
  countOtherBrowsers,
  deleteBrowser,
  findBrowser,
  listBrowsers,
  type ListedBrowser,
  putBrowser,
} from './browsers.sql.ts';
import { languageOf, type MailParts } from './mails.ts';
import { mailWordsIn } from './mail-texts.ts';
import { isBrowserKey, pushKeys, type PushParts, pushTo } from './push-client.ts';

const tags = ['Accounts'];
const path = '/api/me/browsers';
const maxUserAgentLength = 300;

interface BrowserRouteParts {
  database: Database;
  guard: Guard;
  accounts: AccountParts;
  mail: MailParts;
  push: PushParts;
}

const present = ({ userAgent, ...one }: ListedBrowser): Browser => ({ ...one, ...describeUserAgent(userAgent) });

/** `/api/me/browsers`: the browsers in which the signed-in person sees notifications. */
export function browserRoutes(app: App, { database, guard, accounts, mail, push }: BrowserRouteParts): void {
  const { now } = accounts;
  app.get(
    path,
    guarded(guard.signedIn, {
      tags,
      operationId: 'listMyBrowsers',
      summary: 'List the browsers that show you alarms',
      response: { 200: browserList },
    }),
    async (request) => ({
      publicKey: (await pushKeys(push.keys)).publicKey,
      browsers: (await listBrowsers(database, guard.current(request).accountId)).map(present),
    }),
  );

  app.post(
    path,
    guarded(guard.signedIn, {
      tags,
      operationId: 'addMyBrowser',
      summary: 'Let a browser show you alarms',
      description:
        `The subscription of its PushManager. The same endpoint again replaces it; 409 beyond ${maxBrowsers} browsers. ` +
        'It ends with the session that asked for it, unless that only expires.',
      body: browserWrite,
      response: { 201: browser, 409: errorBody, 429: errorBody },
    }),
    async (request, reply) => {
      const { accountId, sessionId } = guard.current(request);
      const { endpoint, keys } = request.body;
      const by = guard.author(request);
      countOwnChange(accounts, by.actor);
      const [publicKey, authSecret] = [keys.p256dh, keys.auth].map((key) => key.replace(/=+$/, ''));
      if (publicKey === undefined || authSecret === undefined || !isBrowserKey(publicKey)) {
        throw refuse('badBrowserKey', {}, { field: 'keys.p256dh' });
      }
      const userAgent = (request.headers['user-agent'] ?? '').replaceAll('\u0000', '').slice(0, maxUserAgentLength);
      const added = await makeChange({ database, by }, async (tx, recordChange) => {
        // So that requests at the same time count each other.
        const { email: name } = await lockUser(tx, accountId);
        if ((await countOtherBrowsers(tx, accountId, endpoint)) >= maxBrowsers) {
          throw refuse('manyBrowsers', { max: maxBrowsers });
        }
        const id = randomUUIDv7();
        const values = { id, accountId, sessionId, endpoint, publicKey, authSecret, userAgent };
        const stored = found(await putBrowser(tx, { ...values, createdAt: new Date(now()) }), 'browser');
        await recordChange('browser.add', { id: stored.id, name, after: { host: new URL(endpoint).host } });
        return present(stored);
      });
      return reply.code(201).send(added);
    },
  );

  app.delete(
    `${path}/:id`,
    guarded(guard.signedIn, {
      tags,
      operationId: 'removeMyBrowser',
      summary: 'Show no more alarms in a browser',
      params: idParams,
      response: { 204: z.null(), 429: errorBody },
    }),
    async (request, reply) => {
      const { accountId, email: name } = guard.current(request);
      const by = guard.author(request);
      const { id } = request.params;
      countOwnChange(accounts, by.actor);
      await makeChange({ database, by }, async (tx, recordChange) => {
        found((await deleteBrowser(tx, { id, accountId })) ? id : null, 'browser');
        await recordChange('browser.remove', { id, name });
      });
      return reply.code(204).send(null);
    },
  );

  const sent = bucketsOf('mailTests');
  app.post(
    `${path}/:id/test`,
    guarded(guard.signedIn, {
      tags,
      operationId: 'testMyBrowser',
      summary: 'Show a test notification in a browser and wait for the answer of its push service',
      description: 'At most ten in ten minutes.',
      params: idParams,
      response: { 200: browserTest, 429: errorBody },
    }),
    async (request, reply) => {
      const { accountId } = guard.current(request);
      const one = await findBrowser(database, request.params.id);
      const own = found(one?.accountId === accountId ? one : null, 'browser');
      const retryAfterSeconds = sent.take(accountId, now());
      if (retryAfterSeconds !== null) throw refuse('manyMailTests', {}, { retryAfterSeconds });
      const language = await languageOf(mail, accountId);
      const { say } = mailWordsIn(language);
      const { applicationName: application } = await mail.branding();
      const answer = await pushTo(
        push,
        own,
        {
          id: randomUUIDv7(),
          title: say('testNotice', { application }),
          body: say('testNoticeText'),
          path: '/settings/notifications',
          language,
          isUrgent: false,
        },
        clientGone(reply),
      );
      if (answer.as === 'sent') return { isSent: true, error: null };
      // No more than this: any user may name an endpoint, and must not learn what answers there.
      const isGone = answer.as === 'dropped';
      return {
        isSent: false,
        error: isGone ? 'The browser no longer takes notifications.' : 'Its push service did not accept it.',
      };
    },
  );
}
