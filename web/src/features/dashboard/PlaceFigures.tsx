import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslations } from 'use-intl';
import { useDisplayZone } from '../../lib/current-user.ts';
import { devicesOfChoice, type DeviceChoice } from '../../lib/device-choice.ts';
import { devicesQuery } from '../../lib/devices.ts';
import { linkedRange } from '../../lib/time-range.ts';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { LinkButton } from '../../ui/LinkButton.tsx';
import { BlockSkeleton } from '../../ui/Skeletons.tsx';
import { TimeRangePicker } from '../../ui/time-range/TimeRangePicker.tsx';
import { useTimeRange } from '../../ui/time-range/use-time-range.ts';
import { CostPanel } from './panels/CostPanel.tsx';
import classes from './Dashboard.module.css';
import { ExplainDialog } from './explain/ExplainDialog.tsx';
import { LoadCurvePanel } from './panels/LoadCurvePanel.tsx';
import { MomentPanel } from './panels/MomentPanel.tsx';
import { comparisonQuery, summaryQuery } from './queries.ts';
import { PowerTiles } from './tiles/MoreTiles.tsx';
import { MainTiles } from './tiles/RangeTiles.tsx';
import { Verdict } from './tiles/StatusStrip.tsx';
import { RatesLink } from './RatesLink.tsx';
import { withReference, type DashboardSearch } from './search.ts';
import tiles from './tiles/Tiles.module.css';
import { viewsOf, type ChangeView } from './view.ts';

interface PlaceFiguresProps {
  /** The site or device of the page. */
  choice: DeviceChoice;
  /** The search parameters of the page: its range and view. */
  search: DashboardSearch;
  onChange: ChangeView;
}

/** Energy, cost, peak and load curve of one site or device over the shared time range, in the Overview's layout. */
export function PlaceFigures({ choice, search: own, onChange }: PlaceFiguresProps) {
  const t = useTranslations('dashboard.place');
  const search = useMemo(() => ({ ...own, ...choice }), [own, choice]);
  const timeZone = useDisplayZone(search);
  const range = useTimeRange(search, timeZone);
  const all = useQuery(devicesQuery);
  const summary = useQuery(summaryQuery(search, timeZone));
  const comparison = useQuery(comparisonQuery(search, timeZone, range.isLive));
  const compared = comparison.isError ? undefined : comparison.data;
  const devices = useMemo(() => devicesOfChoice(choice, all.data ?? []), [choice, all.data]);
  const views = viewsOf({ search, range, timeZone, deviceCount: devices.length, change: onChange });
  const explain = () => views.explain({ shows: 'lines' });
  const retry = () => {
    for (const query of [all, summary]) if (query.isError) void query.refetch();
  };
  const isKnown = summary.data !== undefined && all.data !== undefined;
  const failure = summary.error ?? all.error;
  return (
    <section aria-label={t('title')}>
      <div className={classes.placeHead}>
        <h2 className={classes.placeTitle}>{t('title')}</h2>
        <TimeRangePicker search={search} timeZone={timeZone} onChange={views.chooseRange} />
        <LinkButton to="/dashboard" search={{ ...linkedRange(search), ...choice }} variant="default">
          {t('open')}
        </LinkButton>
      </div>
      {!isKnown && (failure === null ? <BlockSkeleton height={640} /> : <ErrorState error={failure} onRetry={retry} />)}
      {isKnown && (
        <>
          <div className={`${tiles.strip} screen-only`}>
            <Verdict range={range} summary={summary.data} comparison={compared} />
          </div>
          <dl className={tiles.tiles}>
            <MainTiles
              summary={summary.data}
              comparison={compared}
              search={search}
              timeZone={timeZone}
              isStale={summary.isPlaceholderData}
              ratesLink={<RatesLink />}
              onExplain={explain}
              onWhy={(currency) => views.explain({ shows: 'change', currency })}
            />
            <PowerTiles
              summary={summary.data}
              timeZone={timeZone}
              isStale={summary.isPlaceholderData}
              onMoment={views.showMoment}
            />
          </dl>
          <LoadCurvePanel
            search={search}
            range={range}
            timeZone={timeZone}
            devices={devices}
            summary={summary.data}
            onGroup={(group) => onChange((before) => ({ ...before, group }), true)}
            onRange={views.showRange}
            onReference={(id, isShown) => onChange((before) => withReference(before, id, isShown), true)}
            onZoom={views.keepZoom}
          />
          {views.moment !== null && (
            <MomentPanel
              search={search}
              moment={views.moment}
              timeZone={timeZone}
              devices={devices}
              summary={summary.data}
              onClose={views.leaveMoment}
            />
          )}
          <div className={classes.panel}>
            <CostPanel
              search={search}
              range={range}
              timeZone={timeZone}
              onExplain={explain}
              onGroup={views.showDates}
            />
          </div>
          <ExplainDialog
            view={views.explained}
            onView={views.explain}
            search={search}
            range={range}
            timeZone={timeZone}
          />
        </>
      )}
    </section>
  );
}
