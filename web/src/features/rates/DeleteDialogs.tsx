import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import type { MunicipalityWithTariffs, Tariff } from '../../../../shared/rates.ts';
import type { Site } from '../../../../shared/sites.ts';
import { useErrorText } from '../../lib/error-text.ts';
import { keptRange } from '../../lib/kept-range.ts';
import { useDeleteMunicipality } from '../../entities/rates.ts';
import { sitesQuery } from '../../lib/sites.ts';
import { ConfirmByName } from '../../ui/ConfirmByName.tsx';
import { CostChanges } from '../../entities/CostChanges.tsx';
import { LinkAnchor } from '../../ui/LinkButton.tsx';
import { previewTariffs, useDeleteTariff } from './queries.ts';
import classes from './RatesSection.module.css';

interface DeleteMunicipalityDialogProps {
  municipality: MunicipalityWithTariffs;
  opened: boolean;
  onClose: () => void;
}

/** A municipality is deleted together with its tariffs. If it has sites, it cannot be deleted. */
export function DeleteMunicipalityDialog({ municipality, opened, onClose }: DeleteMunicipalityDialogProps) {
  const t = useTranslations('municipality');
  const sites = useQuery(sitesQuery).data ?? [];
  const remove = useDeleteMunicipality();
  const { id, name, tariffs } = municipality;
  const own = sites.filter(({ municipalityId }) => municipalityId === id);
  return (
    <ConfirmByName
      opened={opened}
      title={t('delete')}
      name={name}
      onConfirm={() => remove.mutateAsync(municipality)}
      done={t('deleted', { name })}
      onClose={onClose}
      {...(own.length > 0 ? { barred: <Holders sites={own} onLeave={onClose} /> } : {})}
    >
      {t('tariffsGo', { count: tariffs.length })}
    </ConfirmByName>
  );
}

/** The maximum number of sites that are named. */
const namedSites = 10;

/** The sites that a municipality still has. */
function Holders({ sites, onLeave }: { sites: readonly Site[]; onLeave: () => void }) {
  const t = useTranslations('municipality');
  return (
    <>
      {t('hasSites', { count: sites.length })}
      <ul className={classes.holders}>
        {sites.slice(0, namedSites).map(({ id, name }) => (
          <li key={id}>
            <LinkAnchor to="/sites/$siteId" params={{ siteId: id }} search={keptRange()} onClick={onLeave}>
              {name}
            </LinkAnchor>
          </li>
        ))}
        {sites.length > namedSites && <li>…</li>}
      </ul>
    </>
  );
}

export interface DeletedTariff {
  tariff: Tariff;
  /** Whether the tariff has ever determined the price of a past date, or does so today. */
  hasPriced: boolean;
}

interface DeleteTariffDialogProps extends DeletedTariff {
  opened: boolean;
  onClose: () => void;
}

export function DeleteTariffDialog({ tariff, hasPriced, opened, onClose }: DeleteTariffDialogProps) {
  const t = useTranslations('rates.delete');
  const tChanges = useTranslations('costChanges');
  const errorText = useErrorText();
  const remove = useDeleteTariff();
  const preview = useQuery({
    queryKey: ['tariff-preview', tariff.id],
    queryFn: () => previewTariffs({ changes: [{ id: tariff.id, tariff: null }] }),
    enabled: opened && hasPriced,
    gcTime: 0,
    retry: false,
  });
  return (
    <ConfirmByName
      opened={opened}
      title={t('title')}
      name={tariff.name}
      onConfirm={() => remove.mutateAsync(tariff)}
      done={t('deleted', { name: tariff.name })}
      onClose={onClose}
    >
      {t(hasPriced ? 'priced' : 'unpriced')}
      {hasPriced && preview.data !== undefined && preview.data.months.length > 0 && (
        <CostChanges preview={preview.data} />
      )}
      {preview.isError && <p>{tChanges('failed', { reason: errorText(preview.error) })}</p>}
    </ConfirmByName>
  );
}
