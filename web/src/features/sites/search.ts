/** The search parameters of the list of sites. */
export interface SitesSearch {
  /** External id of a device that is to be created. */
  newDevice?: string;
}

export function readSitesSearch({ newDevice }: Record<string, unknown>): SitesSearch {
  // The router parses an external ID of digits in the URL as a number.
  const externalId = typeof newDevice === 'number' ? String(newDevice) : newDevice;
  return typeof externalId === 'string' && externalId !== '' ? { newDevice: externalId } : {};
}
