import { useMessages, useTranslations } from 'use-intl';
import { auditActions, type AuditEvent } from '../../../../../shared/audit.ts';
import { deviceWrite, type DeviceWrite } from '../../../../../shared/sites.ts';
import { useFormat } from '../../../lib/use-format.ts';
import type { AuditWords } from './audit-values.ts';
import { useDisplayZone } from '../../../lib/current-user.ts';

/** The days of a week that starts on Monday, 1 January 2024. */
const days = Array.from({ length: 7 }, (_, day) => Date.UTC(2024, 0, 1 + day));

/** The words for events of the audit trail. */
export function useAuditWords() {
  const t = useTranslations('settings.audit');
  const tDevice = useTranslations('sites.device');
  const tRole = useTranslations('settings.roles');
  const tCommon = useTranslations('common');
  const { settings, sites } = useMessages();
  const { fields } = settings.audit;
  const isNamed = (field: string): field is keyof typeof fields => Object.hasOwn(fields, field);
  const isOfDevice = (field: string): field is keyof DeviceWrite & keyof typeof sites.device =>
    Object.hasOwn(deviceWrite.shape, field) && Object.hasOwn(sites.device, field);
  const format = useFormat();
  const zone = useDisplayZone();
  const dayName = new Intl.DateTimeFormat(format.locale, { weekday: 'short', timeZone: 'UTC' });

  const words: AuditWords = {
    nothing: t('nothing'),
    yesOrNo: (value) => tCommon(value ? 'yes' : 'no'),
    // A field of a device has the same name as in its form. A field without a name in the catalogue is shown as it is.
    fieldName: (field) => (isNamed(field) ? t(`fields.${field}`) : isOfDevice(field) ? tDevice(field) : field),
    role: (role) => (role === 'Admin' || role === 'RestrictedAdmin' || role === 'none' ? tRole(role) : role),
    days: (mask) => days.flatMap((at, day) => ((mask & (1 << day)) === 0 ? [] : [dayName.format(at)])).join(' '),
    instant: (value) => format.dateTimeSeconds(value, zone),
    number: (value) => format.decimal(value, 6),
    list: format.list,
    labelled: format.labelled,
  };
  return {
    words,
    /** An action of a newer portal has no text yet, so it is shown as it is. */
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
