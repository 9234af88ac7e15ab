import { passwordRules } from '../../shared/accounts.ts';
import type { Config } from './config.ts';
import { shippedAdmin } from './definitions.ts';
import type { Violation } from './reader.ts';

/** The startup guards that need nothing but settings: startup rules 6 to 9 and decisions.md 7. */
export function guardViolations(config: Omit<Config, 'overview' | 'version'>): Violation[] {
  const isProduction = config.environment === 'Production';
  return [...accountGuards(config, isProduction), ...databaseGuards(config, isProduction), ...pushGuards(config)];
}

type Settings = Parameters<typeof guardViolations>[0];

function accountGuards({ authentication }: Settings, isProduction: boolean): Violation[] {
  const password = authentication.defaultAdminPassword;
  if (isProduction && password === shippedAdmin.password) {
    return [
      {
        setting: 'Authentication__DefaultAdminPassword',
        problem: 'is still the shipped default, which Production refuses; set a password of your own.',
      },
    ];
  }
  const broken = passwordRules.filter((rule) => !rule.isMet(password)).map((rule) => rule.message);
  if (broken.length === 0) return [];
  return [{ setting: 'Authentication__DefaultAdminPassword', problem: `is too weak; it needs ${broken.join(', ')}.` }];
}

function databaseGuards({ database, runMode, demo }: Settings, isProduction: boolean): Violation[] {
  const violations: Violation[] = [];
  const { connectionString, autoProvision } = database;
  if (isProduction && autoProvision) {
    violations.push({
      setting: 'Database__AutoProvisionLocalTimescaleDb',
      problem: 'is true, which Production refuses; set it to false and give Database__ConnectionString.',
    });
  }
  if (runMode === 'Admin' && autoProvision) {
    violations.push({
      setting: 'Database__AutoProvisionLocalTimescaleDb',
      problem: 'is true, but only a Client starts its own database; remove it and give Database__ConnectionString.',
    });
  }
  if (autoProvision && connectionString !== undefined) {
    violations.push({
      setting: 'Database__AutoProvisionLocalTimescaleDb',
      problem: 'is true although Database__ConnectionString is set; keep one of them.',
    });
  }
  if (connectionString === undefined && runMode === 'Admin') {
    violations.push({ setting: 'Database__ConnectionString', problem: 'is not set; the run mode Admin needs it.' });
  } else if (connectionString === undefined && !autoProvision) {
    violations.push(
      isProduction
        ? { setting: 'Database__ConnectionString', problem: 'is not set; Production needs it.' }
        : {
            setting: 'Database__ConnectionString',
            problem: 'is not set and Database__AutoProvisionLocalTimescaleDb is false; the portal needs one of them.',
          },
    );
  }
  if (isProduction && demo.enabled) {
    violations.push({
      setting: 'Demo__Enabled',
      problem: 'is true, which Production refuses; remove it or set it to false.',
    });
  }
  if (runMode === 'Admin' && demo.enabled) {
    violations.push({
      setting: 'Demo__Enabled',
      problem: 'is true, but only a Client has demo data; remove it or set it to false.',
    });
  }
  return violations;
}

function pushGuards({ fleetIngest, runMode }: Settings): Violation[] {
  const violations: Violation[] = [];
  if (fleetIngest.enabled && runMode === 'Admin') {
    violations.push({
      setting: 'FleetIngest__Enabled',
      problem: 'is true, but only a Client pushes; remove it or set it to false.',
    });
  } else if (fleetIngest.enabled) {
    if (fleetIngest.url === undefined) {
      violations.push({ setting: 'FleetIngest__Url', problem: 'is not set; FleetIngest__Enabled needs it.' });
    }
    if (fleetIngest.token === undefined) {
      violations.push({ setting: 'FleetIngest__Token', problem: 'is not set; FleetIngest__Enabled needs it.' });
    }
  }
  if (fleetIngest.backoffMaxSeconds < fleetIngest.backoffMinSeconds) {
    violations.push({
      setting: 'FleetIngest__BackoffMaxSeconds',
      problem: `is ${fleetIngest.backoffMaxSeconds}, which is less than FleetIngest__BackoffMinSeconds (${fleetIngest.backoffMinSeconds}).`,
    });
  }
  return violations;
}
