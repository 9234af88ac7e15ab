import { useMemo } from 'react';
import { useTranslations } from 'use-intl';
import type { CostLineNames } from './cost-bars.ts';

/** The names of the portal's own lines of a cost in the language of the page. */
export function useCostNames(): CostLineNames {
  const t = useTranslations('dashboard.cost.lines');
  const tTerms = useTranslations('terms');
  return useMemo(
    () => ({
      default: tTerms('defaultRate'),
      export: t('export'),
      fixedCharge: tTerms('fixedCharge'),
      vat: tTerms('vat'),
      unpriced: tTerms('unpriced'),
    }),
    [t, tTerms],
  );
}
