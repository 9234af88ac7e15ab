import { IconReceipt } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import type { MunicipalityWithTariffs } from '../../../../shared/rates.ts';
import { useHasRole } from '../../lib/current-user.ts';
import { usePageTitle } from '../../lib/page-title.ts';
import { ratesQuery } from '../../lib/rates.ts';
import { BackLink } from '../../ui/BackLink.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { LinkButton } from '../../ui/LinkButton.tsx';
import { PageSkeleton } from '../../ui/Skeletons.tsx';
import { TariffEditor } from './TariffEditor.tsx';
import { TariffView } from './TariffView.tsx';

const tariffRoute = getRouteApi('/signed-in/client/settings/rates/$tariffId');
const newTariffRoute = getRouteApi('/signed-in/client/settings/rates/new');

/** One tariff: administrators change it, the others read it. */
export function TariffPage() {
  const { tariffId } = tariffRoute.useParams();
  const isAdmin = useHasRole('Admin');
  return (
    <WithRates>
      {(rates) => {
        const municipality = rates.find(({ tariffs }) => tariffs.some(({ id }) => id === tariffId));
        const tariff = municipality?.tariffs.find(({ id }) => id === tariffId);
        if (municipality === undefined || tariff === undefined) return <NotFound />;
        return isAdmin ? (
          <TariffEditor key={tariffId} municipality={municipality} tariff={tariff} copyOf={null} currency="" />
        ) : (
          <TariffView key={tariffId} municipality={municipality} tariff={tariff} />
        );
      }}
    </WithRates>
  );
}

/** A new tariff of a municipality, empty or as the next version of another. */
export function NewTariffPage() {
  const { municipality: municipalityId, copy } = newTariffRoute.useSearch();
  return (
    <WithRates>
      {(rates) => {
        const municipality = rates.find(({ id }) => id === municipalityId);
        const copyOf = municipality?.tariffs.find(({ id }) => id === copy) ?? null;
        if (municipality === undefined || (copy !== undefined && copyOf === null)) return <NotFound />;
        const known = [...municipality.tariffs, ...rates.flatMap(({ tariffs }) => tariffs)];
        return (
          <TariffEditor
            key={`${municipalityId} ${copy ?? ''}`}
            municipality={municipality}
            tariff={null}
            copyOf={copyOf}
            currency={known[0]?.currency ?? 'EUR'}
          />
        );
      }}
    </WithRates>
  );
}

function WithRates({ children }: { children: (rates: readonly MunicipalityWithTariffs[]) => ReactNode }) {
  const t = useTranslations('rates');
  const rates = useQuery(ratesQuery);
  return (
    <>
      <BackLink to="/settings/rates">{t('back')}</BackLink>
      {rates.data !== undefined ? (
        children(rates.data)
      ) : rates.isError ? (
        <ErrorState error={rates.error} onRetry={() => void rates.refetch()} />
      ) : (
        <PageSkeleton />
      )}
    </>
  );
}

function NotFound() {
  const t = useTranslations('rates');
  usePageTitle(t('notFound.title'));
  return (
    <EmptyState
      isPage
      icon={<IconReceipt size={22} stroke={1.75} />}
      title={t('notFound.title')}
      action={
        <LinkButton to="/settings/rates" variant="default">
          {t('back')}
        </LinkButton>
      }
    >
      {t('notFound.text')}
    </EmptyState>
  );
}
