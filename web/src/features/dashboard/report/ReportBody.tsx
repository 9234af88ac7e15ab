import { useQuery, useQueryClient } from '@tanstack/react-query';
import { IconCalendarOff, IconPencil } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { DeviceWithSite } from '../../../../../shared/sites.ts';
import { readDeviceChoice, wireChoice } from '../../../lib/device-choice.ts';
import { fixedSearchOf, resolveTimeRange, spanText, wireRange } from '../../../lib/time-range.ts';
import { dayMs, toLocalText } from '../../../../../shared/time.ts';
import { useFormat } from '../../../lib/use-format.ts';
import { StackedBars } from '../../../charts/StackedBars.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { Panel } from '../../../ui/Panel.tsx';
import { BlockSkeleton } from '../../../ui/Skeletons.tsx';
import type { ResolvedTimeRange } from '../../../ui/time-range/use-time-range.ts';
import { hasReadings } from '../tiles/comparison.ts';
import { HeatmapPanel } from '../panels/HeatmapPanel.tsx';
import { LoadCurvePanel } from '../panels/LoadCurvePanel.tsx';
import { QualityPanel } from '../panels/QualityPanel.tsx';
import { withReference, type DashboardSearch } from '../search.ts';
import { CostPanels } from './CostPanels.tsx';
import { FiguresPanel } from './FiguresPanel.tsx';
import classes from './Report.module.css';
import { energyBars } from '../../../../../shared/charts/bars.ts';
import { SharesPanel } from './SharesPanel.tsx';
import { remarkQuery, reportQuery, type Report, remarkPath, type RemarkedReport } from './report-query.ts';
import type { DashboardSummary } from '../../../../../shared/dashboard.ts';
import { sitesQuery } from '../../../lib/sites.ts';
import { useNow } from '../../../lib/use-now.ts';
import { ResponsiveTable } from '../../../ui/ResponsiveTable.tsx';
import { ChartPlace } from '../panels/ChartPlace.tsx';
import { countedAt, drawnBy } from '../panels/moment.ts';
import { momentQuery } from '../queries.ts';
import { Button, Textarea } from '@mantine/core';
import { maxRemarkLength, reportRemark, type ReportRemark } from '../../../../../shared/reports.ts';
import { reportRemarkVersion } from '../../../../../shared/versions.ts';
import { useHasRole } from '../../../lib/current-user.ts';
import { useErrorText } from '../../../lib/error-text.ts';
import { fetchJson } from '../../../lib/http.ts';
import { useSaveRecord } from '../../../lib/records.ts';
import { Dialog } from '../../../ui/Dialog.tsx';
import { DialogForm, useDialog } from '../../../ui/DialogForm.tsx';
import { useRecordForm } from '../../../ui/use-record-form.ts';

interface PeakPanelProps {
  search: DashboardSearch;
  summary: DashboardSummary;
  devices: readonly DeviceWithSite[];
  timeZone: string;
}

const quarterMs = 15 * 60_000;
const maxDevices = 5;

