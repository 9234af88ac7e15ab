/**
 * What a read is about. Every read takes one, and whoever means everything writes it out: one that was forgotten is no filter of
 * nothing, it does not compile. A filter by customers is to be a scope like this one.
 */
export type DeviceScope = { devices: 'all' } | { devices: readonly string[] };

export const allDevices: DeviceScope = { devices: 'all' };

/** The ids of the scope; null if it holds all, as SQL takes it. */
export const chosenIds = ({ devices }: DeviceScope): readonly string[] | null => (devices === 'all' ? null : devices);
