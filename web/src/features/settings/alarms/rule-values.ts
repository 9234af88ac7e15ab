import { z } from 'zod';
import {
  type AlarmKind,
  type AlarmRecipient,
  type AlarmRule,
  type AlarmSeverity,
  type AlarmWindow,
  clientAlarmRuleWrite,
  fleetAlarmRuleWrite,
} from '../../../../../shared/alarms.ts';
import type { RunMode } from '../../../../../shared/app.ts';
import { newTime, type WeekTime, windowOf, writeTimeOfDay } from '../../../entities/week-windows.ts';
import { typedNumber, writeDecimal } from '../../../lib/decimal.ts';
import { innerOf } from '../../../lib/records.ts';

/** The possible fields of conditions: the unit in which a field is typed, and how many units of the API one such unit is. */
const conditionFields = {
  quantity: {},
  above: {},
  below: {},
  hysteresis: {},
  afterSeconds: { unit: 'min', size: 60 },
  failingSeconds: { unit: 'min', size: 60 },
  silentSeconds: { unit: 'min', size: 60 },
  limitKw: { unit: 'kW' },
  percent: { unit: '%' },
  missingPercent: { unit: '%' },
  rejectedPercent: { unit: '%' },
  per: {},
  amount: {},
  currency: {},
  anomalies: {},
  factor: { unit: '×' },
  afterHours: { unit: 'h' },
  hours: { unit: 'h' },
} as const satisfies Record<string, { unit?: string; size?: number }>;
export type FieldName = keyof typeof conditionFields;

const fieldsByName: Readonly<Record<string, { unit?: string; size?: number }>> = conditionFields;
const isFieldName = (name: string): name is FieldName => name in conditionFields;
export const fieldNames = Object.keys(conditionFields).filter(isFieldName);
const sizeOf = (name: FieldName): number => fieldsByName[name]?.size ?? 1;
export const fixedUnitOf = (name: FieldName): string | undefined => fieldsByName[name]?.unit;

const clientRules = clientAlarmRuleWrite.options;
const fleetRules = fleetAlarmRuleWrite.options;

export const kindsOf = (runMode: RunMode): AlarmKind[] =>
  runMode === 'Client'
    ? clientRules.map(({ shape }) => shape.kind.value)
    : fleetRules.map(({ shape }) => shape.kind.value);

/** The condition of a kind in the form that the portal accepts. */
export const conditionOf = (kind: AlarmKind): z.ZodObject =>
  [...clientRules, ...fleetRules].find(({ shape }) => shape.kind.value === kind)?.shape.condition ?? z.object({});

/** The fields of every rule in the form that the portal accepts. */
export const commonOfRules = clientRules[0].pick({ name: true, durationSeconds: true });

export interface ConditionField {
  name: FieldName;
  type: 'number' | 'text' | 'choice' | 'choices';
  /** The options of a choice. */
  options: readonly string[];
  isOptional: boolean;
}

/** The fields of a condition, in the order of its schema. A field with only one possible value is left out. */
export const fieldsOf = (kind: AlarmKind): ConditionField[] =>
  Object.entries(conditionOf(kind).shape).flatMap(([name, schema]): ConditionField[] => {
    const inner = innerOf(schema);
    if (!isFieldName(name) || inner instanceof z.ZodLiteral) return [];
    const isOptional = z.object({ schema }).safeParse({ schema: null }).success;
    const choices = inner instanceof z.ZodArray ? innerOf(inner.element) : inner;
    const options = choices instanceof z.ZodEnum ? choices.options.map(String) : [];
    const type =
      inner instanceof z.ZodNumber
        ? 'number'
        : inner instanceof z.ZodArray
          ? 'choices'
          : options.length > 0
            ? 'choice'
            : 'text';
    return [{ name, type, options, isOptional }];
  });

/** The kinds of alarms whose subject has no place. */
const placeless: readonly string[] = ['push', 'delivery'];
export const hasScope = (kind: AlarmKind): boolean => !placeless.includes(kind);

/** The values of a rule's form; numbers as typed. */
export type RuleValues = Record<Exclude<FieldName, 'anomalies'>, string> & {
  anomalies: string[];
  name: string;
  kind: AlarmKind;
  severity: AlarmSeverity;
  isActive: boolean;
  /** In minutes. */
  durationSeconds: string;
  siteIds: string[];
  deviceIds: string[];
  endUses: string[];
  customerIds: string[];
  groups: string[];
  /** A kind of recipient and its name, with a space between them. Kinds are `userId`, `webhookId`, `role` and `email`. */
  told: string[];
  emails: string[];
  /** In minutes; '' means that there is no escalation. */
  escalationAfter: string;
  escalationTold: string[];
  /** An empty list means always. */
  windows: readonly WeekTime[];
};

/** A rule in the form in which the page sends it. */
export interface RuleDraft {
  name: string;
  kind: AlarmKind;
  isActive: boolean;
  severity: AlarmSeverity;
  durationSeconds: number;
  scope: Partial<Record<'siteIds' | 'deviceIds' | 'endUses' | 'customerIds' | 'groups', string[] | undefined>>;
  condition: object;
  schedule: AlarmWindow[] | null;
  recipients: AlarmRecipient[];
  escalation: { afterSeconds: number; recipients: AlarmRecipient[] } | null;
}