/** When the peak demand was, and which devices used most power then. */
function PeakPanel({ search, summary, devices: chosen, timeZone }: PeakPanelProps) {
  const { peakAt, peakPowerKw } = summary;
  const t = useTranslations('report');
  const tTerms = useTranslations('terms');
  const tMoment = useTranslations('dashboard.moment');
  const format = useFormat();
  const fromMs = Date.parse(peakAt ?? '');
  const moment = { fromMs, toMs: fromMs + quarterMs };
  const sites = useQuery(sitesQuery).data ?? [];
  const range = resolveTimeRange(search, timeZone, useNow(60_000));
  const { choice, devices } = countedAt(moment, range, timeZone, { choice: search, devices: chosen, sites });
  const drawn = useQuery({
    ...momentQuery(choice, moment),
    enabled: peakAt !== null && chosen.length > 1,
  });
  if (peakAt === null || peakPowerKw === null || chosen.length < 2) return null;
  const share = (powerKw: number) => (powerKw < 0 || peakPowerKw <= 0 ? null : powerKw / peakPowerKw);
  return (
    <Panel
      title={t('peak', { power: format.power(peakPowerKw), time: format.dateTime(peakAt, timeZone) })}
      description={t('peakNote')}
      flush
    >
      <ChartPlace query={drawn} height={220}>
        {(answer) => (
          <ResponsiveTable
            label={tMoment('table')}
            rows={drawnBy(answer.devices, devices, summary.devices).slice(0, maxDevices)}
            rowKey={({ device }) => device.id}
            columns={[
              {
                id: 'device',
                header: tTerms('device'),
                kind: 'name',
                renderCell: ({ device, whole }) => (
                  <>
                    {device.name}
                    {whole !== null && <span className="detail">{tTerms('partOf', { name: whole })}</span>}
                  </>
                ),
              },
              { id: 'site', header: tTerms('site'), renderCell: ({ device }) => device.siteName },
              {
                id: 'power',
                header: tTerms('power'),
                align: 'end',
                renderCell: ({ powerKw }) => format.power(powerKw),
              },
              {
                id: 'share',
                header: tMoment('share'),
                align: 'end',
                renderCell: ({ powerKw }) => format.percent(share(powerKw), 1),
              },
            ]}
          />
        )}
      </ChartPlace>
    </Panel>
  );
}

interface ReportBodyProps {
  search: DashboardSearch;
  timeZone: string;
  devices: readonly DeviceWithSite[];
  onMonth: (month: string) => void;
  /** The month or year. */
  period: string;
}

/** The report itself, shown once its numbers have arrived. Its charts are the charts of the Overview. */
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

/** The remark on the report, and the form in which administrators write it. */
function OwnRemark(props: RemarkedReport) {
  const t = useTranslations('report.ownRemark');
  const isAdmin = useHasRole('Admin');
  const errorText = useErrorText();
  const { data, error } = useQuery(remarkQuery(props));
  const editing = useDialog<ReportRemark>();
  if (data === undefined) return error !== null && <p className="detail">{errorText(error)}</p>;
  const verb = t(data.remark === '' ? 'add' : 'change');
  return (
    <>
      {data.remark !== '' && <p className={classes.ownRemark}>{data.remark}</p>}
      {isAdmin && (
        <Button
          className="screen-only"
          variant="subtle"
          size="compact-sm"
          mb="xs"
          leftSection={<IconPencil size={16} stroke={1.75} aria-hidden />}
          onClick={() => editing.open(data)}
        >
          {verb}
        </Button>
      )}
      {editing.subject !== null && (
        <Dialog opened={editing.isOpen} onClose={editing.close} title={verb}>
          <RemarkForm {...props} seen={editing.subject} onDone={editing.close} />
        </Dialog>
      )}
    </>
  );
}

function RemarkForm({ seen, onDone, ...of }: RemarkedReport & { seen: ReportRemark; onDone: () => void }) {
  const t = useTranslations('report.ownRemark');
  const { integer } = useFormat();
  const client = useQueryClient();
  const { queryKey } = remarkQuery(of);
  const query = { period: of.period, ...wireChoice(of.choice) };
  const fields = { remark: { label: t('label') } };
  const save = useSaveRecord<ReportRemark, ReportRemark>({
    urlOf: () => remarkPath,
    query,
    answer: reportRemark,
    versionOf: reportRemarkVersion,
    read: () => fetchJson(remarkPath, reportRemark, { query }),
    fields,
    onSaved: (saved) => client.setQueryData(queryKey, saved),
    renew: () => client.invalidateQueries({ queryKey }),
  });
  const { text, dialog } = useRecordForm({
    seen,
    initialValues: { remark: seen.remark },
    schema: reportRemark,
    labels: fields,
    save: (values) => save.mutateAsync({ seen, values }),
    said: () => t('saved'),
    onSaved: onDone,
    onCancel: onDone,
  });
  return (
    <DialogForm {...dialog}>
      <Textarea
        {...text('remark')}
        data-autofocus
        description={t('hint', { max: integer(maxRemarkLength) })}
        autosize
        minRows={4}
        maxRows={12}
      />
    </DialogForm>
  );
}
