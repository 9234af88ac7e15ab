import { randomUUIDv7 } from 'node:crypto';
import {
  maxOwnReportSubscriptions,
  maxReportSubscriptions,
  type ReportSubscription,
  type ReportSubscriptionWrite,
} from '../../shared/report-subscriptions.ts';
import { type Changing, makeChange } from '../accounts/audit.ts';
import { findActiveAccount } from '../accounts/users.ts';
import { refuseUnknown } from '../alarms/alarm-rules.ts';
import { found, message, type Precondition, refuse } from '../base/errors.ts';
import { formatInstant } from '../base/instants.ts';
import type { FleetScope } from '../base/scopes.ts';
import type { Queryable } from '../database/pool.ts';
import { findFleetScope } from '../fleet/customer-access.ts';
import {
  deleteSubscription,
  findSubscription,
  listSubscriptions,
  lockSubscription,
  lockSubscriptions,
  putSubscription,
} from './subscriptions.sql.ts';

/** Who asks: a RestrictedAdmin subscribes only themself, to customers that they see. */
export interface Asker {
  accountId: string;
  scope: FleetScope;
}

interface ChangingSubscriptions extends Changing {
  runMode: 'Client' | 'Admin';
  /** Epoch milliseconds. */
  now: () => number;
}

/** The account to whose own subscriptions the reader is restricted; null for readers who see all. */
const restrictedTo = ({ accountId, scope }: Asker): string | null => (scope.customers === 'all' ? null : accountId);

const isOwn = ({ recipients }: Pick<ReportSubscription, 'recipients'>, accountId: string): boolean =>
  recipients.every((one) => 'userId' in one && one.userId === accountId);

export const maySee = (one: Pick<ReportSubscription, 'recipients'>, asker: Asker): boolean =>
  restrictedTo(asker) === null || isOwn(one, asker.accountId);

export const readSubscriptions = async (db: Queryable, asker: Asker): Promise<ReportSubscription[]> =>
  (await listSubscriptions(db)).filter((one) => maySee(one, asker));

/** Throws `notFound`. */
export async function getSubscription(db: Queryable, asker: Asker, id: string): Promise<ReportSubscription> {
  const one = found(await findSubscription(db, id), 'reportSubscription');
  return found(maySee(one, asker) ? one : null, 'reportSubscription');
}

/** The author of a change, and what they see now. */
async function askerOf({ database, by, runMode }: ChangingSubscriptions): Promise<Asker> {
  if (by.actor.kind !== 'account') throw refuse('signInFirst');
  const { accountId } = by.actor;
  if (runMode === 'Client') return { accountId, scope: { customers: 'all' } };
  const account = await findActiveAccount({ database }, { id: accountId });
  const scope = account && (await findFleetScope(database, { accountId, roles: account.roles }));
  return { accountId, scope: scope ?? { customers: [] } };
}

/** A subscription without recipients gets its author as the recipient. */
const withRecipients = (values: ReportSubscriptionWrite, { accountId }: Asker): ReportSubscriptionWrite =>
  values.recipients.length > 0 ? values : { ...values, recipients: [{ userId: accountId }] };

/** Adds a subscription. Throws `invalid` if it names something unknown or not one's own, `conflict` if there are too many. */
export async function createSubscription(
  changing: ChangingSubscriptions,
  given: ReportSubscriptionWrite,
): Promise<ReportSubscription> {
  const asker = await askerOf(changing);
  const values = withRecipients(given, asker);
  return makeChange(changing, async (tx, recordChange) => {
    const count = await lockSubscriptions(tx);
    const isRestricted = restrictedTo(asker) !== null;
    const own = isRestricted ? (await readSubscriptions(tx, asker)).length : 0;
    const max = own >= maxOwnReportSubscriptions ? maxOwnReportSubscriptions : maxReportSubscriptions;
    if (Math.max(own, count) >= max) throw refuse('manyReportSubscriptions', { max });
    await refuseWrong(tx, changing, asker, values, null);
    const created = { ...values, id: randomUUIDv7(), createdAt: formatInstant(changing.now() * 1000) };
    await putSubscription(tx, created);
    await recordChange('report.subscribe', { id: created.id, name: created.name, after: shownOf(created) });
    return created;
  });
}

/** Changes a subscription; kept reports stay. Throws `notFound`, and what `createSubscription` and `checkVersion` throw. */
export async function changeSubscription(
  changing: ChangingSubscriptions,
  id: string,
  given: ReportSubscriptionWrite,
  checkVersion: Precondition<ReportSubscription>,
): Promise<ReportSubscription> {
  const asker = await askerOf(changing);
  const values = withRecipients(given, asker);
  return makeChange(changing, async (tx, recordChange) => {
    const before = await lockVisible(tx, asker, id);
    checkVersion(before);
    await refuseWrong(tx, changing, asker, values, before);
    const after = { ...before, ...values };
    await putSubscription(tx, after);
    const [shownBefore, shownAfter] = [shownOf(before), shownOf(after)];
    await recordChange('report.change-subscription', { id, name: after.name, before: shownBefore, after: shownAfter });
    return after;
  });
}

/** Deletes a subscription; kept reports stay. Throws `notFound`, and what `checkVersion` throws. */
export async function removeSubscription(
  changing: ChangingSubscriptions,
  id: string,
  checkVersion: Precondition<ReportSubscription>,
): Promise<void> {
  const asker = await askerOf(changing);
  await makeChange(changing, async (tx, recordChange) => {
    const before = await lockVisible(tx, asker, id);
    checkVersion(before);
    await deleteSubscription(tx, id);
    await recordChange('report.unsubscribe', { id, name: before.name, before: shownOf(before) });
  });
}

async function lockVisible(
  tx: Parameters<typeof lockSubscription>[0],
  asker: Asker,
  id: string,
): Promise<ReportSubscription> {
  const one = found(await lockSubscription(tx, id), 'reportSubscription');
  return found(maySee(one, asker) ? one : null, 'reportSubscription');
}

const shownOf = ({ id: _id, createdAt: _at, ...shown }: ReportSubscription) => shown;

/** Rejects ids that are unknown, or that the author may not see. */
async function refuseWrong(
  db: Queryable,
  { runMode }: Pick<ChangingSubscriptions, 'runMode'>,
  asker: Asker,
  { subjectIds, recipients }: Pick<ReportSubscriptionWrite, 'subjectIds' | 'recipients'>,
  before: ReportSubscription | null,
): Promise<void> {
  if (!maySee({ recipients }, asker)) throw refuse('onlyYourself', {}, { field: 'recipients' });
  const what = runMode === 'Client' ? 'site' : 'customer';
  const field = runMode === 'Client' ? 'siteIds' : 'customerIds';
  const { customers } = asker.scope;
  const hidden = customers === 'all' ? undefined : subjectIds.find((id) => !customers.includes(id));
  if (hidden !== undefined) throw refuse('unknownInRule', { what: message(what), id: hidden }, { field });
  const namesOf = (of: Pick<ReportSubscriptionWrite, 'subjectIds' | 'recipients'>) => {
    const userIds = of.recipients.flatMap((one) => ('userId' in one ? [one.userId] : []));
    return [[field, what, of.subjectIds] as const, ['recipients', 'user', userIds] as const];
  };
  await refuseUnknown(db, namesOf({ subjectIds, recipients }), before === null ? [] : namesOf(before));
}
