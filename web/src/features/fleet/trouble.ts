import { customerState, type FleetCustomer } from '../../../../shared/fleet.ts';

/** The customers, those in trouble first; of the silent ones those first that are latest by their own rhythm. */
export function byTrouble(customers: readonly FleetCustomer[]): FleetCustomer[] {
  const lateness = ({ lagSeconds, silentAfterSeconds }: FleetCustomer) => (lagSeconds ?? Infinity) / silentAfterSeconds;
  const rank = ({ state }: FleetCustomer) => customerState.options.indexOf(state);
  return customers.toSorted((a, b) => {
    if (a.state !== b.state) return rank(a) - rank(b);
    return a.state === 'silent' ? lateness(b) - lateness(a) : 0;
  });
}

/** A rhythm as one says it: "30 seconds", "5 minutes", "2 hours"; whole seconds of one unit. */
export function roundInterval(seconds: number): number {
  const unit = seconds < 90 ? 10 : seconds < 90 * 60 ? 60 : 3600;
  return Math.max(1, Math.round(seconds / unit)) * unit;
}
