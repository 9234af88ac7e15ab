import { Alert, Button, Group, Progress, Stack } from '@mantine/core';
import { IconDownload, IconPlayerStop } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { delimitedLine, NoTableError } from '../../../lib/delimited.ts';
import { saveFile } from '../../../lib/download.ts';
import { useErrorText } from '../../../lib/error-text.ts';
import { errorInLanguage } from '../../../lib/i18n/error-texts.ts';
import { useRenewAll } from '../../../entities/rates.ts';
import { useFormat } from '../../../lib/use-format.ts';
import { UnsavedGuard } from '../../../ui/Dialog.tsx';
import { Figure, Figures } from '../../../ui/Figures.tsx';
import { ReasonedButton } from '../../../ui/ReasonedButton.tsx';
import { type Column, ResponsiveTable } from '../../../ui/ResponsiveTable.tsx';
import { remember } from './history-memory.ts';
import { hasEnergy, type HistoryMapping } from './history-rows.ts';
import { type HistoryHead, type HistoryProgress, type RejectedHistoryRow, uploadHistory } from './history-upload.ts';
import section from '../section.module.css';
import { useHistoryReasons } from './use-history-texts.ts';

interface HistoryRunProps {
  file: File;
  head: HistoryHead;
  mapping: HistoryMapping;
  onRunning: (isRunning: boolean) => void;
}

/** Listed on the page. */
const shownRejected = 100;

type Ending = { kind: 'done' | 'stopped' } | { kind: 'failed'; reason: string };

/** Uploads the file. Shows the progress, and the verdicts on its rows. */
export function HistoryRun({ file, head, mapping, onRunning }: HistoryRunProps) {
  const t = useTranslations('settings.history');
  const errorText = useErrorText();
  const explain = useHistoryReasons();
  const renew = useRenewAll();
  const running = useRef<AbortController | null>(null);
  const [progress, setProgress] = useState<HistoryProgress | null>(null);
  const [ending, setEnding] = useState<Ending | null>(null);
  // The upload stops when the user leaves the page.
  useEffect(() => () => running.current?.abort(), []);
  const isRunning = progress !== null && ending === null;
  const { columns } = mapping;
  const isComplete =
    columns.time !== undefined && hasEnergy(mapping) && (columns.externalId !== undefined || mapping.externalId !== '');

  const start = async () => {
    if (running.current !== null) return;
    const stopping = new AbortController();
    running.current = stopping;
    remember(head.headings, mapping);
    setEnding(null);
    setProgress({ readBytes: 0, stored: 0, known: 0, rejected: 0, repeated: 0, listed: [] });
    onRunning(true);
    try {
      await uploadHistory(file, head, mapping, { signal: stopping.signal, onProgress: setProgress, explain });
      setEnding({ kind: 'done' });
    } catch (error) {
      if (stopping.signal.aborted) setEnding({ kind: 'stopped' });
      else {
        const isTable = !(error instanceof NoTableError);
        setEnding({ kind: 'failed', reason: isTable ? errorText(error) : t('noTable', { name: file.name }) });
      }
    } finally {
      running.current = null;
      onRunning(false);
      void renew();
    }
  };

  return (
    <Stack gap="md">
      <UnsavedGuard
        isDirty={isRunning}
        texts={{
          title: t('leaving.title'),
          text: t('leaving.text', { stored: progress?.stored ?? 0 }),
          leave: t('leaving.leave'),
          stay: t('leaving.stay'),
        }}
      />
      <Group gap="xs">
        <ReasonedButton
          data-sends
          reason={isComplete ? null : t('incomplete')}
          loading={isRunning}
          onClick={() => void start()}
        >
          {t('start')}
        </ReasonedButton>
        {isRunning && (
          <Button
            variant="default"
            leftSection={<IconPlayerStop size={16} stroke={1.75} aria-hidden />}
            onClick={() => running.current?.abort()}
          >
            {t('stop')}
          </Button>
        )}
      </Group>
      {progress !== null && <Outcome progress={progress} size={file.size} />}
      {ending !== null && (
        <Alert color={ending.kind === 'done' ? 'green' : 'yellow'} role="status">
          {ending.kind === 'failed' ? t('failed', { reason: ending.reason }) : t(ending.kind)}
        </Alert>
      )}
      {ending !== null && progress !== null && progress.rejected > 0 && <Rejected progress={progress} />}
    </Stack>
  );
}

function Outcome({ progress, size }: { progress: HistoryProgress; size: number }) {
  const t = useTranslations('settings.history');
  const format = useFormat();
  const percent = size === 0 ? 1 : progress.readBytes / size;
  return (
    <>
      <Progress value={percent * 100} aria-label={t('progress', { percent })} />
      <Figures>
        <Figure label={t('stored')}>{format.integer(progress.stored)}</Figure>
        <Figure label={t('known')}>{format.integer(progress.known)}</Figure>
        <Figure label={t('rejected')}>{format.integer(progress.rejected)}</Figure>
      </Figures>
      {progress.repeated > 0 && <Alert color="yellow">{t('repeated', { count: progress.repeated })}</Alert>}
    </>
  );
}

const reasonOf = ({ reason, refusal }: RejectedHistoryRow): string =>
  refusal === null ? reason : errorInLanguage(reason, refusal, { isAtField: true });

/** The rejected rows: the first ones on the page, and all that are known as a file. */
function Rejected({ progress: { listed, rejected } }: { progress: HistoryProgress }) {
  const t = useTranslations('settings.history');
  const format = useFormat();
  const columns: Column<RejectedHistoryRow>[] = [
    {
      id: 'line',
      header: t('previewColumns.line'),
      kind: 'name',
      renderCell: ({ line }) => <span className={section.dimmed}>{t('line', { line })}</span>,
    },
    { id: 'device', header: t('fields.externalId'), renderCell: ({ externalId }) => <code>{externalId}</code> },
    { id: 'time', header: t('fields.time'), renderCell: ({ time }) => <code>{time}</code> },
    { id: 'reason', header: t('reason'), renderCell: reasonOf },
  ];
  const save = () => {
    const delimiter = format.decimalSeparator === ',' ? ';' : ',';
    const head = [t('previewColumns.line'), t('fields.externalId'), t('fields.time'), t('reason')];
    const lines = listed.map((row) =>
      delimitedLine([String(row.line), row.externalId, row.time, reasonOf(row)], delimiter),
    );
    saveFile(new Blob(['\uFEFF', delimitedLine(head, delimiter), ...lines], { type: 'text/csv' }), t('savedName'));
  };
  return (
    <div className={section.rejected}>
      <Button variant="default" leftSection={<IconDownload size={16} stroke={1.75} aria-hidden />} onClick={save}>
        {listed.length < rejected ? t('saveSome', { count: listed.length }) : t('save')}
      </Button>
      {rejected > shownRejected && (
        <p className={section.dimmed}>{t('firstRejected', { shown: shownRejected, count: rejected })}</p>
      )}
      <ResponsiveTable
        label={t('rejectedRows')}
        columns={columns}
        rows={listed.slice(0, shownRejected)}
        rowKey={({ line }) => String(line)}
      />
    </div>
  );
}
