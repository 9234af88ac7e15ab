import type { Branding } from './branding.ts';
import type { Tariff } from './rates.ts';
import type { Device, Municipality, Site } from './sites.ts';
import type { CurrentUser, User } from './accounts.ts';

/**
 * The version of a resource: a hash of what may be written of it, so that whoever has it knows its version, from a list too. It
 * is the ETag of answers and what `If-Match` names. What changes by itself, such as the last reading, is no part of it.
 */
const versionOf = (...writable: readonly unknown[]) => fnv1a(JSON.stringify(writable));

export const profileVersion = ({ displayName }: Pick<CurrentUser, 'displayName'>) => versionOf(displayName);

export const userVersion = (user: Pick<User, 'email' | 'displayName' | 'roles' | 'isActive'>) =>
  versionOf(user.email, user.displayName, user.roles, user.isActive);

export const brandingVersion = (branding: Branding) =>
  versionOf(
    branding.applicationName,
    branding.logoUrl,
    branding.primaryColor,
    branding.secondaryColor,
    branding.accentColor,
    branding.footerText,
  );

export const siteVersion = ({ name, municipalityId }: Pick<Site, 'name' | 'municipalityId'>) =>
  versionOf(name, municipalityId);

export const deviceVersion = (device: Omit<Device, 'id' | 'lastMeasuredAt'>) =>
  versionOf(
    device.siteId,
    device.name,
    device.externalId,
    device.isActive,
    device.energySource,
    device.ratedPowerKw,
    device.registerMaxKwh,
    device.expectedIntervalSeconds,
  );

export const municipalityVersion = ({ name, timeZone }: Pick<Municipality, 'name' | 'timeZone'>) =>
  versionOf(name, timeZone);

export const tariffVersion = (tariff: Omit<Tariff, 'id'>) =>
  versionOf(
    tariff.municipalityId,
    tariff.name,
    tariff.currency,
    tariff.isActive,
    tariff.effectiveFrom,
    tariff.effectiveTo,
    tariff.defaultRatePerKwh,
    tariff.fixedChargePerMonth,
    tariff.vatPercent,
    tariff.exportRatePerKwh,
    tariff.periods.map((period) => [
      period.name,
      period.daysOfWeek,
      period.startTime,
      period.endTime,
      period.ratePerKwh,
    ]),
  );

const prime = 0x100000001b3n;

/** FNV-1a of 64 bits: a browser hashes with nothing better on a page that came over http. */
function fnv1a(text: string): string {
  let state = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(text)) state = BigInt.asUintN(64, (state ^ BigInt(byte)) * prime);
  return state.toString(16).padStart(16, '0');
}
