import { Loader } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconFileSpreadsheet } from '@tabler/icons-react';
import { useTranslations } from 'use-intl';
import { useErrorText } from '../../lib/error-text.ts';
import { useDownload } from '../../lib/use-download.ts';
import { ReasonedButton } from '../../ui/ReasonedButton.tsx';
import type { ResolvedTimeRange } from '../../ui/time-range/use-time-range.ts';
import classes from './ExcelButton.module.css';

interface ExcelButtonProps {
  range: Pick<ResolvedTimeRange, 'wire'>;
  /** Undefined until it is known. */
  deviceCount: number | undefined;
}

/** Saves what the Dashboard shows as a workbook; while that is being made, the same button cancels it. */
export function ExcelButton({ range, deviceCount }: ExcelButtonProps) {
  const t = useTranslations('dashboard.export');
  const errorText = useErrorText();
  const { state, start, cancel } = useDownload({
    onDone: ({ fileName }) => notifications.show({ color: 'green', message: t('done', { file: fileName }) }),
    onFailed: (error) => notifications.show({ color: 'red', title: t('failed'), message: errorText(error) }),
  });
  const isRunning = state.phase === 'running';
  const query = { ...range.wire };
  return (
    <>
      <ReasonedButton
        variant="default"
        reason={deviceCount === 0 ? t('noDevices') : null}
        disabled={deviceCount === undefined}
        leftSection={
          isRunning ? <Loader size={16} aria-hidden /> : <IconFileSpreadsheet size={16} stroke={1.75} aria-hidden />
        }
        onClick={({ detail }) => {
          // The second click of a double click does not ask for anything new.
          if (detail > 1) return;
          if (isRunning) cancel();
          else start({ path: '/api/dashboard/summary/export.xlsx', query });
        }}
      >
        <span className={classes.captions}>
          <span data-shown={!isRunning}>{t('start')}</span>
          <span data-shown={isRunning}>{t('cancel')}</span>
        </span>
      </ReasonedButton>
      <span className="visually-hidden" role="status">
        {isRunning ? t('running') : state.phase === 'cancelled' ? t('cancelled') : ''}
      </span>
    </>
  );
}
