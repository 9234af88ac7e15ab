import type { EnergyBuckets } from '../energy/energy.rules.ts';
import { addsUp } from '../energy/device-tree.rules.ts';
import { apartId } from '../../shared/dashboard.ts';
import { byNames } from '../base/names.ts';
import { averagePowerAt, type Statistics } from '../energy/statistics.rules.ts';

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
  /** The member whose energy includes its own, and from whose series it is subtracted. */
  within?: number;
}

/** The series of devices without an end use; other series add the end use in lower case. */
const noEndUseId = 'endUse:';

interface MemberDevice {
  number: number;
  id: string;
  name: string;
  siteId: string;
  siteName: string;
  countedIn: string | null;
  endUse: string | null;
}

/**
 * Devices by the series that they belong to. Sub-meters are series of their own, and are left out of any sum that includes their
 * main meter. The devices `apart` are one series, the last, whatever the grouping of the others.
 */
export function membersBy(
  groupBy: 'device' | 'site' | 'endUse' | 'total',
  devices: readonly MemberDevice[],
  apart: ReadonlySet<string> = new Set(),
): CurveMember[] {
  const numbers = new Set(devices.filter((one) => addsUp(one) && apart.has(one.id)).map(({ number }) => number));
  const [own, others] = [true, false].map((isApart) =>
    groupedBy(groupBy, devices).filter(({ number }) => numbers.has(number) === isApart),
  );
  return [...(others ?? []), ...(own ?? []).map((one) => ({ ...one, seriesId: apartId, seriesName: 'New devices' }))];
}

function groupedBy(groupBy: 'device' | 'site' | 'endUse' | 'total', devices: readonly MemberDevice[]): CurveMember[] {
  if (groupBy === 'endUse') return membersByEndUse(devices);
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

/**
 * Devices by their end use, in its order, those without one last. A sub-meter with an end use of its own is subtracted from its
 * main meter; the others stay in it. So the series add up to the total (docs/energy.md, "By end use").
 */
function membersByEndUse(devices: readonly MemberDevice[]): CurveMember[] {
  const byId = new Map(devices.map((device) => [device.id, device]));
  const wholeOf = ({ countedIn }: MemberDevice) => byId.get(countedIn ?? '');
  const memberOf = (device: MemberDevice): MemberDevice => {
    const whole = wholeOf(device);
    if (whole === undefined) return device;
    const member = memberOf(whole);
    return device.endUse === null || seriesIdOf(device) === seriesIdOf(member) ? member : device;
  };
  // If an end use has several spellings, the first one names the series.
  const names = new Map(devices.toReversed().map((device) => [seriesIdOf(device), device.endUse ?? 'No end use']));
  return devices
    .filter((device) => memberOf(device) === device)
    .map((device): CurveMember => {
      const [whole, seriesId] = [wholeOf(device), seriesIdOf(device)];
      const member = { number: device.number, seriesId, seriesName: names.get(seriesId) ?? '' };
      return whole === undefined ? member : { ...member, within: memberOf(whole).number };
    })
    .toSorted((a, b) => Number(a.seriesId === noEndUseId) - Number(b.seriesId === noEndUseId) || byName(a, b));
}

const byName = byNames('seriesName');
const seriesIdOf = ({ endUse }: MemberDevice) => `${noEndUseId}${(endUse ?? '').normalize().toLowerCase()}`;

/** Orders devices so that each follows the member that includes its energy. */
export function wholesFirst<Device extends { number: number }>(
  devices: readonly Device[],
  members: readonly CurveMember[],
): readonly Device[] {
  const wholes = new Map(members.flatMap(({ number, within }) => (within === undefined ? [] : [[number, within]])));
  if (wholes.size === 0) return devices;
  const levelOf = (number: number): number => {
    const whole = wholes.get(number);
    return whole === undefined ? 0 : 1 + levelOf(whole);
  };
  return devices.toSorted((a, b) => levelOf(a.number) - levelOf(b.number));
}

export interface LoadCurve {
  /**
   * Adds the averages and energy of one device, by bucket, after those of the device that includes it. The arrays may
   * be reused afterwards.
   */
  addDevice: (deviceNumber: number, buckets: Measured) => void;
  /** In the order of the members. */
  series: readonly CurveSeries[];
}

type Column = 'averagePowerKw' | 'energyImportedKwh';

interface Measured {
  energy: EnergyBuckets;
  statistics: Statistics;
}

/** The imported energy of a bucket; null if nothing is known of it: neither readings nor energy. */
export function knownEnergyAt({ energy, statistics }: Measured, at: number): number | null {
  const kwh = energy.importedKwh[at] ?? 0;
  return kwh === 0 && statistics.samples[at] === 0 ? null : kwh;
}

interface Place {
  series: CurveSeries;
  /** The energy of the member whose energy includes its own. */
  whole: Place | null;
  /** For a device that includes others: 1 if it has data. */
  counts: Record<Column, Uint8Array> | null;
}

/**
 * One series for each distinct `seriesId`, in the order of the members, with a value for each of `bucketCount` buckets.
 * The power is the sum of the devices' averages, null if none of them measured; the energy is null without data. A
 * device within another member counts only where that one has data, and is subtracted from it.
 */
export function createLoadCurve(members: readonly CurveMember[], bucketCount: number): LoadCurve {
  const series = new Map<string, CurveSeries>();
  const places = new Map<number, Place>();
  for (const { number, seriesId: id, seriesName: name } of members) {
    const empty = () => Array.from<number | null>({ length: bucketCount }).fill(null);
    const create = () => ({ id, name, averagePowerKw: empty(), energyImportedKwh: empty() });
    places.set(number, { series: series.getOrInsertComputed(id, create), whole: null, counts: null });
  }
  for (const { number, within } of members) {
    const [place, whole] = [places.get(number), within === undefined ? undefined : places.get(within)];
    if (place === undefined || whole === undefined) continue;
    place.whole = whole;
    whole.counts ??= { averagePowerKw: new Uint8Array(bucketCount), energyImportedKwh: new Uint8Array(bucketCount) };
  }
  const add = ({ series: own, whole, counts }: Place, column: Column, at: number, value: number) => {
    if (whole !== null) {
      if (whole.counts?.[column][at] !== 1) return;
      whole.series[column][at] = (whole.series[column][at] ?? 0) - value;
    }
    if (counts !== null) counts[column][at] = 1;
    own[column][at] = (own[column][at] ?? 0) + value;
  };
  return {
    series: [...series.values()],
    addDevice(deviceNumber, device) {
      const place = places.get(deviceNumber);
      if (place === undefined) return;
      for (let at = 0; at < bucketCount; at += 1) {
        const activePowerKw = averagePowerAt(device.statistics, at);
        if (activePowerKw !== null) add(place, 'averagePowerKw', at, activePowerKw);
        const kwh = knownEnergyAt(device, at);
        if (kwh !== null) add(place, 'energyImportedKwh', at, kwh);
      }
    },
  };
}
