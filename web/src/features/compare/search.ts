import { comparisonAlignment } from '../../../../shared/comparison.ts';
import { isChoice, readDeviceChoice, type DeviceChoice } from '../../lib/device-choice.ts';
import {
  readSpan,
  readTimeRangeSearch,
  resolveTimeRange,
  shiftRange,
  spanText,
  unknownRange,
  type TimeRange,
  type TimeRangeSearch,
} from '../../lib/time-range.ts';

/**
 * The two sides in the URL: range and devices of each. Those of the other side are left out if they have their default values.
 */
export interface CompareSearch extends TimeRangeSearch, DeviceChoice {
  otherRange?: TimeRangeSearch['range'];
  otherFrom?: string;
  otherTo?: string;
  otherSites?: string;
  otherDevices?: string;
  align?: 'weekday' | 'day';
  /** The part of the axis that the chart shows. */
  zoom?: string;
}

export function readCompareSearch(search: Record<string, unknown>): CompareSearch {
  const zoom = readSpan(search.zoom);
  const align = comparisonAlignment.options.find((one) => one === search.align);
  return {
    ...readTimeRangeSearch(search),
    ...readDeviceChoice(search),
    ...asOther(otherRangeOf(search), readDeviceChoice({ sites: search.otherSites, devices: search.otherDevices })),
    ...(align === undefined ? {} : { align }),
    ...(zoom === null ? {} : { zoom: spanText(zoom) }),
  };
}

/** The range of the other side, if the URL has one. */
function otherRangeOf({ otherRange, otherFrom, otherTo }: Record<string, unknown>): TimeRangeSearch | null {
  // `today` is the default of a page, so here it must be written explicitly.
  if (otherRange === 'today') return { range: 'today' };
  const { tz: _tz, ...range } = readTimeRangeSearch({ range: otherRange, from: otherFrom, to: otherTo });
  return Object.keys(range).length === 0 ? null : range;
}

function asOther(range: TimeRangeSearch | null, { sites, devices }: DeviceChoice): CompareSearch {
  const { range: otherRange, from: otherFrom, to: otherTo } = range ?? {};
  return {
    ...(otherRange === undefined ? {} : { otherRange }),
    ...(otherFrom === undefined ? {} : { otherFrom }),
    ...(otherTo === undefined ? {} : { otherTo }),
    ...(sites === undefined ? {} : { otherSites: sites }),
    ...(devices === undefined ? {} : { otherDevices: devices }),
  };
}

export interface Sides {
  choice: DeviceChoice;
  otherChoice: DeviceChoice;
  range: TimeRange;
  otherRange: TimeRange;
}

/**
 * The compared sides. Without more in the URL: if there are other devices, the same range; otherwise the same devices over the
 * previous range.
 */
export function sidesOf(search: CompareSearch, timeZone: string, nowMs: number): Sides {
  const choice = readDeviceChoice({ ...search });
  const other = readDeviceChoice({ sites: search.otherSites, devices: search.otherDevices });
  const range = resolveTimeRange(search, timeZone, nowMs);
  const chosen = otherRangeOf({ ...search });
  const usual = isChoice(other) ? range : shiftRange(range, -1, timeZone);
  return {
    choice,
    otherChoice: isChoice(other) ? other : choice,
    range,
    otherRange: chosen === null || chosen.range === unknownRange ? usual : resolveTimeRange(chosen, timeZone, nowMs),
  };
}

/** The URL with another range on the other side. */
export function withOtherRange(search: CompareSearch, range: TimeRangeSearch): CompareSearch {
  const { otherRange: _range, otherFrom: _from, otherTo: _to, ...rest } = search;
  const { from, to, range: preset } = range;
  return {
    ...rest,
    ...asOther(from === undefined || to === undefined ? { range: preset ?? 'today' } : { from, to }, {}),
  };
}

/** The URL with other devices on the other side. */
export function withOtherChoice(search: CompareSearch, choice: DeviceChoice): CompareSearch {
  const { otherSites: _sites, otherDevices: _devices, ...rest } = search;
  return { ...rest, ...asOther(null, choice) };
}
