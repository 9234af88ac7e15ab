import { Button } from '@mantine/core';
import { IconChartAreaLine, IconTable } from '@tabler/icons-react';
import { useTranslations } from 'use-intl';

interface TableToggleProps {
  isTable: boolean;
  onChange: (isTable: boolean) => void;
  /** Id of what it changes. */
  controls: string;
  isDisabled?: boolean;
}

/** Between a chart and the table with its numbers. */
export function TableToggle({ isTable, onChange, controls, isDisabled = false }: TableToggleProps) {
  const t = useTranslations('charts');
  const Icon = isTable ? IconChartAreaLine : IconTable;
  return (
    <Button
      variant="default"
      size="xs"
      disabled={isDisabled}
      aria-controls={controls}
      leftSection={<Icon size={15} stroke={1.75} />}
      onClick={() => onChange(!isTable)}
    >
      {isTable ? t('showChart') : t('showTable')}
    </Button>
  );
}