const defaults = {
  quantity: 'activePowerKw',
  failingSeconds: 3600,
  per: 'day',
  percent: 50,
  factor: 3,
  afterHours: 24,
  hours: 24,
} as const satisfies Partial<Record<FieldName, string | number>>;

/** The initial values of the form. */
export function valuesOf(rule: AlarmRule | null, kind: AlarmKind, separator: string): RuleValues {
  const stored = new Map<string, unknown>(Object.entries(rule?.condition ?? defaults));
  const typed = (name: FieldName): string => {
    const value = stored.get(name);
    if (typeof value === 'number') return writeDecimal(value / sizeOf(name), separator);
    return typeof value === 'string' ? value : '';
  };
  const scope: RuleDraft['scope'] = rule?.scope ?? {};
  const recipients = rule?.recipients ?? [];
  const escalation = rule?.escalation ?? null;
  const anomalies = z.array(z.string()).safeParse(stored.get('anomalies')).data ?? [];
  return {
    quantity: typed('quantity'),
    above: typed('above'),
    below: typed('below'),
    hysteresis: typed('hysteresis'),
    afterSeconds: typed('afterSeconds'),
    failingSeconds: typed('failingSeconds'),
    silentSeconds: typed('silentSeconds'),
    limitKw: typed('limitKw'),
    percent: typed('percent'),
    missingPercent: typed('missingPercent'),
    rejectedPercent: typed('rejectedPercent'),
    per: typed('per'),
    amount: typed('amount'),
    currency: typed('currency'),
    factor: typed('factor'),
    afterHours: typed('afterHours'),
    hours: typed('hours'),
    anomalies,
    name: rule?.name ?? '',
    kind: rule?.kind ?? kind,
    severity: rule?.severity ?? 'warning',
    isActive: rule?.isActive ?? true,
    durationSeconds: writeDecimal((rule?.durationSeconds ?? 0) / 60, separator),
    siteIds: scope.siteIds ?? [],
    deviceIds: scope.deviceIds ?? [],
    endUses: scope.endUses ?? [],
    customerIds: scope.customerIds ?? [],
    groups: scope.groups ?? [],
    told: recipients.filter((one) => !('email' in one)).map(nameOf),
    escalationAfter: escalation === null ? '' : writeDecimal(escalation.afterSeconds / 60, separator),
    escalationTold: (escalation?.recipients ?? []).map(nameOf),
    emails: recipients.flatMap((one) => ('email' in one ? [one.email] : [])),
    windows: (rule?.schedule ?? []).map(({ daysOfWeek, startTime, endTime }) => ({
      ...newTime(),
      daysOfWeek,
      start: startTime,
      end: endTime,
    })),
  };
}

const nameOf = (recipient: AlarmRecipient): string => Object.entries(recipient).flat().join(' ');

const recipientOf = (told: string): AlarmRecipient => {
  const [what, id = ''] = told.split(' ');
  if (what === 'role') return { role: 'Admin' };
  if (what === 'email') return { email: id };
  return what === 'webhookId' ? { webhookId: id } : { userId: id };
};

/** The request. A text that is no number is NaN, which the schema rejects. */
export function toRule(values: RuleValues, separator: string): RuleDraft {
  const { name, kind, severity, isActive, siteIds, deviceIds, endUses, customerIds, groups } = values;
  const number = (text: string, size: number) => {
    const value = typedNumber(text, separator);
    return value === null || size === 1 ? value : Math.round(value * size);
  };
  const condition = fieldsOf(kind).flatMap(({ name: field, type, isOptional }): [string, unknown][] => {
    if (field === 'anomalies') return [[field, values.anomalies]];
    const text = field === 'currency' ? values[field].toUpperCase() : values[field];
    const value = type === 'number' ? number(text, sizeOf(field)) : text.trim();
    return value === null && !isOptional ? [] : [[field, value]];
  });
  const isOfFleet = !kindsOf('Client').includes(kind);
  const schedule = values.windows.flatMap((time) => {
    const window = windowOf(time);
    if (window === undefined) return [];
    const [startTime, endTime] = [writeTimeOfDay(window.startMinute), writeTimeOfDay(window.endMinute)];
    return [{ daysOfWeek: window.daysOfWeek, startTime, endTime }];
  });
  return {
    name,
    kind,
    isActive,
    severity,
    durationSeconds: number(values.durationSeconds, 60) ?? 0,
    scope: !hasScope(kind) ? {} : isOfFleet ? { customerIds, groups } : { siteIds, deviceIds, endUses },
    condition: Object.fromEntries(condition),
    schedule: schedule.length === 0 ? null : schedule,
    recipients: [...values.told.map(recipientOf), ...values.emails.map((email) => ({ email }))],
    escalation:
      values.escalationAfter.trim() === ''
        ? null
        : {
            afterSeconds: number(values.escalationAfter, 60) ?? NaN,
            recipients: values.escalationTold.map(recipientOf),
          },
  };
}
