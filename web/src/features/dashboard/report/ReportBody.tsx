import { useQuery } from '@tanstack/react-query';
import { IconCalendarOff } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { DeviceWithSite } from '../../../../../shared/sites.ts';
import { readDeviceChoice } from '../../../lib/device-choice.ts';
import { fixedSearchOf, resolveTimeRange, spanText, wireRange } from '../../../lib/time-range.ts';
import { dayMs, toLocalText } from '../../../lib/time.ts';
import { useFormat } from '../../../lib/use-format.ts';
import { StackedBars } from '../../../ui/charts/StackedBars.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { Panel } from '../../../ui/Panel.tsx';
import { BlockSkeleton } from '../../../ui/Skeletons.tsx';
import type { ResolvedTimeRange } from '../../../ui/time-range/use-time-range.ts';
import { hasReadings } from '../comparison.ts';
import { HeatmapPanel } from '../HeatmapPanel.tsx';
import { LoadCurvePanel } from '../LoadCurvePanel.tsx';
import { QualityPanel } from '../QualityPanel.tsx';
import { withReference, type DashboardSearch } from '../search.ts';
import { CostPanels } from './CostPanels.tsx';
import { FiguresPanel } from './FiguresPanel.tsx';
import { OwnRemark } from './OwnRemark.tsx';
import { PeakPanel } from './PeakPanel.tsx';
import classes from './Report.module.css';
import { energyBars } from './report-data.ts';
import { SharesPanel } from './SharesPanel.tsx';
import { remarkQuery, reportQuery, type Report } from './report-query.ts';

interface ReportBodyProps {
  search: DashboardSearch;
  timeZone: string;
  devices: readonly DeviceWithSite[];
  onMonth: (month: string) => void;
  /** The month or year. */
  period: string;
}

/** The report itself, once its numbers are there; its charts are those of the Dashboard. */
export function ReportBody(props: ReportBodyProps) {
  const { search, timeZone, period } = props;
  const t = useTranslations('report');
  const report = useQuery(reportQuery(search, timeZone));
  const remark = useQuery(remarkQuery({ period, choice: readDeviceChoice({ ...search }) }));
  if (report.isError && report.data === undefined) {
    return <ErrorState error={report.error} onRetry={() => void report.refetch()} />;
  }
  if (report.data === undefined || remark.isPending) return <BlockSkeleton height={640} />;
  if (report.data === null) {
    return (
      <EmptyState icon={<IconCalendarOff size={22} stroke={1.75} />} title={t('notBegun')}>
        {t('notBegunText')}
      </EmptyState>
    );
  }
  return <Sheets report={report.data} {...props} />;
}

function Sheets({ report, search, timeZone, devices, onMonth, period }: ReportBodyProps & { report: Report }) {
  const t = useTranslations('report');
  const format = useFormat();
  const navigate = useNavigate();
  const [curve, setCurve] = useState<DashboardSearch>({});
  const { summary } = report.own;
  const range = useMemo((): ResolvedTimeRange => {
    const whole = resolveTimeRange(search, timeZone, 0);
    return { ...whole, wire: wireRange(whole, timeZone), preset: null, isLive: false };
  }, [search, timeZone]);
  const open = (view: DashboardSearch) => void navigate({ to: '/dashboard', search: { ...search, ...view } });
  const isYear = range.toMs - range.fromMs > 32 * dayMs;
  const title = isYear ? t('energyByMonth') : t('energyByDay');
  const bars = useMemo(
    () => energyBars(report.days, toLocalText(range.fromMs, timeZone).slice(0, 10), isYear, title),
    [report.days, range.fromMs, timeZone, isYear, title],
  );
  return (
    <div className={classes.report}>
      <FiguresPanel
        report={report}
        timeZone={timeZone}
        remark={<OwnRemark period={period} choice={readDeviceChoice({ ...search })} />}
      />
      {hasReadings(summary) && (
        <>
          <Panel title={title}>
            <StackedBars
              title={title}
              data={bars}
              unit="kWh"
              formatValue={format.energy}
              height={180}
              empty={null}
              {...(isYear ? { onPick: onMonth } : {})}
            />
          </Panel>
          <LoadCurvePanel
            search={{ ...curve, ...search }}
            range={range}
            timeZone={timeZone}
            devices={devices}
            summary={summary}
            onGroup={(group) => setCurve((before) => ({ ...before, group }))}
            onReference={(id, isShown) => setCurve((before) => withReference(before, id, isShown))}
            onRange={(part) => open(fixedSearchOf(part, timeZone))}
            onZoom={() => {}}
          />
          <PeakPanel search={search} summary={summary} devices={devices} timeZone={timeZone} />
        </>
      )}
      <CostPanels report={report} />
      <QualityPanel search={search} range={range} timeZone={timeZone} />
      {hasReadings(summary) && (
        <>
          <SharesPanel summary={summary} timeZone={timeZone} />
          <HeatmapPanel
            search={search}
            range={range}
            timeZone={timeZone}
            onMoment={(moment) => open({ at: spanText(moment) })}
            onMonth={onMonth}
          />
        </>
      )}
    </div>
  );
}
