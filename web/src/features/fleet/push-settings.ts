/** What the stack of a customer takes to push to the portal at `origin` (`https://fleet.example.com`). */
export const pushSettings = (origin: string, token: string): string =>
  ['FleetIngest__Enabled=true', `FleetIngest__Url=${origin}/api/fleet/ingest`, `FleetIngest__Token=${token}`].join(
    '\n',
  );
