/** The search parameters of the list of sites. */
export interface SitesSearch {
  /** External id of a device that is to be created. */
  newDevice?: string;
}

export function readSitesSearch({ newDevice }: Record<string, unknown>): SitesSearch {
  // An external id of digits alone is a number in an address that somebody typed.
  const externalId = typeof newDevice === 'number' ? String(newDevice) : newDevice;
  return typeof externalId === 'string' && externalId !== '' ? { newDevice: externalId } : {};
}
