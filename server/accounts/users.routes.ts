import { z } from 'zod';
import { passwordReset, user, userCreate, userUpdate } from '../../shared/accounts.ts';
import { errorBody, idParams } from '../../shared/primitives.ts';
import { userVersion } from '../../shared/versions.ts';
import { byNames } from '../base/names.ts';
import { type Guard, guarded, type App } from '../http/guard.ts';
import { removeRoute, ifMatch, ifMatchHeaders, withVersion, versioned } from '../http/resources.ts';
import { changeUser, createUser, removeUser, resetPassword, unlockUser, type UserParts } from './users.ts';
import { listUsers } from './accounts.sql.ts';
import type { Sessions } from './sessions.ts';

const tags = ['Users'];

interface UserRouteParts {
  users: UserParts;
  guard: Guard;
  sessions: Sessions;
}

/** `/api/users`: decisions.md 3. For administrators only. */
export async function userRoutes(app: App, { users, guard, sessions }: UserRouteParts): Promise<void> {
  const { database, now } = users.accounts;

  app.get(
    '/api/users',
    guarded(guard.admin, {
      tags,
      operationId: 'listUsers',
      summary: 'List the users by email',
      response: { 200: z.array(user) },
    }),
    async () => {
      const listed = await listUsers(database, new Date(now()));
      return listed.toSorted(byNames('email'));
    },
  );

  app.post(
    '/api/users',
    guarded(guard.admin, {
      tags,
      operationId: 'createUser',
      summary: 'Create a user',
      body: userCreate,
      response: { 201: versioned(user), 409: errorBody },
    }),
    async (request, reply) => {
      const created = await createUser(users, guard.author(request), request.body);
      return reply.code(201).send(withVersion(reply, created, userVersion));
    },
  );

  app.put(
    '/api/users/:id',
    guarded(guard.admin, {
      tags,
      operationId: 'updateUser',
      summary: 'Change a user; changed roles or deactivation end the sessions',
      description:
        '409 if the last active Admin would lose the role or be deactivated, or if administrators deactivate themselves. ' +
        'Administrators change their own email and roles only with `currentPassword`; a wrong one counts as a failed sign-in.',
      params: idParams,
      headers: ifMatchHeaders,
      body: userUpdate,
      response: { 200: versioned(user), 409: errorBody, 429: errorBody },
    }),
    async (request, reply) => {
      const signedIn = guard.current(request);
      const { id } = request.params;
      const { currentPassword, ...values } = request.body;
      const changed = await changeUser(users, {
        by: guard.author(request),
        id,
        values,
        currentPassword,
        checkVersion: ifMatch(request, userVersion),
      });
      if (changed.newStamp !== null && id === signedIn.accountId) {
        await sessions.goOn(reply, signedIn, changed.newStamp);
      }
      return withVersion(reply, changed.user, userVersion);
    },
  );

  removeRoute(
    app,
    { database, guard },
    {
      path: '/api/users',
      tags,
      operationId: 'deleteUser',
      summary: 'Delete a user and end their sessions',
      description: '409 for the last active Admin and for yourself.',
      refusals: { 409: errorBody },
      versionOf: userVersion,
      run: async ({ by }, id, checkVersion) => removeUser(users, { by, id, checkVersion }),
    },
  );

  app.post(
    '/api/users/:id/reset-password',
    guarded(guard.admin, {
      tags,
      operationId: 'resetPasswordOfUser',
      summary: 'Set a new password for another user, end their sessions and unlock the account',
      description: '409 for yourself: change your own password at /api/auth/me/change-password.',
      params: idParams,
      body: passwordReset,
      response: { 204: z.null(), 409: errorBody },
    }),
    async (request, reply) => {
      const { id } = request.params;
      const { newPassword } = request.body;
      await resetPassword(users, { by: guard.author(request), id, newPassword });
      return reply.code(204).send(null);
    },
  );

  app.post(
    '/api/users/:id/unlock',
    guarded(guard.admin, {
      tags,
      operationId: 'unlockUser',
      summary: 'Unlock an account after failed sign-ins',
      params: idParams,
      response: { 204: z.null() },
    }),
    async (request, reply) => {
      await unlockUser(users, guard.author(request), request.params.id);
      return reply.code(204).send(null);
    },
  );
}
