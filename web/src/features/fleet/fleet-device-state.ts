import { type CustomerState, deviceState, type DeviceState, type Watched } from '../../../../shared/states.rules.ts';

/**
 * The state of a customer's device in the fleet, which knows it from batches only: while the customer sends in its rhythm, the last
 * batch is the present. Of one that sends nothing, no device is live.
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
