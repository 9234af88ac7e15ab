import { Alert, Button, Group, Progress, Stack } from '@mantine/core';
import { IconDownload, IconPlayerStop } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { delimitedLine, NoTableError } from '../../lib/delimited.ts';
import { saveFile } from '../../lib/download.ts';
import { useErrorText } from '../../lib/error-text.ts';
import { inLanguage } from '../../lib/i18n/sentences.ts';
import { useRenewAll } from '../../lib/rates.ts';
import { useFormat } from '../../lib/use-format.ts';
import { UnsavedGuard } from '../../ui/Dialog.tsx';
import { Figure, Figures } from '../../ui/Figures.tsx';
import { ReasonedButton } from '../../ui/ReasonedButton.tsx';
import { remember } from './history-memory.ts';
import type { HistoryMapping } from './history-rows.ts';
import { type HistoryHead, type HistoryProgress, uploadHistory } from './history-upload.ts';
import { useHistoryReasons } from './use-history-reasons.ts';

interface HistoryRunProps {
  file: File;
  head: HistoryHead;
  mapping: HistoryMapping;
  onRunning: (isRunning: boolean) => void;
}

type Ending = { kind: 'done' | 'stopped' } | { kind: 'failed'; reason: string };

/** Sends the file, shows how far it is, and what became of its rows. */
export function HistoryRun({ file, head, mapping, onRunning }: HistoryRunProps) {
  const t = useTranslations('settings.history');
  const errorText = useErrorText();
  const explain = useHistoryReasons();
  const renew = useRenewAll();
  const running = useRef<AbortController | null>(null);
  const [progress, setProgress] = useState<HistoryProgress | null>(null);
  const [ending, setEnding] = useState<Ending | null>(null);
  // Whoever leaves the page stops it.
  useEffect(() => () => running.current?.abort(), []);
  const isRunning = progress !== null && ending === null;
  const { columns } = mapping;
  const isComplete =
    columns.time !== undefined &&
    columns.activePowerKw !== undefined &&
    (columns.externalId !== undefined || mapping.externalId !== '');

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
      {ending !== null && progress !== null && progress.rejected > 0 && <SaveRejected progress={progress} />}
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

function SaveRejected({ progress: { listed, rejected } }: { progress: HistoryProgress }) {
  const t = useTranslations('settings.history');
  const format = useFormat();
  const save = () => {
    const delimiter = format.decimalSeparator === ',' ? ';' : ',';
    const head = [t('previewColumns.line'), t('fields.externalId'), t('fields.time'), t('reason')];
    const lines = listed.map(({ line, externalId, time, reason }) =>
      delimitedLine([String(line), externalId, time, inLanguage(reason)], delimiter),
    );
    saveFile(new Blob(['\uFEFF', delimitedLine(head, delimiter), ...lines], { type: 'text/csv' }), t('savedName'));
  };
  return (
    <div>
      <Button variant="default" leftSection={<IconDownload size={16} stroke={1.75} aria-hidden />} onClick={save}>
        {listed.length < rejected ? t('saveSome', { count: listed.length }) : t('save')}
      </Button>
    </div>
  );
}
