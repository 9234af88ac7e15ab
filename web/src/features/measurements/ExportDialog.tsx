import { Button, Group, Radio, SegmentedControl, Stack, Progress } from '@mantine/core';
import { useEffect, useRef, useState, type SubmitEvent, type ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import {
  exportFormat,
  profileGroup,
  rowCap,
  type ExportFormat,
  type ProfileGroup,
} from '../../../../shared/reports.ts';
import type { ChosenDevices } from '../../lib/chosen-devices.ts';
import { calendarDates, type TimeRange } from '../../lib/time-range.ts';
import { useDownload, type DownloadState } from '../../lib/use-download.ts';
import { useFormat } from '../../lib/use-format.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { rangeLabel } from '../../ui/time-range/range-label.ts';
import classes from './Measurements.module.css';
import { rememberSize, expectedBytes, milestoneOf, shareOf } from './export-progress.ts';
import type { RawFilter } from './queries.ts';
import { IconAlertCircle, IconCircleCheck } from '@tabler/icons-react';
import type { Arrival, DownloadedFile } from '../../lib/download.ts';
import { useErrorText } from '../../lib/error-text.ts';

interface ExportStateProps {
  state: DownloadState;
  format: ExportFormat;
  /** Whether the rows are quarter-hours and not readings. */
  isProfile: boolean;
  /** The expected number of rows, until the portal reports the real number. */
  expectedRows: number;
}

/** The progress and the result of an export; the space has a fixed height. */
function ExportState({ state, format, isProfile, expectedRows }: ExportStateProps) {
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

/** The exported rows: the readings of the table when the dialog was opened. */
export interface ExportSubject {
  filter: RawFilter;
  range: TimeRange;
  chosen: ChosenDevices;
  /** Whether the range goes on after the end of the filter. */
  isLive: boolean;
  totalCount: number;
}

interface ExportDialogProps {
  opened: boolean;
  onClose: () => void;
  subject: ExportSubject;
  timeZone: string;
}

/** Shows the contents of an export before it starts, and its progress. While it runs, only its own button closes it. */
export function ExportDialog({ opened, onClose, subject, timeZone }: ExportDialogProps) {
  const t = useTranslations('measurements.export');
  const [isRunning, setIsRunning] = useState(false);
  return (
    <Dialog opened={opened} onClose={onClose} title={t('title')} isFirm={isRunning}>
      <ExportForm subject={subject} timeZone={timeZone} onClose={onClose} onRunning={setIsRunning} />
    </Dialog>
  );
}

const contents = ['readings', 'profile'] as const;
type Content = (typeof contents)[number];

interface ExportFormProps {
  subject: ExportSubject;
  timeZone: string;
  onClose: () => void;
  onRunning: (isRunning: boolean) => void;
}

function ExportForm({ subject, timeZone, onClose, onRunning }: ExportFormProps) {
  const t = useTranslations('measurements.export');
  const tCommon = useTranslations('common');
  const { timeZoneName } = useFormat();
  const scope = useScope(subject, timeZone);
  const [format, setFormat] = useState<ExportFormat>('xlsx');
  const [content, setContent] = useState<Content>('readings');
  const [groupBy, setGroupBy] = useState<ProfileGroup>('device');
  const leave = useRef<HTMLButtonElement>(null);
  const begin = useRef<HTMLButtonElement>(null);
  const { totalCount } = subject;
  const isProfile = content === 'profile';
  const isCapped = !isProfile && totalCount > rowCap.max;
  const { state, start, cancel, reset } = useDownload({
    onDone: ({ rowCount, receivedBytes }) => {
      if (isProfile) return;
      rememberSize(format, rowCount ?? Math.min(totalCount, rowCap.max), receivedBytes, sessionStorage);
    },
  });
  const { phase } = state;
  const isRunning = phase === 'running';

  useEffect(() => {
    onRunning(isRunning);
    return () => onRunning(false);
  }, [isRunning, onRunning]);
  // The pressed button may no longer be useful, so the focus moves to the next one.
  useEffect(() => {
    if (phase === 'running' || phase === 'done') leave.current?.focus();
    if (phase === 'failed' || phase === 'cancelled') begin.current?.focus();
  }, [phase]);

  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (isRunning) return;
    const { api, deviceIds } = subject.filter;
    const range = calendarDates(subject.range, timeZone) ?? subject.filter.range;
    const asked = { ...range, deviceIds: deviceIds.join(',') };
    if (isProfile) {
      start({ path: `${api}/measurements/profile/export.${format}`, query: { ...asked, groupBy } });
    } else {
      // The maximum and not the count of the table: a late reading must not push the oldest reading out of "all".
      start({ path: `${api}/measurements/raw/export.${format}`, query: { ...asked, rowCap: rowCap.max } });
    }
  };
  const change = <Value,>(set: (value: Value) => void) => {
    return (value: Value) => {
      set(value);
      reset();
    };
  };

  return (
    <form onSubmit={submit} data-keeps-nothing>
      <Stack gap="md">
        <SegmentedControl
          fullWidth
          aria-label={t('content')}
          value={content}
          data={contents.map((value) => ({ value, label: t(`contents.${value}`) }))}
          disabled={isRunning}
          onChange={change(setContent)}
        />
        <div>
          <p className={classes.count}>
            {isProfile
              ? t('profile')
              : isCapped
                ? t('newest', { max: rowCap.max, count: totalCount })
                : t('all', { count: totalCount })}
          </p>
          <p className={classes.scope}>{scope}</p>
          {isCapped && <p className={classes.capped}>{t('capped', { max: rowCap.max })}</p>}
        </div>
        {isProfile && (
          <Radio.Group
            label={t('rowsOf')}
            value={groupBy}
            onChange={change((value) => setGroupBy(profileGroup.parse(value)))}
          >
            <Stack gap="xs" mt={2}>
              {profileGroup.options.map((option) => (
                <Radio
                  key={option}
                  value={option}
                  disabled={isRunning}
                  label={t(`groups.${option}.label`)}
                  description={t(`groups.${option}.hint`)}
                />
              ))}
            </Stack>
          </Radio.Group>
        )}
        <Radio.Group
          label={t('format')}
          value={format}
          onChange={change((value) => setFormat(exportFormat.parse(value)))}
        >
          <Stack gap="xs" mt={2}>
            {exportFormat.options.map((option) => (
              <Radio
                key={option}
                value={option}
                data-autofocus={option === format || undefined}
                disabled={isRunning}
                label={t(`formats.${option}.label`)}
                description={t(isProfile ? `profileFormats.${option}` : `formats.${option}.hint`, {
                  zone: timeZoneName(timeZone),
                })}
              />
            ))}
          </Stack>
        </Radio.Group>
        <ExportState
          state={state}
          format={format}
          isProfile={isProfile}
          expectedRows={Math.min(totalCount, rowCap.max)}
        />
        <Group justify="flex-end" gap="xs">
          <Button ref={leave} variant="default" onClick={isRunning ? cancel : onClose}>
            {isRunning ? tCommon('excel.cancel') : phase === 'idle' ? tCommon('cancel') : tCommon('close')}
          </Button>
          <Button ref={begin} type="submit" loading={isRunning}>
            {phase === 'failed' ? tCommon('tryAgain') : t('start')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** The devices and the range: "Main meter, Tue, 10 Mar 2026". If the range goes on, up to the moment of the table. */
function useScope({ filter, range, chosen, isLive }: ExportSubject, timeZone: string): string {
  const t = useTranslations('measurements.export');
  const tTerms = useTranslations('terms');
  const format = useFormat();
  const [first] = chosen.devices;
  const devices = chosen.isAll
    ? tTerms('allDevices')
    : chosen.devices.length === 1 && first !== undefined
      ? first.name
      : t('devices', { count: chosen.devices.length });
  const label =
    isLive && calendarDates(range, timeZone) === null
      ? format.dateTimeSpan(range.fromMs, filter.toMs, timeZone)
      : rangeLabel(range, timeZone, format);
  return t('scope', { devices, range: label });
}
