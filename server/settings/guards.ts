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

  const guards: readonly (readonly [isBroken: boolean, setting: string, problem: string])[] = [
    [
      isShipped,
      'Authentication__DefaultAdminPassword',
      'is still the shipped default, which Production refuses; set a password of your own.',
    ],
    [
      !isShipped && broken.length > 0,
      'Authentication__DefaultAdminPassword',
      `is too weak; it needs ${broken.join(', ')}.`,
    ],
    [
      isProduction && autoProvision,
      'Database__AutoProvisionLocalTimescaleDb',
      'is true, which Production refuses; set it to false and give Database__ConnectionString.',
    ],
    [
      isAdmin && autoProvision,
      'Database__AutoProvisionLocalTimescaleDb',
      'is true, but only a Client starts its own database; remove it and give Database__ConnectionString.',
    ],
    [
      autoProvision && connectionString !== undefined,
      'Database__AutoProvisionLocalTimescaleDb',
      'is true although Database__ConnectionString is set; keep one of them.',
    ],
    [
      isAdmin && connectionString === undefined,
      'Database__ConnectionString',
      'is not set; the run mode Admin needs it.',
    ],
    [hasNoDatabase && isProduction, 'Database__ConnectionString', 'is not set; Production needs it.'],
    [
      hasNoDatabase && !isProduction,
      'Database__ConnectionString',
      'is not set and Database__AutoProvisionLocalTimescaleDb is false; the portal needs one of them.',
    ],
    [
      dashboard.start && dashboard.upstream !== undefined,
      'Dashboard__Start',
      'is true although Dashboard__Upstream is set; keep one of them.',
    ],
    [isProduction && demo.enabled, 'Demo__Enabled', 'is true, which Production refuses; remove it or set it to false.'],
    [
      isAdmin && demo.enabled,
      'Demo__Enabled',
      'is true, but only a Client has demo data; remove it or set it to false.',
    ],
    [
      isAdmin && fleetIngest.enabled,
      'FleetIngest__Enabled',
      'is true, but only a Client pushes; remove it or set it to false.',
    ],
    [isPushing && fleetIngest.url === undefined, 'FleetIngest__Url', 'is not set; FleetIngest__Enabled needs it.'],
    [isPushing && fleetIngest.token === undefined, 'FleetIngest__Token', 'is not set; FleetIngest__Enabled needs it.'],
    [
      fleetIngest.backoffMaxSeconds < fleetIngest.backoffMinSeconds,
      'FleetIngest__BackoffMaxSeconds',
      `is ${fleetIngest.backoffMaxSeconds}, which is less than FleetIngest__BackoffMinSeconds (${fleetIngest.backoffMinSeconds}).`,
    ],
  ];
  return guards.flatMap(([isBroken, setting, problem]) => (isBroken ? [{ setting, problem }] : []));
}
