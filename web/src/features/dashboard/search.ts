import type { LoadCurveGroup } from '../../../../shared/dashboard.ts';
import { readDeviceChoice, type DeviceChoice } from '../../lib/device-choice.ts';
import { readTimeRangeSearch, type TimeRangeSearch } from '../../lib/time-range.ts';

/** The search parameters of the Dashboard. Without `group` the load curve is stacked as the number of sites suggests. */
export interface DashboardSearch extends TimeRangeSearch, DeviceChoice {
  group?: LoadCurveGroup;
}

export const loadCurveGroups = ['site', 'device', 'total'] as const satisfies readonly LoadCurveGroup[];

export function readDashboardSearch(search: Record<string, unknown>): DashboardSearch {
  const group = loadCurveGroups.find((one) => one === search.group);
  return { ...readTimeRangeSearch(search), ...readDeviceChoice(search), ...(group === undefined ? {} : { group }) };
}
