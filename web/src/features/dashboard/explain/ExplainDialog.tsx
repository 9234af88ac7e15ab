import { Button, SegmentedControl } from '@mantine/core';
import { IconPrinter } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useMemo } from 'react';
import { useTranslations } from 'use-intl';
import type { MunicipalityWithTariffs } from '../../../../../shared/rates.ts';
import { loadCode } from '../../../lib/load-code.ts';
import { ratesQuery } from '../../../entities/rates.ts';
import { fixedSearchOf, type TimeRange } from '../../../lib/time-range.ts';
import { useFormat } from '../../../lib/use-format.ts';
import { useNow } from '../../../lib/use-now.ts';
import { CopyButton } from '../../../ui/CopyButton.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { Loaded } from '../../../ui/Loaded.tsx';
import { RowsSkeleton } from '../../../ui/Skeletons.tsx';
import { rangeLabel } from '../../../ui/time-range/range-label.ts';
import classes from './Explain.module.css';
import { shownDays } from './explained-amounts.ts';
import { explain, explanationQuery, type ExplainedCost } from './explanation.ts';
import { ExplainedLines } from './ExplainedLines.tsx';
import { RatesLink } from '../RatesLink.tsx';
import type { DashboardSearch } from '../search.ts';
import type { ExplainView } from '../view.ts';

const LazyExplainedChange = lazy(
  loadCode(async () => ({ default: (await import('./ExplainedChange.tsx')).ExplainedChange })),
);

interface ExplainDialogProps {
  /** Null while it is closed. */
  view: ExplainView | null;
  onView: (view: ExplainView | null) => void;
  search: DashboardSearch;
  range: TimeRange & { isLive: boolean };
  timeZone: string;
}

/** "Explain this number": every line of the range's cost, so that each can be recomputed by hand. */
export function ExplainDialog({ view, onView, search, range, timeZone }: ExplainDialogProps) {
  const t = useTranslations('dashboard.explain');
  const tCommon = useTranslations('common');
  const format = useFormat();
  return (
    <Dialog opened={view !== null} onClose={() => onView(null)} size="xl" title={t('title')}>
      <div className={`${classes.tools} screen-only`}>
        <CopyButton text={linkHere(range, timeZone)} label={tCommon('copyLinkLong')} caption={tCommon('copyLink')} />
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPrinter size={16} stroke={1.75} aria-hidden />}
          onClick={() => window.print()}
        >
          {t('print')}
        </Button>
      </div>
      <SegmentedControl
        fullWidth
        mb="sm"
        className="screen-only"
        aria-label={t('view')}
        value={view?.shows ?? 'lines'}
        data={[
          { value: 'lines', label: t('lines') },
          { value: 'change', label: t('change') },
        ]}
        onChange={(chosen) => onView({ ...view, shows: chosen === 'change' ? 'change' : 'lines' })}
      />
      {view?.shows === 'lines' && (
        <>
          <p className={classes.intro}>{t('intro', { range: rangeLabel(range, timeZone, format) })}</p>
          <Explanation search={search} isLive={range.isLive} timeZone={timeZone} />
        </>
      )}
      {view?.shows === 'change' && (
        <Suspense fallback={<RowsSkeleton rows={8} height={32} />}>
          <LazyExplainedChange search={search} isLive={range.isLive} timeZone={timeZone} currency={view.currency} />
        </Suspense>
      )}
    </Dialog>
  );
}

/** The URL of the open explanation, with the range as it is today: a preset would mean another one tomorrow. */
function linkHere(range: TimeRange, timeZone: string): string {
  const link = new URL(window.location.href);
  link.searchParams.delete('range');
  for (const [name, value] of Object.entries({ ...fixedSearchOf(range, timeZone), tz: timeZone })) {
    link.searchParams.set(name, value);
  }
  return link.href;
}

function Explanation({ search, isLive, timeZone }: { search: DashboardSearch; isLive: boolean; timeZone: string }) {
  const cost = useQuery(explanationQuery(search, timeZone, isLive));
  const rates = useQuery(ratesQuery);
  return (
    <Loaded queries={[cost, rates]} skeleton={<RowsSkeleton rows={8} height={32} />}>
      {(explained, tariffs) => <Breakdown cost={explained} rates={tariffs} />}
    </Loaded>
  );
}

function Breakdown({ cost, rates }: { cost: ExplainedCost; rates: readonly MunicipalityWithTariffs[] }) {
  const t = useTranslations('dashboard.explain');
  const format = useFormat();
  const nowMs = useNow(30_000);
  const { periods, months } = cost;
  const sites = useMemo(() => {
    const tariffs = new Map(rates.flatMap((one) => one.tariffs.map((tariff) => [tariff.id, tariff] as const)));
    return explain(periods.lines, months.lines, tariffs, format.compare);
  }, [periods.lines, months.lines, rates, format]);
  if (sites.length === 0) return <p className={classes.nothing}>{t('nothing')}</p>;
  const hasPartDays = periods.lines.some(({ days }) => days !== null && !Number.isInteger(shownDays(days)));
  const { costs, unpricedEnergyKwh, estimatedEnergyKwh } = periods;
  return (
    <>
      {sites.map(({ siteId, siteName, tariffs }) => (
        <section key={siteId} className={classes.site} aria-label={siteName}>
          <h3 className={classes.siteName}>{siteName}</h3>
          {tariffs.map((tariff) => (
            <ExplainedLines key={tariff.tariffId ?? ''} siteName={siteName} tariff={tariff} />
          ))}
        </section>
      ))}
      <dl className={`${classes.totals} figures`}>
        {costs.map(({ currency, energyCost, fixedCharge, vat, total }) => (
          <div key={currency} className={classes.total}>
            <dt>{costs.length > 1 ? t('totalIn', { currency }) : t('total')}</dt>
            <dd>
              {format.money(total, currency)}
              <span className="detail">
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
        {hasPartDays && ` ${t('partDaysNote')}`}
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
