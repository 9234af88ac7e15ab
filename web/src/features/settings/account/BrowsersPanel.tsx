import { Alert, Badge, Button, Group, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import {
  type Browser,
  browser as browserSchema,
  browserList,
  browserTest,
} from '../../../../../shared/notifications.ts';
import { useErrorText } from '../../../lib/error-text.ts';
import { fetchJson, fetchNothing } from '../../../lib/http.ts';
import { useFormat } from '../../../lib/use-format.ts';
import { FormError } from '../../../ui/DialogForm.tsx';
import { Loaded } from '../../../ui/Loaded.tsx';
import { Panel } from '../../../ui/Panel.tsx';
import { RowsSkeleton } from '../../../ui/Skeletons.tsx';

const path = '/api/me/browsers';

/** `GET /api/me/browsers`, and the endpoint that this browser has; null without one. */
const browsersQuery = queryOptions({
  queryKey: ['my-browsers'],
  queryFn: async ({ signal }) => ({
    ...(await fetchJson(path, browserList, { signal })),
    ownEndpoint: (await ownSubscription())?.endpoint ?? null,
  }),
});

/** Why this browser shows no notifications; null if it can. */
function obstacle(): 'insecure' | 'unsupported' | 'denied' | null {
  if (!window.isSecureContext) return 'insecure';
  if (!('PushManager' in window && 'serviceWorker' in navigator && 'Notification' in window)) return 'unsupported';
  return Notification.permission === 'denied' ? 'denied' : null;
}

async function ownSubscription(): Promise<PushSubscription | null> {
  if (obstacle() !== null) return null;
  const registration = await navigator.serviceWorker.getRegistration();
  return (await registration?.pushManager.getSubscription()) ?? null;
}

/** The browser did not subscribe: the user did not allow it, or its push service cannot be reached. */
class NotSubscribed extends Error {}

/** Asks for permission and for a subscription; one for an earlier key of the portal is replaced. */
async function subscribe(applicationServerKey: string): Promise<PushSubscription> {
  if ((await Notification.requestPermission()) !== 'granted') throw new NotSubscribed();
  try {
    await navigator.serviceWorker.register('/sw.js', { updateViaCache: 'none' });
    const { pushManager } = await navigator.serviceWorker.ready;
    const options = { userVisibleOnly: true, applicationServerKey };
    return await pushManager.subscribe(options).catch(async () => {
      await (await pushManager.getSubscription())?.unsubscribe();
      return pushManager.subscribe(options);
    });
  } catch (cause) {
    throw new NotSubscribed('no subscription', { cause });
  }
}

/** The browsers that show alarms, and a button that adds this one. */
export function BrowsersPanel({ isOn }: { isOn: boolean }) {
  const t = useTranslations('settings.notifications.browsers');
  const browsers = useQuery(browsersQuery);
  return (
    <Panel title={t('title')} description={t('description')}>
      <Loaded queries={[browsers]} skeleton={<RowsSkeleton rows={2} />}>
        {({ publicKey, browsers: listed, ownEndpoint }) => (
          <Stack gap="md" maw={560}>
            {!isOn && listed.length > 0 && <Alert color="yellow">{t('off')}</Alert>}
            {listed.length === 0 && <Text c="dimmed">{t('none')}</Text>}
            {listed.map((one) => (
              <BrowserRow key={one.id} browser={one} isThis={one.endpoint === ownEndpoint} />
            ))}
            {listed.every(({ endpoint }) => endpoint !== ownEndpoint) && <ThisBrowser publicKey={publicKey} />}
          </Stack>
        )}
      </Loaded>
    </Panel>
  );
}

function ThisBrowser({ publicKey }: { publicKey: string }) {
  const t = useTranslations('settings.notifications.browsers');
  const errorText = useErrorText();
  const client = useQueryClient();
  const add = useMutation({
    mutationFn: async () =>
      fetchJson(path, browserSchema, { method: 'POST', json: (await subscribe(publicKey)).toJSON() }),
    onSuccess: async () => {
      notifications.show({ color: 'green', message: t('added') });
      await client.invalidateQueries(browsersQuery);
    },
  });
  const reason = obstacle();
  if (reason !== null) return <Text c="dimmed">{t(reason)}</Text>;
  return (
    <Stack gap="xs" align="start">
      <Button data-sends variant="default" loading={add.isPending} onClick={() => add.mutate()}>
        {t('notify')}
      </Button>
      <FormError>{add.error && (add.error instanceof NotSubscribed ? t('failed') : errorText(add.error))}</FormError>
    </Stack>
  );
}

function BrowserRow({ browser: { id, browser, system }, isThis }: { browser: Browser; isThis: boolean }) {
  const t = useTranslations('settings.notifications.browsers');
  const tSessions = useTranslations('settings.sessions');
  const format = useFormat();
  const errorText = useErrorText();
  const client = useQueryClient();
  const test = useMutation({ mutationFn: () => fetchJson(`${path}/${id}/test`, browserTest, { method: 'POST' }) });
  const remove = useMutation({
    mutationFn: async () => {
      await fetchNothing(`${path}/${id}`, { method: 'DELETE' });
      if (isThis) await (await ownSubscription())?.unsubscribe();
    },
    onSuccess: async () => {
      notifications.show({ color: 'green', message: t('removed') });
      await client.invalidateQueries(browsersQuery);
    },
  });
  const name =
    browser !== null && system !== null
      ? tSessions('browserOn', { browser, system })
      : (browser ?? system ?? t('unknown'));
  const error = test.error ?? remove.error;
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <Text>
          {name} {isThis && <Badge color="secondary">{t('isThis')}</Badge>}
        </Text>
        <Group gap="xs">
          <Button
            data-sends
            variant="default"
            size="compact-sm"
            loading={test.isPending}
            aria-label={format.labelled(t('test'), name)}
            onClick={() => test.mutate()}
          >
            {t('test')}
          </Button>
          <Button
            data-sends
            variant="subtle"
            color="red"
            size="compact-sm"
            loading={remove.isPending}
            aria-label={format.labelled(t('stop'), name)}
            onClick={() => remove.mutate()}
          >
            {t('stop')}
          </Button>
        </Group>
      </Group>
      <FormError>{error && errorText(error)}</FormError>
      {test.data?.isSent === false && <FormError>{t('notSent', { reason: test.data.error ?? '' })}</FormError>}
      {test.data?.isSent === true && (
        <Alert color="green" role="status">
          {t('sent')}
        </Alert>
      )}
    </Stack>
  );
}
