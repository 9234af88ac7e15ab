import { IconGauge } from '@tabler/icons-react';
import { useSuspenseQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { useTranslations } from 'use-intl';
import { appInfoQuery } from '../../lib/app-info.ts';
import { useHasRole } from '../../lib/current-user.ts';
import { loadCode } from '../../lib/load-code.ts';
import { ownApi } from '../../lib/readings-api.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { LinkButton } from '../../ui/LinkButton.tsx';
import { PageSkeleton } from '../../ui/Skeletons.tsx';
import { MeasurementsView } from './MeasurementsView.tsx';

const CustomerMeasurements = lazy(
  loadCode(async () => ({ default: (await import('./CustomerMeasurements.tsx')).CustomerMeasurements })),
);

/** The readings of this portal, or in the Admin mode those of a customer. */
export function MeasurementsPage() {
  const { runMode } = useSuspenseQuery(appInfoQuery).data;
  return runMode === 'Admin' ? (
    <Suspense fallback={<PageSkeleton />}>
      <CustomerMeasurements />
    </Suspense>
  ) : (
    <MeasurementsView api={ownApi} owner={null} noDevices={<NoDevices />} />
  );
}

function NoDevices() {
  const t = useTranslations('measurements.empty');
  const tTerms = useTranslations('terms');
  const isAdmin = useHasRole('Admin');
  return (
    <EmptyState
      icon={<IconGauge size={22} stroke={1.75} />}
      title={tTerms('noDevices')}
      action={isAdmin ? <LinkButton to="/sites">{tTerms('goToSites')}</LinkButton> : undefined}
    >
      {isAdmin ? t('addDevices') : t('askAdmin')}
    </EmptyState>
  );
}
