import { useTranslations } from 'use-intl';
import { auditActions, type AuditEvent } from '../../../../shared/audit.ts';
import { browserTimeZone } from '../../lib/time.ts';
import { useFormat } from '../../lib/use-format.ts';
import type { AuditWords } from './audit-values.ts';

/** Those that have a name in the catalogue; others are shown as they are. */
const fieldNames = [
  'name',
  'email',
  'displayName',
  'roles',
  'isActive',
  'lockedUntil',
  'secondFactor',
  'recoveryCodesLeft',
  'adminsNeedSecondFactor',
  'code',
  'customers',
  'previousTokenExpiresAt',
  'scope',
  'timeZone',
  'municipalityId',
  'municipalityName',
  'siteName',
  'partOf',
  'externalId',
  'energySource',
  'ratedPowerKw',
  'registerMaxKwh',
  'expectedIntervalSeconds',
  'currency',
  'effectiveFrom',
  'effectiveTo',
  'defaultRatePerKwh',
  'fixedChargePerMonth',
  'vatPercent',
  'exportRatePerKwh',
  'periods',
  'daysOfWeek',
  'startTime',
  'endTime',
  'ratePerKwh',
  'applicationName',
  'logoUrl',
  'primaryColor',
  'secondaryColor',
  'accentColor',
  'footerText',
  'title',
  'description',
  'path',
  'sortOrder',
  'remark',
  'version',
] as const;

/** The days of a week that begins on Monday, 1 January 2024. */
const days = Array.from({ length: 7 }, (_, day) => Date.UTC(2024, 0, 1 + day));

/** How events of the audit trail are told. */
export function useAuditWords() {
  const t = useTranslations('settings.audit');
  const tRole = useTranslations('settings.roles');
  const tCommon = useTranslations('common');
  const format = useFormat();
  const zone = browserTimeZone();
  const dayName = new Intl.DateTimeFormat(format.locale, { weekday: 'short', timeZone: 'UTC' });

  const words: AuditWords = {
    nothing: t('nothing'),
    yesOrNo: (value) => tCommon(value ? 'yes' : 'no'),
    fieldName: (field) => {
      const known = fieldNames.find((name) => name === field);
      return known === undefined ? field : t(`fields.${known}`);
    },
    role: (role) => (role === 'Admin' || role === 'RestrictedAdmin' || role === 'none' ? tRole(role) : role),
    days: (mask) => days.flatMap((at, day) => ((mask & (1 << day)) === 0 ? [] : [dayName.format(at)])).join(' '),
    instant: (value) => format.dateTimeSeconds(value, zone),
    number: (value) => format.decimal(value, 6),
    list: format.list,
  };
  return {
    words,
    /** An action of a newer portal is shown as it is. */
    action: ({ action }: AuditEvent): string => {
      const known = auditActions.find((one) => one === action);
      return known === undefined ? action : t(`actions.${known}`);
    },
    subject: ({ action, subjectName, attempts }: AuditEvent): string | null => {
      if (action === 'sign-in.fail' && subjectName === null) return t('unknownEmails', { count: attempts });
      return attempts > 1 ? t('withinHour', { count: attempts }) : subjectName;
    },
    who: ({ actorKind, accountEmail }: AuditEvent): string =>
      actorKind === 'account'
        ? (accountEmail ?? t('deletedAccount'))
        : t(actorKind === 'system' ? 'portal' : 'anonymous'),
    where: ({ actorKind, sourceAddress }: AuditEvent): string | null =>
      sourceAddress ?? (actorKind === 'system' ? null : t('manySources')),
    when: ({ occurredAt }: AuditEvent): string => format.dateTimeSeconds(occurredAt, zone),
  };
}
