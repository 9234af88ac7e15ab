import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import type { CostComparison } from '../../../../../shared/comparison.ts';
import { resolveTimeRange, searchOfRange, shiftRange, type TimeRangeSearch } from '../../../lib/time-range.ts';
import { useFormat } from '../../../lib/use-format.ts';
import { useNow } from '../../../lib/use-now.ts';
import { Loaded } from '../../../ui/Loaded.tsx';
import { usePrinting } from '../../../ui/printing.tsx';
import { RowsSkeleton } from '../../../ui/Skeletons.tsx';
import { TimeRangePicker } from '../../../ui/time-range/TimeRangePicker.tsx';
import { changeQuery } from './explanation.ts';
import { costLineName } from '../cost-bars.ts';
import { FigureTable } from '../../../ui/FigureTable.tsx';
import classes from './Explain.module.css';
import type { DashboardSearch } from '../search.ts';
import { useCostNames } from '../use-cost-names.ts';

interface ExplainedChangeProps {
  search: DashboardSearch;
  isLive: boolean;
  timeZone: string;
  /** The currency that comes first. */
  currency: string | undefined;
}

/** Why the cost of the range differs from that of another one: by tariff period and by device, quantity and prices. */
export function ExplainedChange({ search, isLive, timeZone, currency }: ExplainedChangeProps) {
  const t = useTranslations('dashboard.explain');
  const nowMs = useNow(30_000);
  const [other, setOther] = useState<TimeRangeSearch | null>(null);
  const change = useQuery(changeQuery(search, other, timeZone, isLive));
  const before = shiftRange(resolveTimeRange(search, timeZone, nowMs), -1, timeZone);
  return (
    <>
      <div className={classes.against}>
        <span>{t('against')}</span>
        <TimeRangePicker
          search={other ?? searchOfRange(before, timeZone, nowMs)}
          timeZone={timeZone}
          onChange={setOther}
        />
      </div>
      <Loaded queries={[change]} skeleton={<RowsSkeleton rows={8} height={32} />}>
        {({ ranges, compared }) => (
          <div className="until-answered" data-stale={change.isPlaceholderData}>
            {!ranges.isWhole && <p className={classes.foot}>{t('partNote')}</p>}
            <Changes compared={compared} currency={currency} />
          </div>
        )}
      </Loaded>
    </>
  );
}

function Changes({ compared, currency }: { compared: CostComparison } & Pick<ExplainedChangeProps, 'currency'>) {
  const t = useTranslations('dashboard.explain');
  const tTerms = useTranslations('terms');
  const format = useFormat();
  const { totals, lines, devices, unpricedEnergyKwh, otherUnpricedEnergyKwh } = compared;
  const lineName = useLineName();
  const largestKwh = Math.max(
    unpricedEnergyKwh,
    otherUnpricedEnergyKwh,
    ...[...lines, ...devices].flatMap(({ energyKwh, otherEnergyKwh }) => [energyKwh ?? 0, otherEnergyKwh ?? 0]),
  );
  if (totals.length === 0 && unpricedEnergyKwh === 0 && otherUnpricedEnergyKwh === 0) {
    return <p className={classes.nothing}>{t('nothingToCompare')}</p>;
  }
  return (
    <>
      {(unpricedEnergyKwh > 0 || otherUnpricedEnergyKwh > 0) && (
        <p className={classes.foot}>
          {t('unpriced', {
            before: format.energy(otherUnpricedEnergyKwh, largestKwh),
            now: format.energy(unpricedEnergyKwh, largestKwh),
          })}
        </p>
      )}
      {totals
        .toSorted((a, b) => Number(b.currency === currency) - Number(a.currency === currency))
        .map((total) => {
          const own = devices.filter(({ currency }) => currency === total.currency);
          const ofLines = lines.filter(({ currency }) => currency === total.currency);
          const hasSites = new Set(ofLines.map((line) => line.siteId)).size > 1;
          return (
            <section key={total.currency} className={classes.site} aria-label={total.currency}>
              <CostBridge total={total} />
              <EffectsTable
                caption={totals.length > 1 ? `${t('byLine')}, ${total.currency}` : t('byLine')}
                first={t('columns.line')}
                currency={total.currency}
                total={total}
                rows={ofLines.map((line) => ({
                  ...line,
                  id: JSON.stringify([line.siteId, line.kind, line.periods, line.otherPeriods]),
                  name: lineName(line),
                  detail: hasSites ? line.siteName : null,
                  quantity: <LineQuantity line={line} largestKwh={largestKwh} />,
                }))}
              />
              {own.length > 0 && (
                <EffectsTable
                  caption={totals.length > 1 ? `${t('byDevice')}, ${total.currency}` : t('byDevice')}
                  first={tTerms('device')}
                  currency={total.currency}
                  total={null}
                  rows={own.toSorted(byChange).map((device) => ({
                    ...device,
                    id: device.deviceId,
                    name: device.countedIn === null ? device.deviceName : `(${device.deviceName})`,
                    detail: device.siteName,
                    quantity: t('fromTo', {
                      before: format.energy(device.otherEnergyKwh, largestKwh),
                      now: format.energy(device.energyKwh, largestKwh),
                    }),
                  }))}
                />
              )}
            </section>
          );
        })}
      <p className={classes.foot}>
        {t('changeNote')} {t('deviceNote')}
      </p>
    </>
  );
}

type Effects = Pick<CostComparison['totals'][number], 'cost' | 'otherCost' | 'quantityEffect' | 'priceEffect'>;
type Line = CostComparison['lines'][number];

const differenceOf = ({ quantityEffect, priceEffect }: Effects) => quantityEffect + priceEffect;
const byChange = (a: Effects, b: Effects) => Math.abs(differenceOf(b)) - Math.abs(differenceOf(a));

