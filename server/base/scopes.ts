/**
 * The devices that a read covers: all devices, or single devices plus all devices of some sites. Every read takes a scope.
 * "All" must be written explicitly: if a scope is forgotten, the code does not compile.
 */
export type DeviceScope = { devices: 'all' } | { devices: readonly string[]; sites?: readonly string[] };

export const allDevices: DeviceScope = { devices: 'all' };

/** The customers of the fleet that a read may see; `all` only for trusted code and the role Admin. */
export type FleetScope = { customers: 'all' } | { customers: readonly string[] };

export const allCustomers: FleetScope = { customers: 'all' };

/** The ids of the scope as an SQL parameter: null means all. */
export const chosenCustomers = ({ customers }: FleetScope): readonly string[] | null =>
  customers === 'all' ? null : customers;

/** The ids of the scope as an SQL parameter: null means all. */
export const chosenIds = ({ devices }: DeviceScope): readonly string[] | null => (devices === 'all' ? null : devices);

/** The ids of the sites whose devices all belong to the scope, in addition to the single devices. */
export const chosenSites = (scope: DeviceScope): readonly string[] => ('sites' in scope ? (scope.sites ?? []) : []);

/** A user with a session, and the source address of the request. */
export interface AccountActor {
  kind: 'account';
  accountId: string;
  sessionId: string;
  sourceAddress: string;
}

/** A client that has not signed in. */
export interface AnonymousActor {
  kind: 'anonymous';
  sourceAddress: string;
}

/** The author of a change: a user, or the portal. */
export type Actor = AccountActor | AnonymousActor | { kind: 'system' };

/** Who makes a change, and where it is logged. Every command that changes something takes one. */
export interface Author<Who extends Actor = Actor> {
  actor: Who;
  log: { info: (details: object, message: string) => void };
}
