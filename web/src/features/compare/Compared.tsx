import { useMemo, type ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import type { Comparison } from '../../../../shared/comparison.ts';
import { changeShare } from '../../lib/compared-ranges.ts';
import { unknownValue } from '../../../../shared/format.ts';
import { toLocalText } from '../../../../shared/time.ts';
import { useFormat } from '../../lib/use-format.ts';
import { TimeChart } from '../../charts/TimeChart.tsx';
import { useChartZoom, type KeptZoom } from '../../charts/use-chart-zoom.ts';
import { InTurn } from '../../ui/InTurn.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { BlockSkeleton } from '../../ui/Skeletons.tsx';
import { FigureTable } from '../../ui/FigureTable.tsx';
import classes from './Compare.module.css';
import {
  comparedCosts,
  comparedData,
  comparedParts,
  comparedSums,
  isPartlyMeasured,
  isPartlyPriced,
  largestOf,
  type ComparedEnergy,
  type ComparedPart,
  type Largest,
} from './compared-data.ts';

interface ComparedProps {
  answer: Comparison;
  /** The same comparison by day, once it has arrived. */
  byDay: Comparison | undefined;
  /** The cost of the compared part on both sides, once it has arrived. */
  costs: Comparison | undefined;
  /** Whether the first range is still running. */
  isRunning: boolean;
  zoom: KeptZoom;
  /** Whether both sides have the same devices. */
  hasSameDevices: boolean;
  /** The names of the two sides. */
  names: readonly [string, string];
  isStale: boolean;
  empty: ReactNode;
}

/** Both sides as lines on one axis, and their differences in a table. */
export function Compared({
  answer,
  byDay,
  costs,
  isRunning,
  hasSameDevices,
  zoom: kept,
  names,
  isStale,
  empty,
}: ComparedProps) {
  const t = useTranslations('compare');
  const tDashboard = useTranslations('dashboard');
  const tCharts = useTranslations('charts');
  const tRange = useTranslations('common.timeRange');
  const format = useFormat();
  const [own, other] = names;
  // The time zone of the rows. If sites have several time zones, it may differ from that of the ranges.
  const zone = format.timeZoneName(answer.timeZone);
  const otherZone = format.timeZoneName(answer.otherTimeZone);
  const clock = zone === otherZone ? tRange('zone', { zone }) : t('clocks', { own, zone, other, otherZone });
  const data = useMemo(() => {
    const firstDay =
      answer.fromDate ?? toLocalText(Date.parse(answer.from), answer.timeZone).slice(0, 'YYYY-MM-DD'.length);
    return comparedData(answer, Date.parse(`${firstDay}T00:00:00Z`), [own, other]);
  }, [answer, own, other]);
  const range = useMemo(
    () => ({ fromMs: Math.min(...data.startsMs.slice(0, 1)), toMs: Math.max(...data.endsMs.slice(-1)) }),
    [data],
  );
  const { zoom, setZoom } = useChartZoom(range, `${answer.from} ${answer.bucket} ${answer.other.from}`, kept);
  return (
    <div data-stale={isStale} className={`${classes.compared} until-answered`}>
      <InTurn rest={<BlockSkeleton height={320} />}>
        <Panel
          title={tDashboard('averagePower')}
          description={t(answer.align === 'weekday' ? 'weekdayNote' : 'dayNote')}
        >
          <TimeChart
            title={tDashboard('averagePower')}
            data={data}
            kind="lines"
            unit="kW"
            range={range}
            zoom={zoom}
            onZoom={setZoom}
            timeZone="UTC"
            note={`${tCharts('averages', { bucket: tCharts(`each.${answer.bucket}`) })} · ${clock}`}
            empty={empty}
          />
        </Panel>
        <Panel title={t('differences')}>
          <Differences
            answer={isShort(answer) ? answer : withCommon(byDay, answer)}
            costs={costs}
            isRunning={isRunning}
            hasSameDevices={hasSameDevices}
            names={names}
          />
        </Panel>
      </InTurn>
    </div>
  );
}

/** If a day is still running, it is compared with the same hours of the other day. This needs finer buckets. */
const withCommon = (byDay: Comparison | undefined, { common }: Comparison): Comparison | undefined =>
  byDay && { ...byDay, common };

/** For one or two days, the table lists hours. */
const isShort = ({ days, bucket }: Comparison) => bucket !== 'day' && new Set(days).size <= 2;

/** Why a difference has no percentage. */
type Caveat = 'priced' | 'measured';

type DifferencesProps = Pick<ComparedProps, 'answer' | 'costs' | 'isRunning' | 'hasSameDevices' | 'names'>;

function Differences({ answer, ...others }: Omit<DifferencesProps, 'answer'> & { answer: Comparison | undefined }) {
  return answer === undefined ? <BlockSkeleton height={320} /> : <DifferencesTable answer={answer} {...others} />;
}

function DifferencesTable({ answer, costs, isRunning, hasSameDevices, names: [own, other] }: DifferencesProps) {
  const t = useTranslations('compare');
  const tTerms = useTranslations('terms');
  const format = useFormat();
  const parts = useMemo(() => comparedParts(answer), [answer]);
  const { timeZone, otherTimeZone } = answer;
  const isByDay = !isShort(answer);
  const when = (time: string | null, zone: string) =>
    time === null ? unknownValue : isByDay ? format.weekday(time, zone) : format.dateTime(time, zone);
  // If the sides cover different times, or different parts of the energy, a percentage would mean nothing.
  const differenceOf = (
    now: number | null,
    before: number | null,
    changeText: (change: number) => string,
    caveat: Caveat | null,
  ) => {
    if (now === null || before === null) return unknownValue;
    const share = changeShare(now, before);
    const detail = caveat === null ? share !== null && format.change(share) : t(`partly.${caveat}`);
    return (
      <>
        {changeText(now - before)}
        {detail !== false && <span className={`${classes.detail} detail`}>{detail}</span>}
      </>
    );
  };
  const partly: Caveat | null = useMemo(() => (isPartlyMeasured(answer) ? 'measured' : null), [answer]);
  const costCaveat = (currency: string): Caveat | null =>
    costs !== undefined && isPartlyPriced(costs, hasSameDevices, currency) ? 'priced' : partly;
  const cells = (
    { energyKwh, otherEnergyKwh, waitsFor = null }: ComparedEnergy,
    largest: Largest,
    caveat: Caveat | null = null,
  ) => [
    format.energy(energyKwh, largest.kwh),
    format.energy(otherEnergyKwh, largest.kwh),
    waitsFor === null ? (
      differenceOf(energyKwh, otherEnergyKwh, (change) => format.energyChange(change, largest.changeKwh), caveat)
    ) : (
      <span key="waits" className={`${classes.detail} detail`}>
        {t(`waitsFor.${waitsFor}`)}
      </span>
    ),
  ];
  const sums = comparedSums(answer);
  const unpriced = costs && { energyKwh: costs.unpricedEnergyKwh, otherEnergyKwh: costs.otherUnpricedEnergyKwh };
  const hasUnpriced = unpriced !== undefined && unpriced.energyKwh + unpriced.otherEnergyKwh > 0;
  const largestSum = largestOf(hasUnpriced ? [...sums, unpriced] : sums);
  const largestPart = largestOf(parts);
  const keyOf = ({ time, otherTime }: ComparedPart) => `${time} ${otherTime}`;
  return (
    <div className={classes.scroll} role="group" aria-label={t('differences')} tabIndex={0}>
      <FigureTable
        label={t('differences')}
        classNames={{ table: `${classes.table} figures` }}
        columns={[{ header: tTerms('when') }, { header: own }, { header: other }, { header: tTerms('difference') }]}
        groups={[
          {
            id: 'sums',
            className: classes.sums,
            lines: [
              ...sums.map((sum) => ({
                key: sum.id,
                name: t(sum.id),
                cells: cells(sum, largestSum, sum.id === 'all' ? partly : null),
              })),
              ...comparedCosts(costs?.costs ?? [], costs?.otherCosts ?? []).map(
                ({ currency, total, otherTotal, mark }) => ({
                  key: currency,
                  name: `${t(isRunning ? 'costSoFar' : 'cost')}${mark}`,
                  cells: [
                    format.money(total, currency),
                    format.money(otherTotal, currency),
                    differenceOf(
                      total,
                      otherTotal,
                      (change) => format.moneyChange(change, currency),
                      costCaveat(currency),
                    ),
                  ],
                }),
              ),
              ...(hasUnpriced
                ? [{ key: 'unpriced', name: tTerms('unpriced'), cells: cells(unpriced, largestSum) }]
                : []),
            ],
          },
          {
            id: 'parts',
            lines: parts.map((part) => ({
              key: keyOf(part),
              name: (
                <>
                  {when(part.time, timeZone)}
                  <span className={`${classes.detail} detail`}>{when(part.otherTime, otherTimeZone)}</span>
                </>
              ),
              cells: cells(part, largestPart),
            })),
          },
        ]}
      />
    </div>
  );
}