/** The period of a line, or the periods that replace each other. */
function useLineName() {
  const t = useTranslations('dashboard.explain');
  const format = useFormat();
  const names = useCostNames();
  return ({ kind, periods, otherPeriods }: Line): string => {
    if (kind !== 'energy') return names[kind];
    const named = (all: readonly string[]) =>
      all.length === 0 ? t('noPeriod') : format.list(all.map((name) => costLineName({ kind, name }, names)));
    const isSame = periods.length < 2 && otherPeriods.length < 2;
    if (isSame) return named(periods.length > 0 ? periods : otherPeriods);
    return t('fromTo', { before: named(otherPeriods), now: named(periods) });
  };
}

function LineQuantity({ line, largestKwh }: { line: Line; largestKwh: number }) {
  const t = useTranslations('dashboard.explain');
  const format = useFormat();
  const { energyKwh, otherEnergyKwh, months, otherMonths } = line;
  if (energyKwh !== null) {
    return t('fromTo', {
      before: format.energy(otherEnergyKwh ?? 0, largestKwh),
      now: format.energy(energyKwh, largestKwh),
    });
  }
  if (months === null) return null;
  const shown = (count: number) => t('months', { count, shown: format.decimal(count, 3) });
  return t('fromTo', { before: shown(otherMonths ?? 0), now: shown(months) });
}

interface EffectsTableProps {
  caption: string;
  first: string;
  currency: string;
  /** The last row; null for a table that is part of another one. */
  total: Effects | null;
  rows: readonly (Effects & { id: string; name: string; detail: string | null; quantity: ReactNode })[];
}

const shownRows = 12;

function EffectsTable({ caption, first, currency, total, rows }: EffectsTableProps) {
  const t = useTranslations('dashboard.explain');
  const tTerms = useTranslations('terms');
  const format = useFormat();
  const [isAll, setIsAll] = useState(false);
  const isPrinting = usePrinting();
  const shown = isAll || isPrinting ? rows : rows.slice(0, shownRows);
  const cells = (row: Effects) => [
    format.moneyChange(row.quantityEffect, currency),
    format.moneyChange(row.priceEffect, currency),
    <>
      {format.moneyChange(differenceOf(row), currency)}
      <span className="detail">
        {t('fromTo', { before: format.money(row.otherCost, currency), now: format.money(row.cost, currency) })}
      </span>
    </>,
  ];
  const effect = { className: classes.effect, labelClass: classes.effectName };
  return (
    <>
      <FigureTable
        label={caption}
        caption={caption}
        classNames={{ table: `${classes.table} ${classes.effects}`, caption: classes.caption, head: classes.head }}
        columns={[
          { header: first, className: classes.name },
          { header: t('quantityEffect'), ...effect },
          { header: t('priceEffect'), ...effect },
          { header: t('difference'), className: classes.amount },
        ]}
        groups={[
          {
            id: 'effects',
            lines: shown.map((row) => ({
              key: row.id,
              name: (
                <>
                  {row.name}
                  {row.detail !== null && <span className="detail">{row.detail}</span>}
                  {row.quantity !== null && <span className="detail">{row.quantity}</span>}
                </>
              ),
              cells: cells(row),
            })),
          },
        ]}
        footer={total === null ? [] : [{ key: 'sum', name: t('sum'), cells: cells(total) }]}
      />
      {shown.length < rows.length && (
        <Button variant="subtle" size="compact-xs" onClick={() => setIsAll(true)}>
          {tTerms('showAll', { count: rows.length })}
        </Button>
      )}
    </>
  );
}

/** From the cost of the other range to that of this range, in two steps: a small chart with its numbers beside it. */
function CostBridge({ total }: { total: CostComparison['totals'][number] }) {
  const t = useTranslations('dashboard.explain');
  const format = useFormat();
  const { currency, cost, otherCost, quantityEffect, priceEffect } = total;
  const atOtherPrices = otherCost + quantityEffect;
  // The axis begins at the smallest cost. Otherwise the cost that both ranges share would leave no space for the difference.
  const edges = [otherCost, atOtherPrices, cost];
  const [least, most] = [Math.min(...edges), Math.max(...edges)];
  const steps = [
    { name: t('quantityEffect'), value: quantityEffect, from: otherCost, to: atOtherPrices },
    { name: t('priceEffect'), value: priceEffect, from: atOtherPrices, to: cost },
  ];
  const place = (from: number, to: number) => {
    const share = (value: number) => (most === least ? 0 : (value / (most - least)) * 100);
    return { marginInlineStart: `${share(Math.min(from, to) - least)}%`, width: `${share(Math.abs(to - from))}%` };
  };
  const money = (value: number) => format.money(value, currency);
  return (
    <figure
      className={classes.bridge}
      aria-label={t('bridge', {
        other: money(otherCost),
        cost: money(cost),
        quantity: format.moneyChange(quantityEffect, currency),
        price: format.moneyChange(priceEffect, currency),
      })}
    >
      <figcaption className={classes.became}>
        <b>{format.moneyChange(quantityEffect + priceEffect, currency)}</b>{' '}
        <span>{t('became', { cost: money(cost), other: money(otherCost) })}</span>
      </figcaption>
      <div aria-hidden className={`${classes.steps} figures`}>
        {steps.map(({ name, value, from, to }) => (
          <div key={name} className={classes.step}>
            <span>{name}</span>
            <span className={classes.track}>
              <span className={classes.change} data-less={value < 0} style={place(from, to)} />
            </span>
            <span className={classes.stepValue}>{format.moneyChange(value, currency)}</span>
          </div>
        ))}
      </div>
    </figure>
  );
}
