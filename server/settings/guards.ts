import { violatedPasswordRules } from '../../shared/accounts.ts';
import type { Config } from './config.ts';
import { shippedAdmin } from './definitions.ts';
import type { Violation } from './reader.ts';

/** The startup guards that need nothing but settings: startup rules 6 to 9 and decisions.md 7. */
export function guardViolations(config: Omit<Config, 'overview' | 'version'>): Violation[] {
  const { authentication, dashboard, demo, fleetIngest, runMode } = config;
  const { connectionString, autoProvision } = config.database;
  const isProduction = config.environment === 'Production';
  const isAdmin = runMode === 'Admin';
  const password = authentication.defaultAdminPassword;
  const isShipped = isProduction && password === shippedAdmin.password;
  const broken = violatedPasswordRules(password);
  const isPushing = fleetIngest.enabled && !isAdmin;
  const hasNoDatabase = connectionString === undefined && !isAdmin && !autoProvision;

  const problems: Readonly<Record<string, readonly (string | false)[]>> = {
    Authentication__DefaultAdminPassword: [
      isShipped && 'is the shipped default, which is not allowed in Production; set another password.',
      !isShipped && broken.length > 0 && `is too weak; it needs ${broken.join(', ')}.`,
    ],
    Database__AutoProvisionLocalTimescaleDb: [
      isProduction &&
        autoProvision &&
        'is true, which is not allowed in Production; set it to false and set Database__ConnectionString.',
      isAdmin &&
        autoProvision &&
        'is true, but only a Client starts its own database; remove it and set Database__ConnectionString.',
      autoProvision &&
        connectionString !== undefined &&
        'is true although Database__ConnectionString is set; keep one of them.',
    ],
    Database__ConnectionString: [
      isAdmin && connectionString === undefined && 'is not set; the run mode Admin needs it.',
      hasNoDatabase && isProduction && 'is not set; Production needs it.',
      hasNoDatabase &&
        !isProduction &&
        'is not set and Database__AutoProvisionLocalTimescaleDb is false; the portal needs one of them.',
    ],
    Dashboard__Start: [
      dashboard.start &&
        dashboard.upstream !== undefined &&
        'is true although Dashboard__Upstream is set; keep one of them.',
    ],
    Demo__Enabled: [
      isProduction && demo.enabled && 'is true, which is not allowed in Production; remove it or set it to false.',
      isAdmin && demo.enabled && 'is true, but only a Client has demo data; remove it or set it to false.',
    ],
    FleetIngest__Enabled: [
      isAdmin && fleetIngest.enabled && 'is true, but only a Client pushes; remove it or set it to false.',
    ],
    FleetIngest__Url: [isPushing && fleetIngest.url === undefined && 'is not set; FleetIngest__Enabled needs it.'],
    FleetIngest__Token: [isPushing && fleetIngest.token === undefined && 'is not set; FleetIngest__Enabled needs it.'],
    FleetIngest__BackoffMaxSeconds: [
      fleetIngest.backoffMaxSeconds < fleetIngest.backoffMinSeconds &&
        `is ${fleetIngest.backoffMaxSeconds}, which is less than FleetIngest__BackoffMinSeconds (${fleetIngest.backoffMinSeconds}).`,
    ],
  };
  return Object.entries(problems).flatMap(([setting, all]) =>
    all.flatMap((problem) => (problem === false ? [] : [{ setting, problem }])),
  );
}
