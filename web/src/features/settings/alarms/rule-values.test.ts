import { describe, expect, it } from 'vitest';
import { alarmRules as texts } from '../../../../../messages/en/page/alarm-rules.ts';
import {
  type AlarmRule,
  clientAlarmRule,
  clientAlarmRuleWrite,
  fleetAlarmRuleWrite,
} from '../../../../../shared/alarms.ts';
import { problemsOf } from '../../../lib/records.ts';
import { conditionOf, fieldNames, fieldsOf, kindsOf, type RuleValues, toRule, valuesOf } from './rule-values.ts';

const kinds = [...kindsOf('Client'), ...kindsOf('Admin')];

describe.each(kinds)('a rule of kind %s', (kind) => {
  it('has a name, and a label for each field of its condition', () => {
    expect(Object.keys(texts.kinds)).toContain(kind);
    expect(fieldNames).toEqual(expect.arrayContaining(Object.keys(conditionOf(kind).shape)));
    expect(Object.keys(texts.fields)).toEqual(expect.arrayContaining(fieldsOf(kind).map(({ name }) => name)));
  });

  it('is taken by the portal once its numbers are typed', () => {
    const empty = { ...valuesOf(null, kind, '.'), name: 'Rule', currency: 'EUR', anomalies: ['reset'] };
    const typed = fieldsOf(kind).flatMap(({ name, type }) => (type === 'number' ? [[name, '12']] : []));
    // Below is less than above.
    const values: RuleValues = { ...empty, ...Object.fromEntries(typed), below: '' };
    const write = kindsOf('Client').includes(kind) ? clientAlarmRuleWrite : fleetAlarmRuleWrite;
    expect(write.safeParse(toRule(values, '.')).error?.issues ?? []).toEqual([]);
  });
});

const rule: AlarmRule = clientAlarmRule.parse({
  id: '01890a5d-ac96-774b-bcce-b302099a8057',
  name: 'Cold room',
  kind: 'limit',
  severity: 'critical',
  durationSeconds: 90,
  condition: { quantity: 'voltageV', above: 253.5, below: null, hysteresis: 1 },
  scope: { siteIds: [], deviceIds: ['01890a5d-ac96-774b-bcce-b302099a8058'], endUses: ['Cooling'] },
  schedule: [{ daysOfWeek: 31, startTime: '22:00', endTime: '06:00' }],
  recipients: [
    { userId: '01890a5d-ac96-774b-bcce-b302099a8059' },
    { webhookId: '01890a5d-ac96-774b-bcce-b302099a805a' },
    { email: 'duty@example.com' },
    { role: 'Admin' },
  ],
  escalation: {
    afterSeconds: 900,
    recipients: [{ role: 'Admin' }, { email: 'boss@example.com' }],
  },
});

it.each(['.', ','])('a stored rule passes through its form unchanged, with %s for decimals', (separator) => {
  const { id: _id, ...written } = rule;
  const values = valuesOf(rule, 'offline', separator);
  expect([values.durationSeconds, values.above]).toEqual([`1${separator}5`, `253${separator}5`]);
  const isEmail = (one: object) => 'email' in one;
  const recipients = [...written.recipients.filter((one) => !isEmail(one)), ...written.recipients.filter(isEmail)];
  expect(toRule(values, separator)).toEqual({ ...written, recipients });
});

it('minutes become seconds, and an empty limit leaves it to each device', () => {
  const values = valuesOf(null, 'offline', '.');
  expect(toRule({ ...values, afterSeconds: '10' }, '.').condition).toEqual({ afterSeconds: 600 });
  expect(toRule({ ...values, afterSeconds: ' ' }, '.').condition).toEqual({ afterSeconds: null });
});

it('a window until midnight ends at 24:00, and no window means always', () => {
  const values = valuesOf(rule, 'offline', '.');
  const windows = [{ key: '1', daysOfWeek: 96, start: '8', end: '0' }];
  expect(toRule({ ...values, windows }, '.').schedule).toEqual([
    { daysOfWeek: 96, startTime: '08:00', endTime: '24:00' },
  ]);
  expect(toRule({ ...values, windows: [] }, '.').schedule).toBeNull();
});

it('what is missing or no number is told at its field', () => {
  const problems = (typed: Partial<RuleValues>) => {
    const values = { ...valuesOf(null, 'limit', '.'), ...typed };
    const written = toRule(values, '.').condition;
    return problemsOf(conditionOf('limit'), { typed: values, written }, { above: () => 'number' }, 'required');
  };
  expect(problems({ above: '12' })).toEqual({});
  expect(problems({ above: 'twelve' })).toEqual({ above: 'number' });
  expect(Object.keys(problems({}))).toEqual(['above']);
});
