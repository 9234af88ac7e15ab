/** The measurements of a device on a UTC day (`YYYY-MM-DD`) on one side. */
export interface CountedDay {
  deviceId: string;
  day: string;
  count: number;
  /** Computed as in shared/reconcile.ts; from integers only, so that it does not depend on the version of the server. */
  checksum: string;
}

/** A day of a device on which the two sides differ. A side without rows on that day is null. */
export interface DifferingDay {
  deviceId: string;
  day: string;
  own: CountedDay | null;
  fleet: CountedDay | null;
}

/** Names a day of a device. */
export const dayKey = ({ deviceId, day }: Pick<CountedDay, 'deviceId' | 'day'>): string => `${deviceId} ${day}`;

/** The days that differ, and how many days either side has. */
export function compareDays(
  own: readonly CountedDay[],
  fleet: readonly CountedDay[],
): { comparedDays: number; differing: DifferingDay[] } {
  const ofFleet = new Map(fleet.map((one) => [dayKey(one), one]));
  const ofOwn = new Map(own.map((one) => [dayKey(one), one]));
  const keys = new Set([...ofOwn.keys(), ...ofFleet.keys()]);
  const differing = [...keys].flatMap((key): DifferingDay[] => {
    const [mine = null, theirs = null] = [ofOwn.get(key), ofFleet.get(key)];
    const known = mine ?? theirs;
    const isSame = mine !== null && theirs !== null && mine.count === theirs.count && mine.checksum === theirs.checksum;
    return known === null || isSame ? [] : [{ deviceId: known.deviceId, day: known.day, own: mine, fleet: theirs }];
  });
  return { comparedDays: keys.size, differing };
}

/** The maximum number of device-days on a page. */
const maxDeviceDays = 1_000;
/** The maximum number of days on a page. A year of a device that measures every second would be too much. */
const maxDays = 31;
/** The maximum number of rows on a page, unless it has only one device. The database takes some seconds for this many. */
const maxRows = 1_500_000;

/** The number of days on a page: so few that as many of the devices as possible fit on it. */
export const daysOfPage = (devices: number): number =>
  Math.max(1, Math.min(maxDays, Math.floor(maxDeviceDays / Math.max(1, devices))));

/** The devices that fit on a page, at least one; `rows` estimates their rows on its days. */
export function devicesOfPage<Device extends { rows: number }>(devices: readonly Device[], days: number): Device[] {
  const maxDevices = Math.max(1, Math.floor(maxDeviceDays / days));
  let rows = 0;
  const end = devices.findIndex((device, at) => {
    rows += device.rows;
    return at > 0 && (at >= maxDevices || rows > maxRows);
  });
  return devices.slice(0, end === -1 ? devices.length : end);
}
