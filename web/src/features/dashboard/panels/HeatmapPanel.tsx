import { useQuery } from '@tanstack/react-query';
import { IconGridDots } from '@tabler/icons-react';
import { useCallback, useMemo } from 'react';
import { useTranslations } from 'use-intl';
import type { TimeRange } from '../../../lib/time-range.ts';
import { useFormat } from '../../../lib/use-format.ts';
import { useNow } from '../../../lib/use-now.ts';
import { Heatmap } from '../../../charts/Heatmap.tsx';
import { heatLayout } from '../../../charts/heatmap.ts';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { Panel } from '../../../ui/Panel.tsx';
import type { ResolvedTimeRange } from '../../../ui/time-range/use-time-range.ts';
import { ChartPlace } from './ChartPlace.tsx';
import classes from '../Dashboard.module.css';
import { heatData, heatRows, minutesPast } from './heatmap-data.ts';
import type { LoadCurveAnswer } from './load-curve-data.ts';
import { hoursQuery, heatRange } from '../queries.ts';
import type { DashboardSearch } from '../search.ts';

interface HeatmapPanelProps {
  search: DashboardSearch;
  range: ResolvedTimeRange;
  timeZone: string;
  /** Called with the hour of a cell. */
  onMoment: (moment: TimeRange) => void;
  /** Called with the month of a cell. */
  onMonth: (month: string) => void;
}

/** Shows when the load is high: the average power of each hour of each local day. */
export function HeatmapPanel({ search, range, timeZone, onMoment, onMonth }: HeatmapPanelProps) {
  const t = useTranslations('panels.heatmap');
  const hours = useQuery(hoursQuery(search, timeZone, range.isLive));
  const shown = heatRange(range, timeZone, useNow(30_000));
  const isCut = shown.fromMs > range.fromMs;
  const height = heatLayout(heatRows(shown, timeZone).length).height + 80;
  return (
    <div className={classes.panel}>
      <Panel title={t('title')}>
        <ChartPlace query={hours} height={height}>
          {(answer) => (
            <HourField
              answer={answer}
              timeZone={timeZone}
              isCut={isCut && !hours.isPlaceholderData}
              onMoment={onMoment}
              onMonth={onMonth}
            />
          )}
        </ChartPlace>
      </Panel>
    </div>
  );
}

interface HourFieldProps {
  answer: LoadCurveAnswer;
  timeZone: string;
  /** The range is longer than the displayed part. */
  isCut: boolean;
  onMoment: HeatmapPanelProps['onMoment'];
  onMonth: HeatmapPanelProps['onMonth'];
}

function HourField({ answer, timeZone, isCut, onMoment, onMonth }: HourFieldProps) {
  const t = useTranslations('panels.heatmap');
  const tTerms = useTranslations('terms');
  const format = useFormat();
  const { curve, range } = answer;
  const data = useMemo(() => heatData(curve, range, timeZone), [curve, range, timeZone]);
  const isMonths = data.rows[0]?.length === 7;
  const countNote = useCallback(
    (count: number) => (isMonths ? t('meanOf', { count }) : t('repeated', { count })),
    [isMonths, t],
  );
  const past = minutesPast(curve.times, timeZone);
  return (
    <Heatmap
      title={t('title')}
      data={data}
      rowCount={data.rows.length}
      unit="kW"
      countNote={countNote}
      onPick={({ row, fromMs, toMs }) => (isMonths ? onMonth(data.rows[row] ?? '') : onMoment({ fromMs, toMs }))}
      empty={
        <EmptyState icon={<IconGridDots size={22} stroke={1.75} />} title={tTerms('noReadingsInRange')}>
          {t('nothingText')}
        </EmptyState>
      }
      note={
        <span>
          {isCut && `${t('lastYears')} `}
          {t(isMonths ? 'noteMonths' : 'note', { zone: format.timeZoneName(timeZone) })}{' '}
          <span className="screen-only">{isMonths ? t('pickMonth') : t('pick')}</span>
          {past !== 0 && ` ${t('past', { minutes: past })}`}
        </span>
      }
    />
  );
}
