import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useTranslations } from 'use-intl';
import { csvFile, fileStem, type CsvTable } from '../../lib/csv.ts';
import { saveFile } from '../../lib/download.ts';

/** Saves the table behind a chart, which is made when it is asked for. */
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
