import {
  isDurationString,
  isRelativeTimeRange,
  parseDurationString,
  type AbsoluteTimeRange,
  type DurationString,
  type TimeRangeValue,
} from '@perses-dev/core';
import { TimeRangeContext, useTimeRange, type TimeRange } from '@perses-dev/plugin-system';
import { milliseconds } from 'date-fns';
import { useEffect, useMemo, useState, type ReactElement, type ReactNode } from 'react';
import { QueryParamProvider, StringParam, useQueryParams } from 'use-query-params';
import { isRangeName, rangeNow } from './presets.ts';

interface RangeProviderProps {
  duration: DurationString;
  refreshInterval: DurationString;
  children: ReactNode;
}

const inAddress = { start: StringParam, end: StringParam, refresh: StringParam };

/**
 * The time range of the URL, or else of the dashboard. It replaces the provider of Perses, which knows durations but not days
 * or months.
 */
export function RangeProvider({ duration, refreshInterval, children }: RangeProviderProps) {
  const [asked, ask] = useQueryParams(inAddress);
  const [count, setCount] = useState(0);
  const { start, end } = asked;
  const timeRange = useMemo(() => rangeIn(start, end) ?? { pastDuration: duration }, [start, end, duration]);
  const { refresh = null } = asked;
  const interval = refresh !== null && isDurationString(refresh) ? refresh : refreshInterval;
  const intervalMs = milliseconds(parseDurationString(interval));

  useEffect(() => {
    if (intervalMs === 0) return;
    const timer = setInterval(() => setCount((before) => before + 1), intervalMs);
    return () => clearInterval(timer);
  }, [intervalMs]);

  const value = useMemo((): TimeRange => {
    const absoluteTimeRange = isRelativeTimeRange(timeRange) ? rangeNow(timeRange.pastDuration) : timeRange;
    return {
      timeRange,
      absoluteTimeRange,
      setTimeRange: (next) => ask(addressOf(next)),
      refresh: () => setCount((before) => before + 1),
      refreshKey: `${absoluteTimeRange.start.getTime()} ${absoluteTimeRange.end.getTime()} ${count}`,
      refreshInterval: interval,
      refreshIntervalInMs: intervalMs,
      setRefreshInterval: (next) => ask({ refresh: next }),
    };
  }, [timeRange, interval, intervalMs, count, ask]);
  return <TimeRangeContext.Provider value={value}>{children}</TimeRangeContext.Provider>;
}

type InAddress = string | null | undefined;

/** The range in a URL; null if it has none. */
function rangeIn(start: InAddress, end: InAddress): TimeRangeValue | null {
  if (isRangeName(start)) return { pastDuration: start };
  const [from, to] = [new Date(Number(start ?? NaN)), new Date(Number(end ?? NaN))];
  return from < to ? { start: from, end: to } : null;
}

const addressOf = (range: TimeRangeValue) =>
  isRelativeTimeRange(range) ? { start: range.pastDuration, end: null } : instantsOf(range);
const instantsOf = ({ start, end }: AbsoluteTimeRange) => ({ start: `${start.getTime()}`, end: `${end.getTime()}` });

interface Adapted {
  children: (adapter: { location: { search: string }; push: () => void; replace: () => void }) => ReactElement | null;
}

/** The shown range as a URL that Perses reads. Nothing changes this URL. */
function ShownRange({ children }: Adapted) {
  const search = `?${new URLSearchParams(instantsOf(useTimeRange().absoluteTimeRange))}`;
  return children({ location: { search }, push: () => undefined, replace: () => undefined });
}

/** The panel editor reads the range of its preview from the URL. This URL has instants, even if the range has a name. */
export const WithShownRange = ({ children }: { children: ReactNode }) => (
  <QueryParamProvider adapter={ShownRange}>{children}</QueryParamProvider>
);
