import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { IconChartLine } from '@tabler/icons-react';
import { useCallback, useMemo } from 'react';
import { useTranslations } from 'use-intl';
import type { Bucket } from '../../../../shared/primitives.ts';
import type { DeviceWithSite, Site } from '../../../../shared/sites.ts';
import type { ChosenDevices } from '../../lib/chosen-devices.ts';
import { deviceNames } from '../../lib/device-choice.ts';
import { colorNumbers } from '../../lib/devices.ts';
import { ApiError } from '../../lib/http.ts';
import { type TimeRange, rangeKey } from '../../lib/time-range.ts';
import { useFormat } from '../../lib/use-format.ts';
import type { ChartData } from '../../../../shared/charts/chart-data.ts';
import { withColorNumbers } from '../../../../shared/charts/drawing.ts';
import { TimeChart } from '../../charts/TimeChart.tsx';
import { useChartZoom } from '../../charts/use-chart-zoom.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { BlockSkeleton } from '../../ui/Skeletons.tsx';
import type { ResolvedTimeRange } from '../../ui/time-range/use-time-range.ts';
import classes from './Measurements.module.css';
import { NothingInRange } from './NothingInRange.tsx';
import { maxCharted, type SeriesAnswer, useSeries } from './queries.ts';
import { defaultQuantity, isEnergy, type MeasurementsSearch, quantityKinds } from './search.ts';
import {
  seriesData,
  autoEnergyBucket,
  energyData,
  partsOfOthers,
  possibleEnergyBuckets,
  totalOf,
} from './series-data.ts';

interface ChartPanelProps {
  /** The API that the readings come from. */
  api: string;
  search: MeasurementsSearch;
  range: ResolvedTimeRange;
  timeZone: string;
  sites: readonly Site[];
  /** All devices. They show which devices are sub-meters. */
  allDevices: readonly DeviceWithSite[];
  chosen: ChosenDevices;
  onRange: (range: TimeRange) => void;
  /** Receives the zoom for the URL when it has settled. */
  onZoom: (zoom: string | undefined) => void;
  /** If undefined, the portal chooses the bucket. */
  onBucket: (bucket: Bucket | undefined) => void;
}

const chartHeight = 360;

/** The chosen quantity of up to six devices: averages as lines, energy as bars. */
export function ChartPanel(props: ChartPanelProps) {
  const { api, search, range, timeZone, sites, allDevices, chosen, onRange, onZoom, onBucket } = props;
  const t = useTranslations('measurements');
  const tTerms = useTranslations('terms');
  const tCharts = useTranslations('charts');
  const format = useFormat();
  const queryClient = useQueryClient();
  const quantity = search.quantity ?? defaultQuantity;
  const { unit, hasZero } = quantityKinds[quantity];
  const devices = useMemo(() => chosen.devices.slice(0, maxCharted), [chosen]);
  const { zoom, settled, setZoom } = useChartZoom(range, rangeKey(search, timeZone).join(), {
    text: search.zoom,
    keep: onZoom,
  });
  const energyBucket = isEnergy(quantity)
    ? (possibleEnergyBuckets(range).find((one) => one === search.bucket) ?? autoEnergyBucket(range))
    : null;
  const read = useCallback(
    (answers: readonly SeriesAnswer[]) => {
      const names = deviceNames(devices);
      const nameOf = (id: string) => names.get(id) ?? id;
      const numbers = colorNumbers(devices);
      const colored = (data: ChartData) => withColorNumbers(data, (id) => numbers.get(id));
      if (!isEnergy(quantity)) return colored(seriesData(answers, quantity, timeZone, nameOf));
      const zones = new Map(sites.map((site) => [site.id, site.timeZone]));
      const siteOf = new Map(devices.map(({ id, siteId }) => [id, siteId]));
      const zoneOf = (id: string) => zones.get(siteOf.get(id) ?? '') ?? timeZone;
      return colored(energyData(answers, { quantity, bucket: energyBucket ?? 'day', timeZone, zoneOf, nameOf }));
    },
    [devices, sites, quantity, energyBucket, timeZone],
  );
  const averageBucket = search.bucket === 'month' ? undefined : search.bucket;
  const series = useSeries({
    api,
    search,
    range,
    zoomed: settled,
    timeZone,
    devices,
    chosenBucket: energyBucket === null ? averageBucket : energyBucket === 'month' ? 'day' : energyBucket,
    hasDetail: energyBucket === null,
    read,
    kind: energyBucket ?? 'averages',
  });
  const parts = useMemo(() => {
    const parentOf = new Map(allDevices.map(({ id, parentDeviceId }) => [id, parentDeviceId]));
    return partsOfOthers(
      devices.map(({ id }) => id),
      parentOf,
    );
  }, [devices, allDevices]);
  const name = t(`quantities.${quantity}`);
  const isRefused = series.error instanceof ApiError && series.error.status === 400 && averageBucket !== undefined;
  const [only] = devices;

  return (
    <Panel
      title={name}
      description={
        chosen.devices.length > maxCharted
          ? t('chartedOf', { shown: maxCharted, count: chosen.devices.length })
          : devices.length === 1 && only !== undefined
            ? `${only.name} · ${only.siteName}`
            : t('chartedDevices', { count: devices.length })
      }
    >
      {series.error !== null ? (
        <div className={classes.chartPlace}>
          <div>
            <ErrorState
              compact
              error={series.error}
              onRetry={() => void queryClient.refetchQueries({ queryKey: ['measurements', 'series'], type: 'active' })}
            />
            {isRefused && (
              <div className={classes.refused}>
                <Button onClick={() => onBucket(undefined)}>{t('useAutomatic')}</Button>
              </div>
            )}
          </div>
        </div>
      ) : series.data === undefined ? (
        <div className={classes.chartPlace}>
          <BlockSkeleton height="100%" />
        </div>
      ) : (
        <div data-stale={series.isStale} className="until-answered">
          <TimeChart
            title={name}
            data={series.data}
            kind={energyBucket === null ? 'lines' : parts.size > 0 ? 'sideBySide' : 'bars'}
            unit={unit}
            hasZero={hasZero}
            range={range}
            zoom={zoom}
            onZoom={setZoom}
            onUseAsRange={onRange}
            timeZone={timeZone}
            height={chartHeight}
            note={
              energyBucket === null
                ? tCharts('averages', { bucket: tCharts(`each.${series.bucket}`) })
                : t(parts.size > 0 ? 'energySumOnce' : 'energySum', {
                    bucket: tCharts(`each.${energyBucket}`),
                    energy: format.energy(totalOf(series.data, (id) => !parts.has(id))),
                  })
            }
            zoomAction={
              series.isCoarse && (
                <Button variant="subtle" size="compact-xs" onClick={() => onBucket(undefined)}>
                  {t('finer')}
                </Button>
              )
            }
            empty={
              series.hasReadings ? (
                <EmptyState
                  icon={<IconChartLine size={22} stroke={1.75} />}
                  title={energyBucket === null ? t('notMeasured', { name }) : tTerms('noEnergy')}
                >
                  {energyBucket === null ? t('notMeasuredHint') : t('noEnergyHint')}
                </EmptyState>
              ) : (
                <NothingInRange api={api} range={range} timeZone={timeZone} chosen={chosen} onRange={onRange} />
              )
            }
          />
        </div>
      )}
    </Panel>
  );
}
