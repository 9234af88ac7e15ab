/** The path at which sites, devices and readings of this portal are requested. */
export const ownApi = '/api';

/** The same path for a customer of the fleet, in Admin mode. */
export const customerApi = (id: string): string => `/api/fleet/customers/${encodeURIComponent(id)}`;
