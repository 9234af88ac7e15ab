import { add } from '../../../../shared/time.ts';
import {
  readSpan,
  resolveTimeRange,
  searchOfRange,
  spanText,
  type TimeRange,
  type TimeRangeSearch,
} from '../../lib/time-range.ts';
import { fitsSeries } from '../../../../shared/charts/buckets.ts';
import type { DashboardSearch } from './search.ts';

/** Opens another view of the same page and keeps the scroll position. A view that is replaced gets no entry in the history. */
export type ChangeView = (next: (before: DashboardSearch) => DashboardSearch, isReplaced?: boolean) => void;

interface ViewParts {
  search: DashboardSearch;
  range: TimeRange;
  timeZone: string;
  deviceCount: number;
  change: ChangeView;
}

/** The places to which the page scrolls when a moment, or the devices in a state, are opened. */
export const loadCurvePlace = 'load-curve';
export const devicesPlace = 'devices';

/** The visible time before and after a moment that the user selects. */
const aroundMomentMs = 2 * 3_600_000;

/** How long to wait for a place that is not drawn yet. */
const patienceMs = 3_000;

/** Scrolls to a place of the page, once it exists. */
export function lookAt(id: string, untilMs = performance.now() + patienceMs): void {
  const place = document.getElementById(id);
  if (place !== null) place.scrollIntoView({ block: 'start' });
  else if (performance.now() < untilMs) requestAnimationFrame(() => lookAt(id, untilMs));
}

/** The explanation of a cost: its lines, or why it differs from that of another range. A currency may come first. */
export interface ExplainView {
  shows: 'lines' | 'change';
  currency?: string;
}

/** Which explanation of the cost a URL opens; null for none. */
export function explainedIn({ why }: DashboardSearch): ExplainView | null {
  if (why === undefined) return null;
  return why === 'lines' || why === 'change' ? { shows: why } : { shows: 'change', currency: why };
}

const whyOf = ({ shows, currency }: ExplainView): string => (shows === 'change' ? (currency ?? shows) : shows);

/** The links of a page's numbers: to other ranges, and to moments in a range. */
export function viewsOf({ search, range, timeZone, deviceCount, change }: ViewParts) {
  const chooseRange = (next: TimeRangeSearch) =>
    change(({ range: _range, from: _from, to: _to, tz: _tz, zoom: _zoom, at: _at, ...rest }) => ({ ...rest, ...next }));
  const showRange = (next: TimeRange) =>
    chooseRange({
      ...searchOfRange(next, timeZone, Date.now()),
      ...(search.tz === undefined ? {} : { tz: search.tz }),
    });
  return {
    moment: readSpan(search.at),
    explained: explainedIn(search),
    explain: (view: ExplainView | null) =>
      change(({ why: _why, ...rest }) => (view === null ? rest : { ...rest, why: whyOf(view) }), true),
    chooseRange,
    showRange,
    /** A local date or month. */
    showDates: (group: string) => {
      const first = group.length === 7 ? `${group}-01` : group;
      const { fromMs } = resolveTimeRange({ from: first, to: first }, timeZone, 0);
      showRange({ fromMs, toMs: add(1, group.length === 7 ? 'month' : 'day', fromMs, timeZone) });
    },
    showMoment: (moment: TimeRange) => {
      const zoom = spanText({
        fromMs: Math.max(range.fromMs, moment.fromMs - aroundMomentMs),
        toMs: Math.min(range.toMs, moment.toMs + aroundMomentMs),
      });
      const stack = fitsSeries(range, 'day', deviceCount) ? { group: 'device' as const } : {};
      change((before) => ({ ...before, ...stack, zoom, at: spanText(moment) }));
      lookAt(loadCurvePlace);
    },
    leaveMoment: () => change(({ zoom: _zoom, at: _at, ...rest }) => rest),
    keepZoom: (zoom: string | undefined) =>
      change(({ zoom: _zoom, ...rest }) => (zoom === undefined ? rest : { ...rest, zoom }), true),
  };
}
