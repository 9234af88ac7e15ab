import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useEffect, useEffectEvent } from 'react';
import { useTranslations } from 'use-intl';
import { currentConnection, subscribeToConnection } from '../lib/connection.ts';
import { pageRelease } from './last-seen.ts';

/** The first page has priority. */
const registeredAfterMs = 10_000;
const lookedForEveryMs = 3_600_000;

/** Keeps the page for use without a network. If there is a newer release, it is offered; the user decides when to reload. */
export function useWorker(): void {
  const t = useTranslations();
  const tell = useEffectEvent((message: unknown) => {
    if (message instanceof Object && 'release' in message && message.release !== pageRelease()) {
      notifications.show({
        id: 'new-version',
        autoClose: false,
        title: t('shell.newVersion'),
        message: (
          <Button mt="xs" size="xs" onClick={() => window.location.reload()}>
            {t('errors.reload')}
          </Button>
        ),
      });
    }
  });
  useEffect(() => {
    // There is no worker if the page is loaded without TLS, or during development.
    if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
    const { serviceWorker } = navigator;
    const listen = ({ data }: MessageEvent<unknown>) => tell(data);
    const look = () => {
      if (currentConnection() === 'lost') return;
      // A failure does no harm: the page stays as it is and tries again.
      serviceWorker
        .register('/sw.js', { updateViaCache: 'none' })
        .then((one) => one.update())
        .catch(() => undefined);
    };
    serviceWorker.addEventListener('message', listen);
    const first = setTimeout(look, registeredAfterMs);
    const again = setInterval(look, lookedForEveryMs);
    // A portal that was unreachable may have been updated.
    const unsubscribe = subscribeToConnection(look);
    return () => {
      serviceWorker.removeEventListener('message', listen);
      clearTimeout(first);
      clearInterval(again);
      unsubscribe();
    };
  }, []);
}
