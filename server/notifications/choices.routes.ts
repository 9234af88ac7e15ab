import {
  clientNotificationChoices,
  clientNotificationChoicesWrite,
  fleetNotificationChoices,
  fleetNotificationChoicesWrite,
} from '../../shared/notifications.ts';
import { guarded, type App, type Guard } from '../http/guard.ts';
import type { Database } from '../database/pool.ts';
import { findChoices, putChoices, type StoredChoices } from './choices.sql.ts';

const tags = ['Accounts'];
const path = '/api/me/notifications';
const read = { tags, operationId: 'getMyNotifications', summary: 'Get your choices for mails about alarms' };
const write = {
  tags,
  operationId: 'updateMyNotifications',
  summary: 'Choose which alarms you get by mail, and when',
  description:
    'Alarm rules name their recipients. These choices reduce what you get. You never get alarms that you may not see.',
};

const withoutSubjects = ({ subjectIds: _ids, accountId: _account, ...choices }: StoredChoices) => choices;

/** `/api/me/notifications`: decisions.md 10. */
export function choiceRoutes(
  app: App,
  { database, guard, runMode }: { database: Database; guard: Guard; runMode: 'Client' | 'Admin' },
): void {
  if (runMode === 'Client') {
    const [schema, body] = [clientNotificationChoices, clientNotificationChoicesWrite];
    const present = (stored: StoredChoices | null) =>
      stored === null ? body.parse({}) : { ...withoutSubjects(stored), siteIds: stored.subjectIds };
    app.get(path, guarded(guard.signedIn, { ...read, response: { 200: schema } }), async (request) =>
      present(await findChoices(database, guard.current(request).accountId)),
    );
    app.put(path, guarded(guard.signedIn, { ...write, body, response: { 200: schema } }), async (request) => {
      const { siteIds: subjectIds, ...choices } = request.body;
      const stored = { ...choices, subjectIds, accountId: guard.current(request).accountId };
      await putChoices(database, stored);
      return present(stored);
    });
    return;
  }
  const [schema, body] = [fleetNotificationChoices, fleetNotificationChoicesWrite];
  const present = (stored: StoredChoices | null) =>
    stored === null ? body.parse({}) : { ...withoutSubjects(stored), customerIds: stored.subjectIds };
  app.get(path, guarded(guard.signedIn, { ...read, response: { 200: schema } }), async (request) =>
    present(await findChoices(database, guard.current(request).accountId)),
  );
  app.put(path, guarded(guard.signedIn, { ...write, body, response: { 200: schema } }), async (request) => {
    const { customerIds: subjectIds, ...choices } = request.body;
    const stored = { ...choices, subjectIds, accountId: guard.current(request).accountId };
    await putChoices(database, stored);
    return present(stored);
  });
}
