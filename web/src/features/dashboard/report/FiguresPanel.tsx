import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import type { DashboardSummary } from '../../../../../shared/dashboard.ts';
import { unknownValue } from '../../../../../shared/format.ts';
import { add, dayMs } from '../../../../../shared/time.ts';
import { partlyPriced } from '../../../entities/partly-priced.ts';
import { useFormat } from '../../../lib/use-format.ts';
import { Panel } from '../../../ui/Panel.tsx';
import { ResponsiveTable, type Column } from '../../../ui/ResponsiveTable.tsx';
import { rangeLabel } from '../../../ui/time-range/range-label.ts';
import { changeShare } from '../../../lib/compared-ranges.ts';
import { hasReadings, partlyMeasured } from '../tiles/comparison.ts';
import classes from './Report.module.css';
import { changedTariffs } from './report-data.ts';
import type { Report, ReportedRange } from './report-query.ts';

interface FigureRow {
  id: string;
  label: string;
  read: (of: ReportedRange) => number | null;
  /** `largest` is the largest value of the row; it determines the unit. */
  show: (value: number, largest: number) => string;
  /** Below the value. */
  note?: (of: ReportedRange) => string | null;
  /** Shown instead of the percentage of change, if a percentage would be misleading. */
  caveat?: (of: ReportedRange) => string | null;
}

interface FiguresPanelProps {
  report: Report;
  timeZone: string;
  /** The remark of an administrator. */
  remark: ReactNode;
}

/** The key figures of the report, next to those of the previous month and the previous year, with the remarks on them. */
export function FiguresPanel({ report, timeZone, remark }: FiguresPanelProps) {
  const t = useTranslations('report');
  const format = useFormat();
  const rows = useFigures(report, timeZone);
  const { own, others, isEmpty } = report;
  const cell = (of: ReportedRange, { read, show, note, caveat }: FigureRow) => {
    const value = hasReadings(of.summary) ? read(of) : null;
    const before = read(own);
    const largest = Math.max(...[own, ...others].map((one) => read(one) ?? 0));
    const isCompared = of !== own && !isEmpty && hasReadings(own.summary);
    const share = isCompared && value !== null && before !== null ? changeShare(before, value) : null;
    const change = share === null ? null : (caveat?.(of) ?? t('change', { change: format.change(share) }));
    const details = [...(change === null ? [] : [change]), ...(value === null ? [] : [note?.(of) ?? []].flat())];
    return (
      <>
        {value === null ? unknownValue : show(value, largest)}
        {details.map((text) => (
          <span key={text} className="detail">
            {text}
          </span>
        ))}
      </>
    );
  };
  const columns: Column<FigureRow>[] = [
    { id: 'figure', header: t('figure'), kind: 'name', renderCell: ({ label }) => label },
    // The remarks name the months without data.
    ...[own, ...others.filter(({ summary }) => hasReadings(summary))].map((of): Column<FigureRow> => ({
      id: `${of.range.fromMs}`,
      header: rangeLabel(of.range, timeZone, format),
      align: 'end',
      renderCell: (row) => cell(of, row),
    })),
  ];
  return (
    <Panel title={t('figures')} flush>
      <ResponsiveTable label={t('figures')} columns={columns} rows={rows} rowKey={({ id }) => id} />
      <Remarks report={report} timeZone={timeZone} remark={remark} />
    </Panel>
  );
}

