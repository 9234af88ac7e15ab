import { useQueries, type UseQueryResult } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { Bucket } from '../../../../shared/buckets.ts';
import type { DeviceWithSite } from '../../../../shared/sites.ts';
import type { TimeRange } from '../../lib/time-range.ts';
import { autoBucket, bucketLength, isFiner } from '../../ui/charts/buckets.ts';
import { withDetail, type ChartData } from '../../ui/charts/chart-data.ts';
import { paddedWindow } from '../../ui/charts/use-chart-zoom.ts';
import type { ResolvedTimeRange } from '../../ui/time-range/use-time-range.ts';
import { maxPoints, seriesDetailQuery, seriesQuery, type SeriesAnswer } from './queries.ts';
import type { MeasurementsSearch } from './search.ts';

interface SeriesParts {
  api: string;
  search: MeasurementsSearch;
  range: ResolvedTimeRange;
  /** The part that is zoomed, once the reader rests. */
  zoomed: TimeRange | null;
  timeZone: string;
  devices: readonly DeviceWithSite[];
  /** Undefined leaves it to the length of the range. */
  chosenBucket: Bucket | undefined;
  /** Whether a zoomed part may come in finer buckets than the rest. */
  hasDetail: boolean;
  /** What is drawn of the answers. */
  read: (answers: readonly SeriesAnswer[]) => ChartData;
  /** What is drawn is of this kind: the chart of another one does not stay. */
  kind: string;
}

interface Answers {
  /** Undefined until every device has answered. */
  answers: SeriesAnswer[] | undefined;
  error: Error | null;
}

const combined = (results: UseQueryResult<SeriesAnswer>[]): Answers => {
  const answers = results.flatMap(({ data }) => (data === undefined ? [] : [data]));
  return {
    answers: answers.length === results.length ? answers : undefined,
    error: results.find(({ error }) => error !== null)?.error ?? null,
  };
};

/**
 * The chart of the chosen devices. While another view is loaded the chart of the one before stays (`isStale`); where the
 * bucket is left to the portal, a zoomed part comes in finer buckets.
 */
export function useSeries(parts: SeriesParts) {
  const { api, search, range, zoomed, timeZone, devices, chosenBucket, hasDetail, read, kind } = parts;
  const base = useQueries({
    queries: devices.map(({ id }) => seriesQuery({ api, deviceId: id }, search, timeZone, chosenBucket, range.isLive)),
    combine: combined,
  });
  const bucket: Bucket = base.answers?.[0]?.bucket ?? chosenBucket ?? autoBucket(range, maxPoints);
  const zoomBucket = zoomed === null ? bucket : autoBucket(zoomed, maxPoints);
  const canBeFiner = hasDetail && zoomed !== null && isFiner(zoomBucket, bucket);
  const isDetailed = canBeFiner && chosenBucket === undefined;
  const window = paddedWindow(zoomed ?? range, range, bucketLength(bucket));
  const detail = useQueries({
    queries: isDetailed ? devices.map(({ id }) => seriesDetailQuery({ api, deviceId: id }, window, zoomBucket)) : [],
    combine: combined,
  });

  const data = useMemo(() => {
    if (base.answers === undefined) return undefined;
    const whole = read(base.answers);
    const [first] = detail.answers ?? [];
    if (first === undefined || detail.answers === undefined) return whole;
    return withDetail(whole, read(detail.answers), first.range);
  }, [base.answers, detail.answers, read]);

  const [kept, setKept] = useState({ answers: base.answers, data, kind });
  if (base.answers !== undefined && base.answers !== kept.answers) setKept({ answers: base.answers, data, kind });
  return {
    data: data ?? (kept.kind === kind ? kept.data : undefined),
    isStale: data === undefined,
    error: data === undefined ? base.error : null,
    /** The bucket of what is in view. */
    bucket: isDetailed && detail.answers?.[0] !== undefined ? zoomBucket : bucket,
    /** A bucket was chosen by hand, and the part in view has room for finer ones. */
    isCoarse: canBeFiner && chosenBucket !== undefined,
    /** Whether any device has any reading in the range, of whatever quantity. */
    hasReadings: base.answers?.some(({ rows }) => rows.length > 0) ?? true,
  };
}
