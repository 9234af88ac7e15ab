import { Progress } from '@mantine/core';
import { IconAlertCircle, IconCircleCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import type { ExportFormat } from '../../../../shared/reports.ts';
import type { Arrival, DownloadedFile } from '../../lib/download.ts';
import { useErrorText } from '../../lib/error-text.ts';
import type { DownloadState } from '../../lib/use-download.ts';
import { useFormat } from '../../lib/use-format.ts';
import classes from './ExportDialog.module.css';
import { expectedBytes, milestoneOf, shareOf } from './export-progress.ts';

interface ExportStateProps {
  state: DownloadState;
  format: ExportFormat;
  /** Its rows are quarter-hours, not readings. */
  isProfile: boolean;
  /** Rows that the file should have, until the portal says how many it has. */
  expectedRows: number;
}

/** How far an export is and what came of it, in a place that keeps its height. */
export function ExportState({ state, format, isProfile, expectedRows }: ExportStateProps) {
  const t = useTranslations('measurements.export');
  const tCommon = useTranslations('common');
  const errorText = useErrorText();
  const formats = useFormat();
  return (
    <div className={classes.state}>
      {state.phase === 'running' && <Running arrival={state.arrival} format={format} expectedRows={expectedRows} />}
      {state.phase === 'idle' && <p className={classes.text}>{t('stay')}</p>}
      {state.phase === 'failed' && (
        <Outcome
          role="alert"
          icon={<IconAlertCircle size={18} stroke={1.75} className={classes.trouble} aria-hidden />}
        >
          <p className={classes.file}>{t('failed')}</p>
          <p className={classes.text}>{errorText(state.error)}</p>
        </Outcome>
      )}
      <div role="status">
        {state.phase === 'cancelled' && <p className={classes.text}>{tCommon('excel.cancelled')}</p>}
        {state.phase === 'done' && (
          <Outcome icon={<IconCircleCheck size={18} stroke={1.75} className={classes.well} aria-hidden />}>
            <p className={classes.file}>{tCommon('excel.done', { file: state.file.fileName })}</p>
            <p className={classes.text}>{contents(state.file)}</p>
          </Outcome>
        )}
        {state.phase === 'running' && <span className="visually-hidden">{announcement(state.arrival)}</span>}
      </div>
    </div>
  );

  function contents({ rowCount, totalCount, receivedBytes }: DownloadedFile): string {
    const count = rowCount ?? expectedRows;
    const size = formats.bytes(receivedBytes);
    if (isProfile) return t('doneProfile', { count, size });
    return totalCount !== null && totalCount > count
      ? t('doneNewest', { count, total: totalCount, size })
      : t('doneRows', { count, size });
  }

  function announcement(arrival: Arrival | null): string {
    const milestone = arrival === null ? 0 : milestoneOf(shareOfArrival(arrival, format, expectedRows));
    return milestone === 0 ? t('starting') : t('milestone', { percent: formats.percent(milestone / 100) });
  }
}

const shareOfArrival = ({ receivedBytes, rowCount }: Arrival, format: ExportFormat, expectedRows: number): number =>
  shareOf(receivedBytes, expectedBytes(format, rowCount ?? expectedRows, sessionStorage));

interface RunningProps {
  arrival: Arrival | null;
  format: ExportFormat;
  expectedRows: number;
}

function Running({ arrival, format, expectedRows }: RunningProps) {
  const t = useTranslations('measurements.export');
  const formats = useFormat();
  const share = arrival === null ? 0 : shareOfArrival(arrival, format, expectedRows);
  const percent = Math.floor(share * 100);
  return (
    <>
      <Progress value={percent} aria-label={t('progressLabel')} />
      <p className={`${classes.text} figures`}>
        {arrival === null
          ? t('starting')
          : t('progress', { percent: formats.percent(percent / 100), size: formats.bytes(arrival.receivedBytes) })}
      </p>
    </>
  );
}

function Outcome({ icon, role, children }: { icon: ReactNode; role?: 'alert'; children: ReactNode }) {
  return (
    <div className={classes.outcome} {...(role === undefined ? {} : { role })}>
      {icon}
      <div>{children}</div>
    </div>
  );
}
