/** The search parameters of the list of sites. */
export interface SitesSearch {
  /** The external ID of a device that is to be created. */
  newDevice?: string;
}

export function readSitesSearch({ newDevice }: Record<string, unknown>): SitesSearch {
  // If an external ID in the URL has only digits, the router parses it as a number.
  const externalId = typeof newDevice === 'number' ? String(newDevice) : newDevice;
  return typeof externalId === 'string' && externalId !== '' ? { newDevice: externalId } : {};
}
