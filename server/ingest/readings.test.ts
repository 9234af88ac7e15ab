import { describe, expect, it } from 'vitest';
import { inEnglish } from '../base/errors.ts';
import { judgeRow } from './readings.rules.ts';

const nowMicros = Date.UTC(2026, 5, 1) * 1000;
const good = { externalId: 'm-1', time: '2026-05-31T12:00:00Z', activePowerKw: 1.5 };
const judge = (row: Record<string, unknown>) => judgeRow(row, 7, nowMicros);
const reasonOf = (row: Record<string, unknown>) => {
  const verdict = judge(row);
  return 'problem' in verdict ? inEnglish(verdict.problem) : 'accepted';
};

describe('decisions 4: rows are judged one by one', () => {
  it('converts values to fixed units, and keeps absent ones null', () => {
    expect(
      judge({ ...good, voltageV: 230.1, powerFactor: null, frequencyHz: 49.987_65, energyImportedKwh: 12.345678 }),
    ).toEqual({
      index: 7,
      externalId: 'm-1',
      timeMicros: Date.UTC(2026, 4, 31, 12) * 1000,
      quantities: [1_500_000, null, null, null, 230_100, 499_877, 12_345_678, null],
    });
  });

  it.each([
    ['powerFactor at its ends', { powerFactor: -1 }],
    ['voltage 0', { voltageV: 0 }],
    ['a negative register', { energyImportedKwh: -5 }],
    ['negative power', { activePowerKw: -12 }],
    ['a time 24 h ahead', { time: '2026-06-02T00:00:00Z' }],
    ['the first instant of 2000', { time: '2000-01-01T00:00:00Z' }],
    ['an unknown field', { colour: 'red' }],
  ])('accepts %s', (_what, fields) => {
    expect(reasonOf({ ...good, ...fields })).toBe('accepted');
  });

  it.each([
    ['externalId', { externalId: undefined }, 'missing'],
    ['externalId', { externalId: 42 }, '42'],
    ['externalId', { externalId: '  ' }, '"  "'],
    ['time', { time: undefined }, 'missing'],
    ['time', { time: 1_780_000_000 }, '1780000000'],
    ['time', { time: '2026-05-31T12:00:00' }, '"2026-05-31T12:00:00"'],
    ['time', { time: '9999-12-31T23:59:59Z' }, '"9999-12-31T23:59:59Z"'],
    ['time', { time: '2026-06-02T00:00:00.001Z' }, '24 h'],
    ['time', { time: '1999-12-31T23:59:59Z' }, '2000-01-01'],
    ['activePowerKw', { activePowerKw: undefined }, 'missing'],
    ['activePowerKw', { activePowerKw: null }, 'null'],
    ['activePowerKw', { activePowerKw: '1.5' }, 'the text "1.5"'],
    ['activePowerKw', { activePowerKw: true }, 'true'],
    ['activePowerKw', { activePowerKw: Number.POSITIVE_INFINITY }, 'not a finite number'],
    ['activePowerKw', { activePowerKw: 1e300 }, 'too large'],
    ['reactivePowerKvar', { reactivePowerKvar: '0' }, 'the text "0"'],
    ['apparentPowerKva', { apparentPowerKva: [] }, 'a list'],
    ['powerFactor', { powerFactor: 1.000_001 }, '1.000001'],
    ['powerFactor', { powerFactor: -1.1 }, '-1.1'],
    ['voltageV', { voltageV: -0.001 }, '-0.001'],
    ['frequencyHz', { frequencyHz: -50 }, '-50'],
    ['energyImportedKwh', { energyImportedKwh: {} }, 'an object'],
    ['energyExportedKwh', { energyExportedKwh: Number.NaN }, 'not a finite number'],
  ])('rejects %s with a reason that names it, what was received and what is accepted', (field, fields, came) => {
    const reason = reasonOf({ ...good, ...fields });
    expect(reason).toContain(field);
    expect(reason).toContain(came);
  });

  it('ignores inherited properties of an object', () => {
    expect(
      reasonOf(JSON.parse('{"externalId":"m-1","time":"2026-05-31T12:00:00Z","__proto__":{"activePowerKw":1}}')),
    ).toContain('activePowerKw is missing');
  });
});
