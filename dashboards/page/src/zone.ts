let timeZone = 'UTC';
let ofFleet = false;

/** The time zone of all times. It is the portal's zone, because one chart may show sites in several zones. */
export const zone = (): string => timeZone;

/** Whether the reader can choose customers. */
export const isFleet = (): boolean => ofFleet;

export function showZone(chosen: string, isOfFleet = false): void {
  timeZone = chosen;
  ofFleet = isOfFleet;
}
