import { deviceWrite, municipalityWrite, siteWrite } from './sites.ts';

/**
 * The version of a resource: a hash of its writable fields, so that a reader of the resource, even in a list, can compute it. It
 * is the ETag of answers and the value of `If-Match`. It excludes values that change on their own, such as the last reading.
 * `nested` are further fields, those of the entries of a list.
 */
const versionOf =
  <Field extends string>(fields: readonly Field[], nested: readonly string[] = []) =>
  (resource: Readonly<Record<Field, unknown>>) =>
    // The given order of the fields determines the text.
    fnv1a(JSON.stringify(resource, [...fields, ...nested]));

export const profileVersion = versionOf(['displayName', 'timeZone']);
export const userVersion = versionOf(['email', 'displayName', 'roles', 'isActive']);
export const brandingVersion = versionOf([
  'applicationName',
  'logoUrl',
  'primaryColor',
  'secondaryColor',
  'accentColor',
  'footerText',
]);
export const siteVersion = versionOf(siteWrite.keyof().options);
export const deviceVersion = versionOf(deviceWrite.keyof().options);
export const reportRemarkVersion = versionOf(['remark']);
export const customerVersion = versionOf(['name', 'isActive', 'group', 'notes']);
export const customerAccessVersion = versionOf(['customerIds']);
export const embeddedDashboardVersion = versionOf(['title', 'description', 'path', 'sortOrder']);
export const municipalityVersion = versionOf(municipalityWrite.keyof().options);
export const tariffVersion = versionOf(
  [
    'municipalityId',
    'name',
    'currency',
    'isActive',
    'effectiveFrom',
    'effectiveTo',
    'defaultRatePerKwh',
    'fixedChargePerMonth',
    'vatPercent',
    'exportRatePerKwh',
    'periods',
  ],
  ['daysOfWeek', 'startTime', 'endTime', 'ratePerKwh'],
);
export const reportSubscriptionVersion = versionOf(
  ['name', 'isActive', 'period', 'hasWorkbook', 'recipients', 'subjectIds'],
  ['userId', 'email', 'language'],
);
export const alarmRuleVersion = versionOf(
  [
    'name',
    'kind',
    'isActive',
    'severity',
    'scope',
    'condition',
    'durationSeconds',
    'schedule',
    'recipients',
    'escalation',
  ],
  [
    'siteIds',
    'deviceIds',
    'endUses',
    'customerIds',
    'groups',
    'afterSeconds',
    'quantity',
    'above',
    'below',
    'hysteresis',
    'failingSeconds',
    'limitKw',
    'percent',
    'per',
    'currency',
    'amount',
    'missingPercent',
    'anomalies',
    'silentSeconds',
    'rejectedPercent',
    'factor',
    'afterHours',
    'hours',
    'daysOfWeek',
    'startTime',
    'endTime',
    'userId',
    'email',
    'webhookId',
    'role',
  ],
);

export const webhookVersion = versionOf(['name', 'url', 'isActive']);

const prime = 0x100000001b3n;

/** FNV-1a of 64 bits: browsers offer nothing better on a page loaded over http. */
function fnv1a(text: string): string {
  let state = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(text)) state = BigInt.asUintN(64, (state ^ BigInt(byte)) * prime);
  return state.toString(16).padStart(16, '0');
}
