import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslations } from 'use-intl';
import type { CostBreakdown } from '../../../../shared/costs.ts';
import { ratesQuery } from '../../lib/rates.ts';
import type { TimeRange, TimeRangeSearch } from '../../lib/time-range.ts';
import { useFormat } from '../../lib/use-format.ts';
import { useNow } from '../../lib/use-now.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { RowsSkeleton } from '../../ui/Skeletons.tsx';
import { rangeLabel } from '../../ui/time-range/range-label.ts';
import classes from './Explain.module.css';
import { explain } from './explanation.ts';
import { ExplainedLines } from './ExplainedLines.tsx';
import { costBreakdownQuery } from './queries.ts';
import { RatesLink } from './RatesLink.tsx';

interface ExplainDialogProps {
  opened: boolean;
  onClose: () => void;
  search: TimeRangeSearch;
  range: TimeRange & { isLive: boolean };
  timeZone: string;
}

/** "Explain this number": every line that the cost of the range is made of, so that each can be recomputed by hand. */
export function ExplainDialog({ opened, onClose, search, range, timeZone }: ExplainDialogProps) {
  const t = useTranslations('dashboard.explain');
  const format = useFormat();
  return (
    <Dialog opened={opened} onClose={onClose} size="lg" title={t('title')}>
      <p className={classes.intro}>{t('intro', { range: rangeLabel(range, timeZone, format) })}</p>
      {opened && <Explanation search={search} isLive={range.isLive} timeZone={timeZone} />}
    </Dialog>
  );
}

function Explanation({ search, isLive, timeZone }: { search: TimeRangeSearch; isLive: boolean; timeZone: string }) {
  const periods = useQuery(costBreakdownQuery(search, timeZone, 'period', isLive));
  const months = useQuery(costBreakdownQuery(search, timeZone, 'month', isLive));
  const rates = useQuery(ratesQuery);
  const queries = [periods, months, rates];
  const failed = queries.find(({ isError, data }) => isError && data === undefined);
  if (failed !== undefined) {
    const retry = () => {
      for (const query of queries) if (query.isError) void query.refetch();
    };
    return <ErrorState compact error={failed.error} onRetry={retry} />;
  }
  if (periods.data === undefined || months.data === undefined || rates.data === undefined) {
    return <RowsSkeleton rows={8} height={32} />;
  }
  const monthlyCharges = new Map(
    rates.data.flatMap(({ tariffs }) => tariffs.map((tariff) => [tariff.id, tariff.fixedChargePerMonth] as const)),
  );
  return <Breakdown periods={periods.data} months={months.data} monthlyCharges={monthlyCharges} />;
}

interface BreakdownProps {
  periods: CostBreakdown;
  months: CostBreakdown;
  /** The fixed charge per month by the id of the tariff. */
  monthlyCharges: ReadonlyMap<string, number>;
}

function Breakdown({ periods, months, monthlyCharges }: BreakdownProps) {
  const t = useTranslations('dashboard.explain');
  const format = useFormat();
  const nowMs = useNow(30_000);
  const sites = useMemo(() => explain(periods.lines, months.lines), [periods.lines, months.lines]);
  if (sites.length === 0) return <p className={classes.nothing}>{t('nothing')}</p>;
  const { costs, unpricedEnergyKwh, estimatedEnergyKwh } = periods;
  return (
    <>
      {sites.map(({ siteId, siteName, tariffs }) => (
        <section key={siteId} className={classes.site} aria-label={siteName}>
          <h3 className={classes.siteName}>{siteName}</h3>
          {tariffs.map((tariff) => (
            <ExplainedLines
              key={tariff.tariffId ?? ''}
              siteName={siteName}
              tariff={tariff}
              monthlyCharge={tariff.tariffId === null ? null : (monthlyCharges.get(tariff.tariffId) ?? null)}
            />
          ))}
        </section>
      ))}
      <dl className={`${classes.totals} figures`}>
        {costs.map(({ currency, energyCost, fixedCharge, vat, total }) => (
          <div key={currency} className={classes.total}>
            <dt>{costs.length > 1 ? t('totalIn', { currency }) : t('total')}</dt>
            <dd>
              {format.money(total, currency)}
              <span className={classes.parts}>
                {t('totalParts', {
                  energy: format.money(energyCost, currency),
                  fixed: format.money(fixedCharge, currency),
                  vat: format.money(vat, currency),
                })}
              </span>
            </dd>
          </div>
        ))}
      </dl>
      <p className={classes.foot}>
        {t('rounding')}
        {Date.parse(periods.to) - nowMs > 60_000 && ` ${t('futureNote')}`}
        {estimatedEnergyKwh > 0 && ` ${t('estimatedNote')}`}
        {unpricedEnergyKwh > 0 && (
          <>
            {' '}
            {t('unpricedNote', { energy: `${format.number(unpricedEnergyKwh, 3)} kWh` })} <RatesLink />
          </>
        )}
      </p>
    </>
  );
}
