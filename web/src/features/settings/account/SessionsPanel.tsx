import { Badge, Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import type { ListedSession } from '../../../../../shared/accounts.ts';
import { useErrorText } from '../../../lib/error-text.ts';
import { useFormat } from '../../../lib/use-format.ts';
import { useNow } from '../../../lib/use-now.ts';
import { Loaded } from '../../../ui/Loaded.tsx';
import { Panel } from '../../../ui/Panel.tsx';
import { ResponsiveTable, type Column } from '../../../ui/ResponsiveTable.tsx';
import { RowsSkeleton } from '../../../ui/Skeletons.tsx';
import { sessionsQuery, useEndSession } from './second-factor-query.ts';
import classes from '../section.module.css';
import { useDisplayZone } from '../../../lib/current-user.ts';

/** The sessions of the signed-in user, and buttons to end them. */
export function SessionsPanel() {
  const t = useTranslations('settings.sessions');
  const title = useTranslations('sections')('sessions');
  const errorText = useErrorText();
  const sessions = useQuery(sessionsQuery);
  const end = useEndSession();
  const others = sessions.data?.filter(({ isCurrent }) => !isCurrent).length ?? 0;
  const endOne = (id: string | null) =>
    end.mutate(id, {
      onSuccess: () => notifications.show({ color: 'green', message: t(id === null ? 'endedAll' : 'ended') }),
      onError: (error) => notifications.show({ color: 'red', message: errorText(error) }),
    });

  return (
    <Panel
      flush
      title={title}
      description={t('description')}
      actions={
        others > 0 && (
          <Button data-sends variant="default" loading={end.isPending} onClick={() => endOne(null)}>
            {t('endAll')}
          </Button>
        )
      }
    >
      <Loaded queries={[sessions]} skeleton={<RowsSkeleton rows={2} isInset />}>
        {(data) => <SessionTable sessions={data} isPending={end.isPending} onEnd={endOne} />}
      </Loaded>
    </Panel>
  );
}

interface SessionTableProps {
  sessions: readonly ListedSession[];
  isPending: boolean;
  onEnd: (id: string) => void;
}

function SessionTable({ sessions, isPending, onEnd }: SessionTableProps) {
  const t = useTranslations('settings.sessions');
  const title = useTranslations('sections')('sessions');
  const tCommon = useTranslations('common');
  const format = useFormat();
  const nowMs = useNow(10_000);
  const zone = useDisplayZone();
  const nameOf = ({ browser, system }: ListedSession) =>
    browser !== null && system !== null
      ? t('browserOn', { browser, system })
      : (browser ?? system ?? t('unknownBrowser'));
  const columns: Column<ListedSession>[] = [
    {
      id: 'browser',
      header: t('columns.browser'),
      kind: 'name',
      renderCell: (session) => (
        <span className={classes.name}>
          {nameOf(session)} {session.isCurrent && <Badge color="secondary">{t('current')}</Badge>}
        </span>
      ),
    },
    { id: 'source', header: t('columns.source'), renderCell: ({ sourceAddress }) => sourceAddress },
    {
      id: 'signedIn',
      header: t('columns.signedIn'),
      renderCell: ({ signedInAt }) => <time dateTime={signedInAt}>{format.dateTime(signedInAt, zone)}</time>,
    },
    {
      id: 'lastUsed',
      header: t('columns.lastUsed'),
      renderCell: ({ lastUsedAt }) => (
        <time dateTime={lastUsedAt} title={format.dateTime(lastUsedAt, zone)}>
          {format.age(lastUsedAt, nowMs)}
        </time>
      ),
    },
    {
      id: 'actions',
      header: tCommon('actions'),
      kind: 'actions',
      renderCell: (session) =>
        session.isCurrent ? null : (
          <Button
            data-sends
            variant="subtle"
            color="red"
            size="compact-sm"
            disabled={isPending}
            aria-label={format.labelled(t('end'), `${nameOf(session)}, ${session.sourceAddress}`)}
            onClick={() => onEnd(session.id)}
          >
            {t('end')}
          </Button>
        ),
    },
  ];
  return <ResponsiveTable label={title} columns={columns} rows={sessions} rowKey={({ id }) => id} />;
}
