import { Button } from '@mantine/core';
import { IconFilterOff } from '@tabler/icons-react';
import { useTranslations } from 'use-intl';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Panel } from '../../ui/Panel.tsx';

/** The Dashboard of sites and devices that are not there, or no longer. */
export function NothingChosen({ onAll }: { onAll: () => void }) {
  const t = useTranslations('dashboard');
  return (
    <Panel>
      <EmptyState
        icon={<IconFilterOff size={22} stroke={1.75} />}
        title={t('nothingChosen.title')}
        action={
          <Button variant="default" onClick={onAll}>
            {t('allDevicesAgain')}
          </Button>
        }
      >
        {t('nothingChosen.text')}
      </EmptyState>
    </Panel>
  );
}
