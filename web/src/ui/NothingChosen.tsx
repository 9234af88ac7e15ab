import { Button } from '@mantine/core';
import { IconFilterOff } from '@tabler/icons-react';
import { useTranslations } from 'use-intl';
import { EmptyState } from './EmptyState.tsx';
import { Panel } from './Panel.tsx';

interface NothingChosenProps {
  /** The side whose sites and devices they are, where there are two. */
  of?: string;
  onAll: () => void;
}

/** In the place of the numbers of sites and devices that are not there, or no longer. */
export function NothingChosen({ of, onAll }: NothingChosenProps) {
  const t = useTranslations('dashboard');
  return (
    <Panel {...(of === undefined ? {} : { title: of })}>
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
