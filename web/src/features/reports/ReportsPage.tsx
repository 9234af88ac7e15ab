import { Button, Menu, Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconFileSpreadsheet, IconFileText, IconFileTypePdf, IconMailbox } from '@tabler/icons-react';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocale, useTranslations } from 'use-intl';
import { type KeptReport, reportedPeriodLabel, type ReportChanges } from '../../../../shared/report-subscriptions.ts';
import { appInfoQuery } from '../../lib/app-info.ts';
import { useCurrentUser, useDisplayZone } from '../../lib/current-user.ts';
import { downloadFile } from '../../lib/download.ts';
import { useErrorText } from '../../lib/error-text.ts';
import { unknownValue, type Format } from '../../../../shared/format.ts';
import { useFormat } from '../../lib/use-format.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { PhoneZone } from '../../ui/Freshness.tsx';
import { LinkButton } from '../../ui/LinkButton.tsx';
import { ListTable } from '../../ui/ListTable.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { Panel } from '../../ui/Panel.tsx';
import type { Column } from '../../ui/ResponsiveTable.tsx';
import { RowMenu } from '../../ui/RowMenu.tsx';
import { RowsSkeleton } from '../../ui/Skeletons.tsx';
import { instantOf } from '../../ui/sorted-rows.ts';
import { changesQuery, keptReportsQuery, reportsPath, subscriptionsQuery } from './queries.ts';
import { SubscriptionsPanel } from './SubscriptionsPanel.tsx';

/** Reports by mail: who gets them, and the reports that were sent. */
export function ReportsPage() {
  const t = useTranslations('reportMails');
  const tShell = useTranslations('shell');
  const { runMode } = useSuspenseQuery(appInfoQuery).data;
  const roles = useCurrentUser()?.roles ?? [];
  const isClient = runMode === 'Client';
  const maySubscribe = roles.includes('Admin') || (!isClient && roles.includes('RestrictedAdmin'));
  const subscriptions = useQuery({
    ...subscriptionsQuery,
    ...(maySubscribe ? {} : { enabled: false, initialData: [] }),
  });
  const kept = useQuery(keptReportsQuery);
  return (
    <>
      <PageHeader
        title={t('title')}
        freshness={<PhoneZone />}
        actions={
          isClient && (
            <LinkButton
              to="/report"
              variant="default"
              leftSection={<IconFileText size={16} stroke={1.75} aria-hidden />}
            >
              {tShell('report')}
            </LinkButton>
          )
        }
      />
      <Loaded queries={[subscriptions, kept]} skeleton={<RowsSkeleton rows={6} isInset />} inPanel>
        {(_, reports) => (
          <Stack gap="lg">
            {maySubscribe && <SubscriptionsPanel />}
            <Panel flush title={t('kept')} description={t('keptHint')}>
              {reports.length === 0 ? (
                <EmptyState icon={<IconMailbox size={22} stroke={1.75} />} title={t('noneKept')}>
                  {t('noneKeptHint')}
                </EmptyState>
              ) : (
                <KeptReports reports={reports} isCompared={isClient} />
              )}
            </Panel>
          </Stack>
        )}
      </Loaded>
    </>
  );
}

/**
 * A kept report is compared with the current data. The newest ones are compared at once. In a fleet this takes longer, so it
 * waits for a click.
 */
const comparedAtOnce = 8;

function KeptReports({ reports, isCompared }: { reports: readonly KeptReport[]; isCompared: boolean }) {
  const t = useTranslations('reportMails');
  const tAll = useTranslations();
  const format = useFormat();
  const zone = useDisplayZone();
  const first = new Set(reports.slice(0, comparedAtOnce).map(({ id }) => id));
  const labelOf = (one: KeptReport) => reportedPeriodLabel(one.period, one, format);
  const columns: Column<KeptReport>[] = [
    {
      id: 'report',
      header: tAll('shell.report'),
      kind: 'name',
      renderCell: (one) => (
        <>
          {one.name}
          <span className="detail">{labelOf(one)}</span>
        </>
      ),
    },
    {
      id: 'readAt',
      header: t('readAt'),
      sortBy: ({ readAt }) => instantOf(readAt),
      renderCell: ({ readAt }) => format.dateTime(readAt, zone),
    },
    {
      id: 'energy',
      header: tAll('terms.energy'),
      align: 'end',
      renderCell: ({ figures }) => format.energy(figures.energyImportedKwh),
    },
    {
      id: 'cost',
      header: t('cost'),
      align: 'end',
      renderCell: ({ figures }) =>
        figures.costs.map(({ currency, total }) => format.money(total, currency)).join(', ') || unknownValue,
    },
    {
      id: 'changes',
      header: t('since'),
      renderCell: ({ id }) => <Changes id={id} isAtOnce={isCompared && first.has(id)} />,
    },
    {
      id: 'actions',
      header: tAll('common.actions'),
      kind: 'actions',
      renderCell: (one) => <FileMenu id={one.id} name={`${one.name}, ${labelOf(one)}`} />,
    },
  ];
  return (
    <ListTable
      label={t('kept')}
      columns={columns}
      rows={reports}
      rowKey={({ id }) => id}
      textOf={(one) => `${one.name} ${labelOf(one)}`}
      stepRows={20}
    />
  );
}

/** The figures that later readings and tariffs have changed. */
function Changes({ id, isAtOnce }: { id: string; isAtOnce: boolean }) {
  const t = useTranslations('reportMails');
  const errorText = useErrorText();
  const format = useFormat();
  const [isAsked, setIsAsked] = useState(isAtOnce);
  const { data, error } = useQuery({ ...changesQuery(id), enabled: isAsked });
  if (!isAsked) {
    return (
      <Button variant="subtle" size="compact-sm" onClick={() => setIsAsked(true)}>
        {t('compare')}
      </Button>
    );
  }
  if (data === undefined) return <span className="detail">{error === null ? t('comparing') : errorText(error)}</span>;
  if (data.changes.length === 0) return t('unchanged');
  return data.changes.map((change) => (
    <div key={`${change.figure} ${change.currency}`}>
      {t(`figures.${change.figure}`, { change: shownChange(change, format) })}
    </div>
  ));
}

function shownChange({ figure, currency, kept, now }: ReportChanges['changes'][number], format: Format): string {
  const by = (now ?? 0) - (kept ?? 0);
  if (figure === 'cost') return format.moneyChange(by, currency ?? 'EUR');
  if (figure !== 'peakPowerKw') return format.energyChange(by);
  return `${by > 0 ? '+' : ''}${format.power(by)}`;
}

function FileMenu({ id, name }: { id: string; name: string }) {
  const t = useTranslations('reportMails');
  const tTerms = useTranslations('terms');
  const language = useLocale();
  const errorText = useErrorText();
  const save = (format: 'pdf' | 'xlsx') => {
    downloadFile(`${reportsPath}/${id}/report.${format}`, { query: { language } }).catch((error: unknown) =>
      notifications.show({ color: 'red', message: tTerms('failed', { reason: errorText(error) }) }),
    );
  };
  return (
    <RowMenu label={tTerms('actionsFor', { name })}>
      <Menu.Item leftSection={<IconFileTypePdf size={16} stroke={1.75} />} onClick={() => save('pdf')}>
        {t('pdf')}
      </Menu.Item>
      <Menu.Item leftSection={<IconFileSpreadsheet size={16} stroke={1.75} />} onClick={() => save('xlsx')}>
        {t('workbook')}
      </Menu.Item>
    </RowMenu>
  );
}
