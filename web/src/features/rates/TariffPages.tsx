import { IconReceipt } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import type { MunicipalityWithTariffs } from '../../../../shared/rates.ts';
import { useHasRole } from '../../lib/current-user.ts';
import { usePageTitle } from '../../lib/page-title.ts';
import { ratesQuery } from '../../entities/rates.ts';
import { BackLink } from '../../ui/BackLink.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { LinkButton } from '../../ui/LinkButton.tsx';
import { PageSkeleton } from '../../ui/Skeletons.tsx';
import type { NewTariffSearch } from './search.ts';
import { TariffEditor } from './TariffEditor.tsx';
import { TariffView } from './TariffView.tsx';

const tariffRoute = getRouteApi('/signed-in/client/rates-texts/settings/rates/$tariffId');
const newTariffRoute = getRouteApi('/signed-in/client/rates-texts/settings/rates/new');

/** The tariff, or its last known values. So entries in the form survive if someone else deletes the tariff. */
function useKept<Found>(rates: RatesProps['rates'], find: () => Found | null): Found | null {
  const [kept, setKept] = useState(() => ({ of: rates, found: find() }));
  if (kept.of === rates) return kept.found;
  const found = find() ?? kept.found;
  setKept({ of: rates, found });
  return found;
}

interface RatesProps {
  rates: readonly MunicipalityWithTariffs[];
}

/** One tariff: administrators change it, other users read it. */
export function TariffPage() {
  const { tariffId } = tariffRoute.useParams();
  return <WithRates>{(rates) => <StoredTariff key={tariffId} tariffId={tariffId} rates={rates} />}</WithRates>;
}

function StoredTariff({ tariffId, rates }: RatesProps & { tariffId: string }) {
  const isAdmin = useHasRole('Admin');
  const municipality = rates.find(({ tariffs }) => tariffs.some(({ id }) => id === tariffId));
  const tariff = municipality?.tariffs.find(({ id }) => id === tariffId);
  const found = useKept(rates, () =>
    municipality === undefined || tariff === undefined ? null : { municipality, tariff },
  );
  if (found === null) return <NotFound />;
  if (isAdmin) return <TariffEditor {...found} copyOf={null} currency="" />;
  return <TariffView {...found} isGone={tariff === undefined} />;
}

/** A new tariff of a municipality, empty or as the next version of another. */
export function NewTariffPage() {
  const asked = newTariffRoute.useSearch();
  return (
    <WithRates>
      {(rates) => <NewTariff key={`${asked.municipality} ${asked.copy ?? ''}`} {...asked} rates={rates} />}
    </WithRates>
  );
}

function NewTariff({ municipality: id, copy, rates }: RatesProps & NewTariffSearch) {
  const municipality = rates.find((one) => one.id === id);
  const copyOf = municipality?.tariffs.find((one) => one.id === copy) ?? null;
  const isThere = municipality !== undefined && (copy === undefined || copyOf !== null);
  const found = useKept(rates, () => (isThere ? { municipality, copyOf } : null));
  if (found === null) return <NotFound />;
  const known = [...found.municipality.tariffs, ...rates.flatMap(({ tariffs }) => tariffs)];
  return <TariffEditor {...found} tariff={null} currency={known[0]?.currency ?? 'EUR'} />;
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
