import { useMemo } from 'react';
import { useTranslations } from 'use-intl';
import type { SourceNames, TableField } from './site-table.ts';

/** The headings of a table of sites and devices; the portal can read them back. */
export function useTableHeadings(): Record<TableField, string> {
  const t = useTranslations('sites.device');
  const tCommon = useTranslations('common');
  const tTerms = useTranslations('terms');
  return {
    site: tTerms('site'),
    municipality: tTerms('municipality'),
    name: tCommon('name'),
    externalId: tTerms('externalId'),
    isActive: tTerms('active'),
    energySource: t('energySource'),
    ratedPowerKw: `${t('ratedPowerKw')} (kW)`,
    registerMaxKwh: `${t('registerMaxKwh')} (kWh)`,
    expectedIntervalSeconds: `${t('expectedIntervalSeconds')} (${t('seconds')})`,
    parentExternalId: t('parent'),
    endUse: t('endUse'),
  };
}

/** The page's names of the energy sources. */
export function useSourceNames(): SourceNames {
  const t = useTranslations('sites.device.sources');
  return useMemo(() => ({ auto: t('auto'), register: t('register'), power: t('power') }), [t]);
}
