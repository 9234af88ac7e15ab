import { useTranslations } from 'use-intl';
import type { TableField } from './site-table.ts';

/** How the columns of a table of sites and devices are headed; the portal reads them back. */
export function useTableHeadings(): Record<TableField, string> {
  const t = useTranslations('sites.device');
  const tSite = useTranslations('sites.site');
  return {
    site: t('site'),
    municipality: tSite('municipality'),
    name: t('name'),
    externalId: t('externalId'),
    isActive: t('isActive'),
    energySource: t('energySource'),
    ratedPowerKw: `${t('ratedPowerKw')} (kW)`,
    registerMaxKwh: `${t('registerMaxKwh')} (kWh)`,
    expectedIntervalSeconds: `${t('expectedIntervalSeconds')} (${t('seconds')})`,
    parentExternalId: t('parent'),
  };
}
