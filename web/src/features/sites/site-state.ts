import type { DeviceState } from '../../lib/live-state.ts';

/** A device as it is right now. */
export interface LiveDevice {
  state: DeviceState;
  /** Null while no reading is young enough. */
  currentPowerKw: number | null;
  lastMeasuredAt: string | null;
}

export interface SiteState {
  /** Devices by state. */
  counts: Record<DeviceState, number>;
  /** Sum of what is measured now; null where nothing is. */
  currentPowerKw: number | null;
  /** The newest reading of all its devices. */
  lastMeasuredAt: string | null;
}

/** What the devices of one site come to. One that is switched off adds no power. */
export function siteState(devices: readonly LiveDevice[]): SiteState {
  const site: SiteState = {
    counts: { off: 0, noData: 0, silent: 0, live: 0 },
    currentPowerKw: null,
    lastMeasuredAt: null,
  };
  for (const { state, currentPowerKw, lastMeasuredAt } of devices) {
    site.counts[state] += 1;
    site.lastMeasuredAt = newer(site.lastMeasuredAt, lastMeasuredAt);
    if (state !== 'off' && currentPowerKw !== null) {
      site.currentPowerKw = (site.currentPowerKw ?? 0) + currentPowerKw;
    }
  }
  return site;
}

function newer(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return a ?? b;
  return Date.parse(a) > Date.parse(b) ? a : b;
}
