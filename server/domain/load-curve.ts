import type { EnergyBuckets } from './energy.ts';
import { addsUp } from './energy-totals.ts';
import { averagePowerAt, type Statistics } from './statistics.ts';

export interface CurveSeries {
  id: string;
  name: string;
  averagePowerKw: (number | null)[];
  energyImportedKwh: (number | null)[];
}

/** The line of the chart that a device belongs to. */
export interface CurveMember {
  number: number;
  seriesId: string;
  seriesName: string;
}

interface MemberDevice {
  number: number;
  id: string;
  name: string;
  siteId: string;
  siteName: string;
  countedIn: string | null;
}

/** Devices by the series that they belong to. Sub-meters are series of their own, and in no sum that has their main meter. */
export function membersBy(groupBy: 'device' | 'site' | 'total', devices: readonly MemberDevice[]): CurveMember[] {
  if (groupBy === 'device') {
    return devices.map(({ number, id, name }) => ({ number, seriesId: id, seriesName: name }));
  }
  return devices
    .filter(addsUp)
    .map(({ number, siteId, siteName }) =>
      groupBy === 'site'
        ? { number, seriesId: siteId, seriesName: siteName }
        : { number, seriesId: 'total', seriesName: 'Total' },
    );
}

export interface LoadCurve {
  /** Adds the measurements of one device, by bucket; the arrays may be reused afterwards. */
  addDevice: (deviceNumber: number, buckets: { energy: EnergyBuckets; statistics: Statistics }) => void;
  /** In the order of the members. */
  series: readonly CurveSeries[];
}

/**
 * One series for each distinct `seriesId`, in the order of the members, with a value for each of `bucketCount` buckets: the
 * sum of its devices' averages, null if none of them measured, and of their energy, null if nothing is known of it.
 */
export function createLoadCurve(members: readonly CurveMember[], bucketCount: number): LoadCurve {
  const series = new Map<string, CurveSeries>();
  const seriesOf = new Map<number, CurveSeries>();
  for (const { number, seriesId: id, seriesName: name } of members) {
    const empty = () => Array.from<number | null>({ length: bucketCount }).fill(null);
    const create = () => ({ id, name, averagePowerKw: empty(), energyImportedKwh: empty() });
    seriesOf.set(number, series.getOrInsertComputed(id, create));
  }
  return {
    series: [...series.values()],
    addDevice(deviceNumber, { energy, statistics }) {
      const own = seriesOf.get(deviceNumber);
      if (own === undefined) return;
      for (let at = 0; at < bucketCount; at += 1) {
        const activePowerKw = averagePowerAt(statistics, at);
        if (activePowerKw !== null) own.averagePowerKw[at] = (own.averagePowerKw[at] ?? 0) + activePowerKw;
        const kwh = energy.importedKwh[at] ?? 0;
        if (activePowerKw !== null || kwh !== 0) own.energyImportedKwh[at] = (own.energyImportedKwh[at] ?? 0) + kwh;
      }
    },
  };
}
