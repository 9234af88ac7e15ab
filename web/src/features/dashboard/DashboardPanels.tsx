import { lazy, Suspense, useEffect, useState } from 'react';
import { hasTree } from '../../../../shared/reports.ts';
import type { DashboardSummary } from '../../../../shared/dashboard.ts';
import type { DeviceWithSite } from '../../../../shared/sites.ts';
import type { DeviceState } from '../../../../shared/states.rules.ts';
import { loadCode } from '../../lib/load-code.ts';
import { InTurn } from '../../ui/InTurn.tsx';
import { BlockSkeleton } from '../../ui/Skeletons.tsx';
import type { ResolvedTimeRange } from '../../ui/time-range/use-time-range.ts';
import { type changesOf, shownChanges } from './changes.ts';
import { CostPanel } from './panels/CostPanel.tsx';
import classes from './Dashboard.module.css';
import { DeviceEnergyPanel } from './panels/DeviceEnergyPanel.tsx';
import { DevicesPanel } from './panels/DevicesPanel.tsx';
import { HeatmapPanel } from './panels/HeatmapPanel.tsx';
import { LoadCurvePanel } from './panels/LoadCurvePanel.tsx';
import { QualityPanel } from './panels/QualityPanel.tsx';
import { withReference, type DashboardSearch } from './search.ts';
import { MoreTiles } from './tiles/MoreTiles.tsx';
import type { ChangeView, ExplainView, viewsOf } from './view.ts';

const rowHeight = 50;
const frameHeight = 125;

/** Reserves space for the changes while they load, so that nothing below moves. */
function ChangesPlace({ deviceCount }: { deviceCount: number }) {
  return (
    <div className={classes.panel}>
      <BlockSkeleton height={frameHeight + rowHeight * Math.min(shownChanges, deviceCount)} />
    </div>
  );
}

const LazyWhoUsesWhatPanel = lazy(
  loadCode(async () => ({ default: (await import('./panels/WhoUsesWhatPanel.tsx')).WhoUsesWhatPanel })),
);
const ChangesPanel = lazy(
  loadCode(async () => ({ default: (await import('./panels/ChangesPanel.tsx')).ChangesPanel })),
);
const LazyExplainDialog = lazy(
  loadCode(async () => ({ default: (await import('./explain/ExplainDialog.tsx')).ExplainDialog })),
);
const NightsDialog = lazy(
  loadCode(async () => ({ default: (await import('./panels/NightsDialog.tsx')).NightsDialog })),
);
const MomentPanel = lazy(loadCode(async () => ({ default: (await import('./panels/MomentPanel.tsx')).MomentPanel })));

/** Loaded long after the page is drawn, because evaluating this code takes a slow phone a fifteenth of a second. */
const explainAfterMs = 10_000;

/** The height (px) of the panels that are not drawn yet. */
const restHeight = 800;

interface DashboardPanelsProps {
  search: DashboardSearch;
  range: ResolvedTimeRange;
  timeZone: string;
  /** The devices on the page, at least one. */
  chosen: readonly DeviceWithSite[];
  summary: DashboardSummary;
  /** The displayed numbers are still those of the previous range. */
  isStale: boolean;
  /** Undefined while they are loading; null if there are none. */
  changes: ReturnType<typeof changesOf>;
  /** The state of each device by its id. */
  states: ReadonlyMap<string, DeviceState>;
  views: ReturnType<typeof viewsOf>;
  onExplain: (view: ExplainView) => void;
  onState: (state: DeviceState | null) => void;
  change: ChangeView;
}

/** The panels below the first numbers: curves, energy and cost by device and day, quality, and the devices. */
export function DashboardPanels(props: DashboardPanelsProps) {
  const { search, range, timeZone, chosen, summary, isStale, changes, states, views, change } = props;
  const { onExplain, onState } = props;
  const { explained } = views;
  const [wasExplained, setWasExplained] = useState(false);
  if (explained !== null && !wasExplained) setWasExplained(true);
  // This is also available without a connection.
  useEffect(() => {
    const later = setTimeout(() => void import('./explain/ExplainDialog.tsx').catch(() => undefined), explainAfterMs);
    return () => clearTimeout(later);
  }, []);
  return (
    <>
      <InTurn rest={<BlockSkeleton height={restHeight} />}>
        <LoadCurvePanel
          search={search}
          range={range}
          timeZone={timeZone}
          devices={chosen}
          summary={summary}
          onGroup={(group) => change((before) => ({ ...before, group }), true)}
          onReference={(id, isShown) => change((before) => withReference(before, id, isShown), true)}
          onRange={views.showRange}
          onZoom={views.keepZoom}
        />
        {views.moment !== null && (
          <Suspense fallback={null}>
            <MomentPanel
              search={search}
              moment={views.moment}
              timeZone={timeZone}
              devices={chosen}
              summary={summary}
              onClose={views.leaveMoment}
            />
          </Suspense>
        )}
        <MoreTiles
          search={search}
          timeZone={timeZone}
          isLive={range.isLive}
          summary={summary}
          isStale={isStale}
          onMoment={views.showMoment}
          onNights={() => change((before) => ({ ...before, nights: true }))}
        />
        <div className={classes.pair}>
          <DeviceEnergyPanel search={search} summary={summary} chosen={chosen} timeZone={timeZone} isStale={isStale} />
          <CostPanel
            search={search}
            range={range}
            timeZone={timeZone}
            onExplain={() => onExplain({ shows: 'lines' })}
            onGroup={views.showDates}
          />
        </div>
        {/* Without measurements there is nothing to divide, not 0 kWh. */}
        {summary.averagePowerKw !== null && hasTree(summary.devices) && (
          <Suspense fallback={<BlockSkeleton height={320} />}>
            <LazyWhoUsesWhatPanel summary={summary} timeZone={timeZone} isStale={isStale} />
          </Suspense>
        )}
        {changes === undefined ? (
          <ChangesPlace deviceCount={chosen.length} />
        ) : (
          changes !== null && (
            <Suspense fallback={<ChangesPlace deviceCount={chosen.length} />}>
              <ChangesPanel search={search} timeZone={timeZone} {...changes} />
            </Suspense>
          )
        )}
        <HeatmapPanel
          search={search}
          range={range}
          timeZone={timeZone}
          onMoment={views.showMoment}
          onMonth={views.showDates}
        />
        <QualityPanel search={search} range={range} timeZone={timeZone} />
        <DevicesPanel search={search} summary={summary} states={states} onState={onState} />
      </InTurn>
      {search.nights === true && (
        <Suspense>
          <NightsDialog
            search={search}
            timeZone={timeZone}
            onClose={() => change(({ nights: _nights, ...rest }) => rest)}
          />
        </Suspense>
      )}
      {wasExplained && (
        <Suspense>
          <LazyExplainDialog
            view={explained}
            onView={views.explain}
            search={search}
            range={range}
            timeZone={timeZone}
          />
        </Suspense>
      )}
    </>
  );
}
