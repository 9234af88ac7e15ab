import { Alert, Button, FileButton, Stack } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { NoTableError } from '../../../lib/delimited.ts';
import { useDisplayZone } from '../../../lib/current-user.ts';
import { useFormat } from '../../../lib/use-format.ts';
import { isOldWorkbook, isZip } from '../../../lib/workbook.ts';
import { Panel } from '../../../ui/Panel.tsx';
import { firstMapping } from './history-memory.ts';
import type { HistoryMapping } from './history-rows.ts';
import { type HistoryHead, maxHistoryBytes, readHistoryHead } from './history-upload.ts';
import { HistoryMappingForm } from './HistoryMappingForm.tsx';
import { HistoryPreview } from './HistoryPreview.tsx';
import { HistoryRun } from './HistoryRun.tsx';

interface Chosen {
  file: File;
  head: HistoryHead;
}

/** Past readings from a CSV file: choose it, map its columns, check the first rows, upload it. */
export function HistorySection() {
  const t = useTranslations('settings.history');
  const title = useTranslations('sections')('history');
  const format = useFormat();
  const timeZone = useDisplayZone();
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [asked, setMapping] = useState<HistoryMapping | null>(null);
  // Until the user chooses a zone, that of the sites counts. The sites may load after the file.
  const mapping = asked && { ...asked, timeZone: asked.timeZone === '' ? timeZone : asked.timeZone };
  const [problem, setProblem] = useState<string | null>(null);
  const [isRunning, setIsRunning] = useState(false);
  const [taken, setTaken] = useState(0);

  const take = async (file: File | null) => {
    if (file === null) return;
    setTaken(taken + 1);
    setChosen(null);
    setMapping(null);
    setProblem(null);
    const { name, size } = file;
    if (size > maxHistoryBytes) {
      setProblem(t('tooLarge', { name, size: format.bytes(size), max: format.bytes(maxHistoryBytes) }));
      return;
    }
    const start = new Uint8Array(await file.slice(0, 2).arrayBuffer());
    if (isZip(start) || isOldWorkbook(start)) {
      setProblem(t('workbook', { name }));
      return;
    }
    try {
      const head = await readHistoryHead(file);
      setChosen({ file, head });
      setMapping(firstMapping(head));
    } catch (error) {
      if (!(error instanceof NoTableError)) throw error;
      setProblem(t('noTable', { name }));
    }
  };

  return (
    <Panel title={title} description={t('description')}>
      <Stack gap="lg">
        <div>
          <FileButton onChange={(file) => void take(file)} accept=".csv,.txt,.tsv" key={taken}>
            {(props) => (
              <Button
                {...props}
                variant="default"
                disabled={isRunning}
                leftSection={<IconUpload size={16} stroke={1.75} aria-hidden />}
              >
                {t(chosen === null ? 'choose' : 'other')}
              </Button>
            )}
          </FileButton>
        </div>
        {problem !== null && (
          <Alert color="red" role="alert">
            {problem}
          </Alert>
        )}
        {chosen !== null && mapping !== null && (
          <>
            <HistoryMappingForm
              headings={chosen.head.headings}
              mapping={mapping}
              isDisabled={isRunning}
              onChange={setMapping}
            />
            <HistoryPreview records={chosen.head.records} mapping={mapping} />
            <HistoryRun {...chosen} key={taken} mapping={mapping} onRunning={setIsRunning} />
          </>
        )}
      </Stack>
    </Panel>
  );
}
