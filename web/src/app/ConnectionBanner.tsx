import { Loader } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { useTranslations } from 'use-intl';
import { currentConnection, markConnected, subscribeToConnection } from '../lib/connection.ts';
import { useFormat } from '../lib/use-format.ts';
import { useFiguresAt } from '../lib/use-figures-at.ts';
import classes from './ConnectionBanner.module.css';
import { useDisplayZone } from '../lib/current-user.ts';

/** Shown while the portal does not answer. Polls `/health/ready` until the portal answers, and then refreshes the page. */
export function ConnectionBanner() {
  const t = useTranslations('shell');
  const format = useFormat();
  const zone = useDisplayZone();
  const client = useQueryClient();
  const isLost = useSyncExternalStore(subscribeToConnection, currentConnection) === 'lost';

  useEffect(() => {
    if (!isLost) return;
    const stop = new AbortController();
    void waitForPortal(stop.signal).then((isBack) => {
      if (!isBack) return;
      markConnected();
      void client.invalidateQueries();
    });
    return () => stop.abort();
  }, [isLost, client]);

  const sinceMs = useFiguresAt();
  return (
    <div role="status" className={`${classes.region} screen-only`}>
      {isLost && (
        <div className={classes.banner}>
          <Loader size={14} color="currentColor" aria-hidden />
          {sinceMs === null ? t('connectionLost') : t('offlineSince', { time: format.dateTime(sinceMs, zone) })}
        </div>
      )}
    </div>
  );
}

/** True once the portal answers; false if the signal ends the wait. Polls again after 1 s, later every 5 s. */
async function waitForPortal(signal: AbortSignal): Promise<boolean> {
  for (let attempt = 1; !signal.aborted; attempt += 1) {
    await pause(Math.min(attempt * 1000, 5000), signal);
    try {
      const limited = AbortSignal.any([signal, AbortSignal.timeout(10_000)]);
      const response = await fetch('/health/ready', { signal: limited, cache: 'no-store' });
      if (response.ok) return true;
    } catch {
      // The portal does not answer yet.
    }
  }
  return false;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
