import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { maxWebhooks, type Webhook, type WebhookWrite } from '../../shared/alarms.ts';
import { type Changing, makeChange } from '../accounts/audit.ts';
import type { SecretBox } from '../accounts/sealed.ts';
import { found, type Precondition, refuse } from '../base/errors.ts';
import { deleteWebhook, insertWebhook, lockWebhook, lockWebhooks, updateWebhook } from './webhooks.sql.ts';

const secretBytes = 32;
const newSecret = () => `whsec_${randomBytes(secretBytes).toString('base64')}`;

/** Adds a webhook; `secret` is shown once. Throws `conflict` if there are too many. */
export async function createWebhook(
  changing: Changing,
  box: SecretBox,
  values: WebhookWrite,
): Promise<{ webhook: Webhook; secret: string }> {
  const webhook = { ...values, id: randomUUIDv7() };
  const secret = newSecret();
  const sealedSecret = await box.seal(webhook.id, secret);
  return makeChange(changing, async (tx, recordChange) => {
    if ((await lockWebhooks(tx)) >= maxWebhooks) throw refuse('manyWebhooks', { max: maxWebhooks });
    await insertWebhook(tx, { ...webhook, sealedSecret });
    await recordChange('webhook.create', { id: webhook.id, name: webhook.name, after: shownOf(webhook) });
    return { webhook, secret };
  });
}

/** Changes a webhook; its secret stays. Throws `notFound`, and what `checkVersion` throws for the webhook before the change. */
export const changeWebhook = (
  changing: Changing,
  id: string,
  values: WebhookWrite,
  checkVersion: Precondition<Webhook>,
): Promise<Webhook> =>
  makeChange(changing, async (tx, recordChange) => {
    const before = found(await lockWebhook(tx, id), 'webhook');
    checkVersion(before);
    const after = { ...values, id };
    await updateWebhook(tx, after);
    await recordChange('webhook.change', { id, name: before.name, before: shownOf(before), after: shownOf(after) });
    return after;
  });

/** Deletes a webhook; rules that name it no longer notify it. Throws `notFound`, and what `checkVersion` throws. */
export const removeWebhook = (changing: Changing, id: string, checkVersion: Precondition<Webhook>): Promise<void> =>
  makeChange(changing, async (tx, recordChange) => {
    const before = found(await lockWebhook(tx, id), 'webhook');
    checkVersion(before);
    await deleteWebhook(tx, id);
    await recordChange('webhook.delete', { id, name: before.name, before: shownOf(before) });
  });

/** The path or query of a URL may contain a secret. */
const shownOf = ({ name, url, isActive }: WebhookWrite) => ({ name, host: new URL(url).host, isActive });
