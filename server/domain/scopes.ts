/**
 * What a read is about: all devices, or some together with all those of some sites. Every read takes one, and whoever means everything writes it out: one that was forgotten is no filter of
 * nothing, it does not compile.
 */
export type DeviceScope = { devices: 'all' } | { devices: readonly string[]; sites?: readonly string[] };

export const allDevices: DeviceScope = { devices: 'all' };

/** The customers of the fleet that a read is about: all only for trusted code and the role Admin. */
export type FleetScope = { customers: 'all' } | { customers: readonly string[] };

export const allCustomers: FleetScope = { customers: 'all' };

/** The ids of the scope; null if it holds all, as SQL takes it. */
export const chosenCustomers = ({ customers }: FleetScope): readonly string[] | null =>
  customers === 'all' ? null : customers;

/** The ids of the scope; null if it holds all, as SQL takes it. */
export const chosenIds = ({ devices }: DeviceScope): readonly string[] | null => (devices === 'all' ? null : devices);

/** The ids of the sites whose devices belong to the scope, besides those that are chosen one by one. */
export const chosenSites = (scope: DeviceScope): readonly string[] => ('sites' in scope ? (scope.sites ?? []) : []);
