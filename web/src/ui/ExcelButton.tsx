import { Loader } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconFileSpreadsheet } from '@tabler/icons-react';
import { useTranslations } from 'use-intl';
import { useErrorText } from '../lib/error-text.ts';
import { useDownload, type DownloadRequest } from '../lib/use-download.ts';
import { ReasonedButton } from './ReasonedButton.tsx';
import classes from './ExcelButton.module.css';

interface ExcelButtonProps extends DownloadRequest {
  /** Why nothing can be saved; null if something can. */
  reason?: string | null;
  /** Whether the contents to save are known. */
  isReady: boolean;
}

/** Saves the contents of a page as a workbook; while the workbook is created, the same button cancels it. */
export function ExcelButton({ path, query, reason = null, isReady }: ExcelButtonProps) {
  const t = useTranslations('common.excel');
  const errorText = useErrorText();
  const { state, start, cancel } = useDownload({
    onDone: ({ fileName }) => notifications.show({ color: 'green', message: t('done', { file: fileName }) }),
    onFailed: (error) => notifications.show({ color: 'red', title: t('failed'), message: errorText(error) }),
  });
  const isRunning = state.phase === 'running';
  return (
    <>
      <ReasonedButton
        data-sends
        variant="default"
        reason={reason}
        disabled={!isReady}
        leftSection={
          isRunning ? <Loader size={16} aria-hidden /> : <IconFileSpreadsheet size={16} stroke={1.75} aria-hidden />
        }
        onClick={() => (isRunning ? cancel() : start({ path, query }))}
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
