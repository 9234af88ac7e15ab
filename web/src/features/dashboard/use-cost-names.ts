import { useMemo } from 'react';
import { useTranslations } from 'use-intl';
import type { CostLineNames } from './cost-bars.ts';

/** What the portal's own lines of a cost are called in the language of the page. */
export function useCostNames(): CostLineNames {
  const t = useTranslations('dashboard.cost.lines');
  return useMemo(
    () => ({
      default: t('default'),
      export: t('export'),
      fixedCharge: t('fixedCharge'),
      vat: t('vat'),
      unpriced: t('unpriced'),
    }),
    [t],
  );
}
