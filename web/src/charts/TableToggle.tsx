import { Button, Group } from '@mantine/core';
import { IconChartAreaLine, IconTable, IconDownload } from '@tabler/icons-react';
import { useTransition } from 'react';
import { useTranslations } from 'use-intl';
import { type CsvTable, csvFile, fileStem } from '../lib/csv.ts';
import { saveFile } from '../lib/download.ts';

interface TableToggleProps {
  isTable: boolean;
  onChange: (isTable: boolean) => void;
  /** Id of the element that it controls. */
  controls: string;
  isDisabled?: boolean;
  /** The table as a file. */
  csv: () => CsvTable;
}

/** Switches between a chart and the table of its numbers, which can be saved. */
export function TableToggle({ isTable, onChange, controls, isDisabled = false, csv }: TableToggleProps) {
  const t = useTranslations('charts');
  // The button responds before thousands of numbers are laid out or drawn.
  const [isPending, startTransition] = useTransition();
  const Icon = isTable ? IconChartAreaLine : IconTable;
  return (
    <Group gap={6} justify="flex-end" className="screen-only">
      {isTable && !isDisabled && <CsvButton table={csv} />}
      <Button
        variant="default"
        size="xs"
        disabled={isDisabled}
        aria-controls={controls}
        aria-busy={isPending}
        leftSection={<Icon size={15} stroke={1.75} />}
        onClick={() => startTransition(() => onChange(!isTable))}
      >
        {isTable ? t('showChart') : t('showTable')}
      </Button>
    </Group>
  );
}

/** Saves the table of a chart, which is built on demand. */
export function CsvButton({ table }: { table: () => CsvTable }) {
  const t = useTranslations('charts');
  const save = () => {
    const made = table();
    saveFile(csvFile(made), `${fileStem(made.name)}.csv`);
  };
  return (
    <Button
      variant="default"
      size="xs"
      aria-label={t('downloadCsv')}
      leftSection={<IconDownload size={15} stroke={1.75} aria-hidden />}
      onClick={save}
    >
      {t('csv')}
    </Button>
  );
}
