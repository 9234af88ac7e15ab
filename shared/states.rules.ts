/**
 * The states of devices, sites and customers, the worst first, each with one limit. Pages, exports, metrics and alarms judge by
 * this table.
 */

/**
 * The state of a device, and of a site. `late`: a reading is due. `never`: no reading yet. `inactive`: no readings are
 * expected.
 */
export const deviceStates = ['offline', 'late', 'never', 'live', 'inactive'] as const;
export type DeviceState = (typeof deviceStates)[number];

/**
 * The state of a customer. `silent`: no readings, although its sets may arrive. `failing`: some of its batches are rejected.
 * `never`: nothing was ever stored. `unavailable`: the part of the database with its rows does not answer.
 */
export const customerStates = ['silent', 'failing', 'unavailable', 'never', 'late', 'inactive', 'sending'] as const;
export type CustomerState = (typeof customerStates)[number];

interface Limits {
  lateAfterSeconds: number;
  offlineAfterSeconds: number;
}

const minute = 60;
/** Share of the time until a device is offline. */
const lateShare = 0.8;

/**
 * The ages of the newest reading from which on a device is late, and offline: two of its intervals. Its power is current until then,
 * and then the alarm fires (decisions.md 4 and 10).
 */
export function deviceLimits(expectedIntervalSeconds: number | null): Limits {
  const offlineAfterSeconds = Math.max(15 * minute, 2 * (expectedIntervalSeconds ?? 0));
  return { lateAfterSeconds: lateShare * offlineAfterSeconds, offlineAfterSeconds };
}

const usuallyMissed = 3;

/** The fleet keeps the record of each batch this long. */
export const keptBatchDays = 30;

/**
 * The same for a customer, after its last batch with readings. `intervalSeconds` is how often it usually sends; null: not known
 * yet. Every customer may be quiet for some minutes, for a restart or an update. An alarm rule may wait for more or fewer intervals.
 */
export const customerLimits = (intervalSeconds: number | null, intervals = usuallyMissed) =>
  intervalSeconds === null
    ? { lateAfterSeconds: 30 * minute, silentAfterSeconds: 60 * minute }
    : {
        lateAfterSeconds: Math.max(5 * minute, 2 * intervalSeconds),
        silentAfterSeconds: Math.max(10 * minute, intervals * intervalSeconds),
      };

export interface Watched {
  isActive: boolean;
  lastMeasuredAt: string | null;
  expectedIntervalSeconds: number | null;
}

export function deviceState(
  { isActive, lastMeasuredAt, expectedIntervalSeconds }: Watched,
  nowMs: number,
): DeviceState {
  if (!isActive) return 'inactive';
  if (lastMeasuredAt === null) return 'never';
  const age = (nowMs - Date.parse(lastMeasuredAt)) / 1000;
  const { lateAfterSeconds, offlineAfterSeconds } = deviceLimits(expectedIntervalSeconds);
  if (age >= offlineAfterSeconds) return 'offline';
  return age >= lateAfterSeconds ? 'late' : 'live';
}

/**
 * The state of a customer's device in the fleet, which knows it from batches only. While the customer sends at its usual
 * interval, the time of its last batch counts as now. If the customer has stopped sending, no device is live.
 */
export function fleetDeviceState(
  device: Watched,
  customer: { state: CustomerState; lastSeenAt: string | null },
  nowMs: number,
): DeviceState {
  const { state, lastSeenAt } = customer;
  if (state === 'sending' && lastSeenAt !== null) return deviceState(device, Math.min(nowMs, Date.parse(lastSeenAt)));
  const own = deviceState(device, nowMs);
  return own === 'live' && state !== 'failing' ? 'late' : own;
}

export type DeviceCounts = Record<DeviceState, number>;

export function countStates(states: Iterable<DeviceState>): DeviceCounts {
  const counts = { offline: 0, late: 0, never: 0, live: 0, inactive: 0 };
  for (const state of states) counts[state] += 1;
  return counts;
}

/** The state of a site is the worst state of its active devices that have ever sent. If there are none, that of the others. */
export function siteState(counts: DeviceCounts): DeviceState {
  const order = ['offline', 'late', 'live', 'never', 'inactive'] as const;
  return order.find((state) => counts[state] > 0) ?? 'never';
}
