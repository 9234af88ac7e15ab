import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { maxWebhooks, type Webhook, type WebhookWrite } from '../../shared/alarms.ts';
import { changesOf, type Changing, makeChange } from '../accounts/audit.ts';
import type { SecretBox } from '../accounts/sealed.ts';
import { refuse } from '../base/errors.ts';
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

/** The path or query of a URL may contain a secret. */
const nameOf = ({ name }: Webhook) => name;
const shownOf = ({ name, url, isActive }: WebhookWrite) => ({ name, host: new URL(url).host, isActive });
const webhooks = changesOf<Webhook>({ kind: 'webhook', what: 'webhook', lock: lockWebhook, nameOf, shownOf });

/** Changes a webhook; its secret stays. Throws `notFound`, and what `checkVersion` throws for the webhook before the change. */
export const changeWebhook = webhooks.changer(async (tx, id, values: WebhookWrite) => {
  const after = { ...values, id };
  await updateWebhook(tx, after);
  return after;
});

/** Deletes a webhook; rules that name it no longer notify it. Throws `notFound`, and what `checkVersion` throws. */
export const removeWebhook = webhooks.remover(deleteWebhook);
