let timeZone = 'UTC';

/** The clock of what is shown: the portal's, because one picture may show sites in several zones. */
export const zone = (): string => timeZone;

export function showZone(chosen: string): void {
  timeZone = chosen;
}
