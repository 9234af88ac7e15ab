import { z } from 'zod';
import { forgottenPasswordOffer } from '../../shared/app.ts';
import { forgottenPassword, forgottenPasswordReset } from '../../shared/notifications.ts';
import { errorBody, idParams } from '../../shared/primitives.ts';
import { bucketsOf } from '../base/budgets.ts';
import { refuse } from '../base/errors.ts';
import { sourceOf } from '../base/source-address.ts';
import { strangerOf } from '../http/create-guard.ts';
import { guarded, type App, type Guard } from '../http/guard.ts';
import { type AccountMailParts, askForReset, inviteUser, resetByLink } from './account-mails.ts';

const tags = ['Accounts'];

/** Links by mail for a password: decisions.md 10. */
export function accountMailRoutes(app: App, parts: AccountMailParts, guard: Guard): void {
  app.get(
    '/api/auth/forgot-password',
    {
      schema: {
        tags,
        operationId: 'getForgotPassword',
        summary: 'Get whether the portal sends links for a new password',
        response: { 200: forgottenPasswordOffer },
      },
    },
    async () => ({ isOffered: parts.mailer !== null }),
  );

  const asked = bucketsOf('forgottenPasswords');
  app.post(
    '/api/auth/forgot-password',
    {
      schema: {
        tags,
        operationId: 'forgotPassword',
        summary: 'Send a link for a new password to an email, if an active account has it',
        description: '204 whether there is an account or not. 429 for a source that asks for more than 20 in an hour.',
        body: forgottenPassword,
        response: { 204: z.null(), 429: errorBody },
      },
    },
    async (request, reply) => {
      const retryAfterSeconds = asked.take(sourceOf(strangerOf(request).actor.sourceAddress), parts.now());
      if (retryAfterSeconds !== null) throw refuse('manyForgottenPasswords', {}, { retryAfterSeconds });
      await askForReset(parts, request.body.email);
      return reply.code(204).send(null);
    },
  );

  app.post(
    '/api/auth/reset-password',
    {
      schema: {
        tags,
        operationId: 'resetPassword',
        summary: 'Set a new password with the token of a mail; it works once, and ends the sessions',
        description: 'The token is valid for one hour, that of an invitation for seven days. A second factor stays.',
        body: forgottenPasswordReset,
        response: { 204: z.null(), 429: errorBody },
      },
    },
    async (request, reply) => {
      await resetByLink(parts, strangerOf(request), request.body);
      return reply.code(204).send(null);
    },
  );

  app.post(
    '/api/users/:id/invite',
    guarded(guard.admin, {
      tags: ['Users'],
      operationId: 'inviteUser',
      summary: 'Send a user a link with which they set their password',
      description: '409 without a mail server and for an inactive user; at most three in an hour.',
      params: idParams,
      response: { 204: z.null(), 409: errorBody, 429: errorBody },
    }),
    async (request, reply) => {
      await inviteUser(parts, guard.author(request), request.params.id);
      return reply.code(204).send(null);
    },
  );
}
