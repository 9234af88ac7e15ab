import { IconBolt, IconMapPin } from '@tabler/icons-react';
import { useTranslations } from 'use-intl';
import { useHasRole } from '../lib/current-user.ts';
import { EmptyState } from './EmptyState.tsx';
import { LinkButton } from './LinkButton.tsx';
import { Panel } from './Panel.tsx';

/** Shown in place of the figures if a portal has no devices. Says what to do first. */
export function FirstSteps({ hasSites }: { hasSites: boolean }) {
  const t = useTranslations('dashboard.empty');
  const tTerms = useTranslations('terms');
  const isAdmin = useHasRole('Admin');
  const Icon = hasSites ? IconBolt : IconMapPin;
  return (
    <Panel>
      <EmptyState
        icon={<Icon size={22} stroke={1.75} />}
        title={hasSites ? tTerms('noDevices') : tTerms('noSites')}
        action={isAdmin ? <LinkButton to="/sites">{tTerms('goToSites')}</LinkButton> : undefined}
      >
        {isAdmin ? (hasSites ? t('addDevices') : t('addSites')) : t('askAdmin')}
      </EmptyState>
    </Panel>
  );
}
