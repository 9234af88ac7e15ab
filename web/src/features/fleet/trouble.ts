import type { FleetCustomer } from '../../../../shared/fleet.ts';

/** `waiting`: nothing was ever stored. `failing`: it pushes, but its last batch was refused. */
export type CustomerState = 'silent' | 'failing' | 'waiting' | 'off' | 'live';

/** Trouble first. */
export const customerStates: readonly CustomerState[] = ['silent', 'failing', 'waiting', 'off', 'live'];

/** Batches of sites, devices, municipalities and tariffs, which come together and at most once an hour. */
const hourlySets = 4;
const missedIntervals = 3;
/** Every customer may be quiet for so long: a restart, an update. */
const silentAfterAtLeastSeconds = 10 * 60;
/** For customers whose rhythm nobody knows yet. */
const silentAfterUnknownSeconds = 60 * 60;
/** So many batches say something of the rhythm of a customer that is new. */
const fewestOfNew = 10;

type Pushing = Pick<FleetCustomer, 'batchesByHour' | 'firstSeenAt' | 'lastSeenAt' | 'pushIntervalSeconds'>;

/**
 * How long a customer usually takes from one push to the next, in seconds. Of one whose stack says that it pushes less than once an hour,
 * as it says, because a day tells little of that.
 */
export function usualIntervalSeconds(customer: Pushing): number | null {
  const seen = seenIntervalSeconds(customer);
  const said = customer.pushIntervalSeconds ?? 0;
  return said > 3600 ? Math.max(said, seen ?? 0) : seen;
}

/**
 * The same from its batches of each hour, the running one last; where no whole hour had any, from those since it was first seen;
 * null where these are few. Hours of a backlog, which is drained much faster, do not count more than others.
 */
function seenIntervalSeconds({ batchesByHour, firstSeenAt, lastSeenAt }: Pushing): number | null {
  // Silence at the end says nothing of the rhythm before it.
  const whole = batchesByHour.slice(0, -1);
  const busy = whole.filter((count) => count > 0).toSorted((a, b) => a - b);
  const median = busy[Math.floor(busy.length / 2)];
  if (median === undefined) {
    const running = (batchesByHour.at(-1) ?? 0) - hourlySets;
    const seenForMs = Date.parse(lastSeenAt ?? '') - Date.parse(firstSeenAt ?? '');
    // Whoever was away for a day has a rhythm that is forgotten.
    return running >= fewestOfNew && seenForMs < 3_600_000 ? seenForMs / 1000 / running : null;
  }
  const spanHours = whole.findLastIndex((count) => count > 0) - whole.findIndex((count) => count > 0) + 1;
  return (3600 * spanHours) / (busy.length * Math.max(1, median - hourlySets));
}

/** How long after its last stored batch a customer counts as silent. */
export function silentAfterSeconds(customer: Pushing): number {
  const usual = usualIntervalSeconds(customer);
  return usual === null ? silentAfterUnknownSeconds : Math.max(silentAfterAtLeastSeconds, missedIntervals * usual);
}

export function customerState(customer: FleetCustomer): CustomerState {
  const { isActive, lagSeconds, lastError } = customer;
  if (!isActive) return 'off';
  if (lagSeconds === null) return lastError === null ? 'waiting' : 'failing';
  if (lagSeconds > silentAfterSeconds(customer)) return 'silent';
  return lastError === null ? 'live' : 'failing';
}

export interface JudgedCustomer extends FleetCustomer {
  state: CustomerState;
}

/** The customers with their states, those in trouble first; of the silent ones those first that are latest by their own rhythm. */
export function byTrouble(customers: readonly FleetCustomer[]): JudgedCustomer[] {
  const lateness = (customer: FleetCustomer) => (customer.lagSeconds ?? Infinity) / silentAfterSeconds(customer);
  const rank = (state: CustomerState) => customerStates.indexOf(state);
  return customers
    .map((customer) => ({ ...customer, state: customerState(customer) }))
    .toSorted((a, b) => {
      if (a.state !== b.state) return rank(a.state) - rank(b.state);
      return a.state === 'silent' ? lateness(b) - lateness(a) : 0;
    });
}

/** A rhythm as one says it: "30 seconds", "5 minutes", "2 hours"; whole seconds of one unit. */
export function roundInterval(seconds: number): number {
  const unit = seconds < 90 ? 10 : seconds < 90 * 60 ? 60 : 3600;
  return Math.max(1, Math.round(seconds / unit)) * unit;
}
