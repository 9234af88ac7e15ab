/** Where sites, devices and readings are requested: those of this portal. */
export const ownApi = '/api';

/** The same for a customer of the fleet, in the Admin mode. */
export const customerApi = (id: string): string => `/api/fleet/customers/${encodeURIComponent(id)}`;
