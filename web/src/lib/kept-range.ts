import { readDeviceChoice, type DeviceChoice } from './device-choice.ts';
import { readTimeRangeSearch, type TimeRangeSearch } from './time-range.ts';

const rangeStore = 'time-range';
const choiceStore = 'dashboard-choice';
const measuredStore = 'measured-devices';

function keep(store: string, search: object): void {
  try {
    sessionStorage.setItem(store, JSON.stringify(search));
  } catch {
    // For a browser that blocks storage: the next page starts with the default.
  }
}

function kept(store: string): Record<string, unknown> {
  try {
    const found: unknown = JSON.parse(sessionStorage.getItem(store) ?? 'null');
    return { ...(typeof found === 'object' ? found : null) };
  } catch {
    return {};
  }
}

/** Remembers the range of a page for the next pages in this tab, even if pages without a range come in between. */
export const keepRange = (search: TimeRangeSearch): void => keep(rangeStore, search);

/** The range that this tab showed last, otherwise the default. */
export const keptRange = (): TimeRangeSearch => readTimeRangeSearch(kept(rangeStore));

/** Remembers the devices of the Overview, for when the user returns to it. */
export const keepChoice = (choice: DeviceChoice): void => keep(choiceStore, choice);

export const keptChoice = (): DeviceChoice => readDeviceChoice(kept(choiceStore));

/** Remembers the devices that Measurements showed last, for each owner of devices. */
export const keepMeasured = (api: string, devices: string): void =>
  keep(measuredStore, { ...kept(measuredStore), [api]: devices });

export function keptMeasured(api: string): string | undefined {
  const devices = kept(measuredStore)[api];
  return typeof devices === 'string' ? devices : undefined;
}
