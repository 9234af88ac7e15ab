let timeZone = 'UTC';
let ofFleet = false;

/** The zone of all times: the portal's, because one chart may show sites in several zones. */
export const zone = (): string => timeZone;

/** Whether there are customers to choose. */
export const isFleet = (): boolean => ofFleet;

export function showZone(chosen: string, isOfFleet = false): void {
  timeZone = chosen;
  ofFleet = isOfFleet;
}
