import type { LoadCurveGroup } from '../../../../shared/dashboard.ts';
import { readDeviceChoice, type DeviceChoice } from '../../lib/device-choice.ts';
import { deviceStates, type DeviceState } from '../../../../shared/states.rules.ts';
import { readSpan, readTimeRangeSearch, spanText, type TimeRangeSearch } from '../../lib/time-range.ts';

/**
 * How the load curve is stacked: by a grouping of the portal, or by the devices with the largest changes since the previous
 * range.
 */
export type CurveGroup = LoadCurveGroup | 'changed';

/** The search parameters of the Overview. Without `group`, the number of sites decides how the load curve is stacked. */
export interface DashboardSearch extends TimeRangeSearch, DeviceChoice {
  group?: CurveGroup;
  /** The part of the range that the load curve shows, as two instants. */
  zoom?: string;
  /** The quarter-hour or hour for which every device is listed, as two instants. */
  at?: string;
  /** The list shows the devices in this state. */
  state?: DeviceState;
  /** The open explanation of the cost: the lines of the cost; its change; or its change, with one currency first. */
  why?: string;
  /** Whether the dialog is open that ranks devices by their power at night. */
  nights?: true;
  /** The comparisons of the load curve, separated by commas, or `none`; default: usual consumption. */
  with?: string;
}

/** Usual consumption, the previous day and the previous week. */
export const referenceIds = ['usual', 'day', 'week'] as const;
export type ReferenceId = (typeof referenceIds)[number];
const defaultReferences = 'usual';

export const referencesOf = ({ with: given = defaultReferences }: DashboardSearch): ReferenceId[] =>
  referenceIds.filter((id) => given.split(',').includes(id));

/** The URL with one comparison switched on or off. */
export function withReference(search: DashboardSearch, id: string, isShown: boolean): DashboardSearch {
  const { with: _with, ...rest } = search;
  const shown = new Set<string>(referencesOf(search));
  if (isShown) shown.add(id);
  else shown.delete(id);
  const text = referenceIds.filter((one) => shown.has(one)).join(',') || 'none';
  return text === defaultReferences ? rest : { ...rest, with: text };
}

export const loadCurveGroups = [
  'site',
  'device',
  'endUse',
  'changed',
  'total',
] as const satisfies readonly CurveGroup[];

/** At most two hours, because an hour may occur twice. A longer span is not a moment. */
const longestMomentMs = 2 * 3_600_000;

export function readDashboardSearch(search: Record<string, unknown>): DashboardSearch {
  const group = loadCurveGroups.find((one) => one === search.group);
  const state = deviceStates.find((one) => one === search.state);
  const why = typeof search.why === 'string' && /^(?:lines|change|[A-Z]{3})$/.test(search.why) ? search.why : undefined;
  const [zoom, at] = [readSpan(search.zoom), readSpan(search.at)];
  const references =
    typeof search.with === 'string' ? referencesOf({ with: search.with }).join(',') || 'none' : defaultReferences;
  return {
    ...readTimeRangeSearch(search),
    ...readDeviceChoice(search),
    ...(group === undefined ? {} : { group }),
    ...(zoom === null ? {} : { zoom: spanText(zoom) }),
    ...(at === null || at.toMs - at.fromMs > longestMomentMs ? {} : { at: spanText(at) }),
    ...(state === undefined ? {} : { state }),
    ...(why === undefined ? {} : { why }),
    ...(search.nights === true ? { nights: true } : {}),
    ...(references === defaultReferences ? {} : { with: references }),
  };
}

/** The search parameters of the page of a site or a device, whose figures are those of the Overview. */
export type PlaceSearch = Omit<DashboardSearch, 'sites' | 'devices' | 'state' | 'nights'>;

export function readPlaceSearch(search: Record<string, unknown>): PlaceSearch {
  const { sites: _sites, devices: _devices, state: _state, nights: _nights, ...rest } = readDashboardSearch(search);
  return rest;
}
