import { Button, Group } from '@mantine/core';
import { IconChartAreaLine, IconTable } from '@tabler/icons-react';
import { useTransition } from 'react';
import { useTranslations } from 'use-intl';
import type { CsvTable } from '../../lib/csv.ts';
import { CsvButton } from './CsvButton.tsx';

interface TableToggleProps {
  isTable: boolean;
  onChange: (isTable: boolean) => void;
  /** Id of what it changes. */
  controls: string;
  isDisabled?: boolean;
  /** The table as a file. */
  csv: () => CsvTable;
}

/** Between a chart and the table with its numbers, which can be saved. */
export function TableToggle({ isTable, onChange, controls, isDisabled = false, csv }: TableToggleProps) {
  const t = useTranslations('charts');
  // The button answers before thousands of numbers are laid out or drawn.
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