function useFigures({ own, others }: Report, timeZone: string): FigureRow[] {
  const t = useTranslations('dashboard');
  const tReport = useTranslations('report');
  const tTerms = useTranslations('terms');
  const format = useFormat();
  const all = [own, ...others];
  const caveatOf = (of: ReportedRange, currency: string) => {
    const lacking = partlyPriced({ ...own.summary, range: own.range }, { ...of.summary, range: of.range }, currency);
    return lacking && tReport(lacking === 'current' ? 'unpricedNow' : 'unpricedThen');
  };
  const currencies = [
    ...new Set(all.flatMap(({ summary }) => summary.costs.map(({ currency }) => currency))),
  ].toSorted();
  const figure = (
    id: string,
    label: string,
    read: (summary: DashboardSummary) => number | null,
    show: FigureRow['show'],
  ): FigureRow => ({ id, label, read: ({ summary }) => read(summary), show });
  const rows: FigureRow[] = [
    figure('energy', tTerms('energy'), (one) => one.energyImportedKwh, format.energy),
    figure('exported', t('deviceEnergy.exportKey'), (one) => one.energyExportedKwh || null, format.energy),
    ...currencies.map((currency) => ({
      ...figure(
        currency,
        currencies.length === 1 ? t('cost.title') : t('cost.in', { currency, soFar: 'no' }),
        ({ costs }) => costs.find((cost) => cost.currency === currency)?.total ?? null,
        (value) => format.money(value, currency),
      ),
      caveat: (of: ReportedRange) => caveatOf(of, currency),
    })),
    {
      ...figure('peak', t('peak.title'), (one) => one.peakPowerKw, format.power),
      note: ({ summary: { peakAt } }) => (peakAt === null ? null : format.dateTime(peakAt, timeZone)),
    },
    figure('average', t('averagePower'), (one) => one.averagePowerKw, format.power),
    { id: 'base', label: t('baseLoad.title'), read: (of) => of.baseLoad.baseLoadKw, show: format.power },
    figure(
      'factor',
      t('powerFactor'),
      (one) => one.averagePowerFactor,
      (value) => format.number(value, 3),
    ),
  ];
  return rows.filter(({ read }) => all.some((of) => read(of) !== null));
}

/** Notes on the numbers. */
function Remarks({ report, timeZone, remark }: FiguresPanelProps) {
  const t = useTranslations('report.remarks');
  const format = useFormat();
  const { own, others, isWhole, lines, readAtMs } = report;
  const { energyImportedKwh, energyExportedKwh, estimatedEnergyKwh, unpricedEnergyKwh, devices } = own.summary;
  const all = energyImportedKwh + energyExportedKwh;
  const quiet = devices.filter((one) => !hasReadings({ devices: [one] }));
  const named = quiet.slice(0, 5).map(({ deviceName, siteName }) => `${deviceName} (${siteName})`);
  const remarks = [
    ...(isWhole ? [] : [t('running', { until: format.dateTime(own.range.toMs, timeZone) })]),
    ...(hasReadings(own.summary) ? [] : [t('nothing')]),
    ...others
      .filter(({ summary }) => !hasReadings(summary))
      .map(({ range }) => t('noneBefore', { range: rangeLabel(range, timeZone, format) })),
    ...others.flatMap((one) => measuredRemark(one)),
    ...(estimatedEnergyKwh > 0
      ? [
          t('estimated', {
            energy: format.energy(estimatedEnergyKwh),
            share: format.percent(all === 0 ? null : estimatedEnergyKwh / all, 1),
          }),
        ]
      : []),
    ...(unpricedEnergyKwh > 0 ? [t('unpriced', { energy: format.energy(unpricedEnergyKwh) })] : []),
    ...(quiet.length > 0 && hasReadings(own.summary)
      ? [t('quiet', { names: format.list(named), more: quiet.length - named.length })]
      : []),
    ...changedTariffs(lines.lines).map(({ siteName, tariffs }) =>
      t('tariffs', { site: siteName, tariffs: format.list(tariffs) }),
    ),
    ...oddDays(own, timeZone).map(({ atMs, hours }) =>
      t('clocks', { day: format.date(atMs, timeZone), hours: format.decimal(hours, 1) }),
    ),
  ];
  function measuredRemark({ range, summary }: ReportedRange): string[] {
    if (!hasReadings(own.summary) || !hasReadings(summary)) return [];
    const partly = partlyMeasured({ range: own.range, devices }, { range, devices: summary.devices });
    if (partly === null) return [];
    const text = partly.lacking === 'previous' ? 'measuredThen' : 'measuredNow';
    return [t(text, { range: rangeLabel(range, timeZone, format), share: format.percent(partly.share) })];
  }
  return (
    <div className={classes.remarks}>
      {remark}
      {remarks.length > 0 && (
        <ul aria-label={t('title')}>
          {remarks.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      )}
      <p className="detail">{t('readAt', { time: format.dateTime(readAtMs, timeZone) })}</p>
    </div>
  );
}

/** The days on which the clocks of the zone change. */
function oddDays({ range }: ReportedRange, timeZone: string): { atMs: number; hours: number }[] {
  const found = [];
  for (let atMs = range.fromMs; atMs < range.toMs;) {
    const next = add(1, 'day', atMs, timeZone);
    if (next - atMs !== dayMs) found.push({ atMs, hours: (next - atMs) / 3_600_000 });
    atMs = next;
  }
  return found;
}
