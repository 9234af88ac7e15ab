import { Button } from '@mantine/core';
import { IconLock, IconMapQuestion } from '@tabler/icons-react';
import { useQueryErrorResetBoundary } from '@tanstack/react-query';
import { useRouter, useRouterState, type ErrorComponentProps } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';
import { useTranslations } from 'use-intl';
import { whenConnected } from '../lib/connection.ts';
import { ApiError, OfflineError } from '../lib/http.ts';
import { usePageTitle } from '../lib/page-title.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ErrorState } from '../ui/ErrorState.tsx';
import { LinkButton } from '../ui/LinkButton.tsx';
import { RouteRefusal } from './refusal.ts';

/** A URL that leads nowhere. */
export function NotFoundPage() {
  const t = useTranslations('errors');
  usePageTitle(t('notFoundTitle'));
  return (
    <EmptyState
      icon={<IconMapQuestion size={22} stroke={1.75} />}
      isPage
      title={t('notFoundTitle')}
      action={
        <LinkButton to="/" variant="default">
          {t('goHome')}
        </LinkButton>
      }
    >
      {t('notFoundText')}
    </EmptyState>
  );
}

/** A page for administrators only. Within the settings, the frame around it has the `h1`. */
function ForbiddenPage() {
  const t = useTranslations('errors');
  usePageTitle(t('forbiddenTitle'));
  const isFramed = useRouterState({
    select: ({ matches }) => matches.some(({ routeId }) => routeId === '/signed-in/settings-texts/settings'),
  });
  return (
    <EmptyState icon={<IconLock size={22} stroke={1.75} />} isPage={!isFramed} title={t('forbiddenTitle')}>
      {t('forbiddenText')}
    </EmptyState>
  );
}

/** Replaces a page that threw an error. The shell around it stays usable. */
export function PageCrash({ error, reset }: ErrorComponentProps) {
  const t = useTranslations('errors');
  const router = useRouter();
  const { reset: resetQueries } = useQueryErrorResetBoundary();
  const retry = () => {
    resetQueries();
    reset();
    void router.invalidate();
  };
  const retryNow = useEffectEvent(retry);
  const isOffline = error instanceof OfflineError;
  useEffect(() => (isOffline ? whenConnected(() => retryNow()) : undefined), [isOffline]);
  if (error instanceof RouteRefusal) return error.reason === 'missing' ? <NotFoundPage /> : <ForbiddenPage />;
  const isAnswer = error instanceof ApiError || isOffline;
  return isAnswer ? (
    <ErrorState error={error} onRetry={retry} />
  ) : (
    <ErrorState error={error} title={t('crashTitle')} onRetry={retry} />
  );
}

/** Shown if not even the shell can be shown. */
export function RootCrash(props: ErrorComponentProps) {
  const t = useTranslations('errors');
  return (
    <main>
      <PageCrash {...props} />
      <p style={{ textAlign: 'center' }}>
        <Button variant="subtle" onClick={() => window.location.reload()}>
          {t('reload')}
        </Button>
      </p>
    </main>
  );
}
