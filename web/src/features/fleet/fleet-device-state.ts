import { type CustomerState, deviceState, type DeviceState, type Watched } from '../../../../shared/states.rules.ts';

/**
 * The state of a customer's device. The fleet knows it from batches only. While the customer sends at its usual interval, the
 * time of its last batch counts as now. If the customer has stopped sending, no device is live.
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
