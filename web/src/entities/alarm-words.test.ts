import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { alarmTexts } from '../../../messages/en/alarms.ts';
import { bySeverity } from './alarms.ts';
import { textAround } from './alarm-words.ts';
import { createFormat } from '../../../shared/format.ts';
import { type Alarm, alarmFigure, readableSeconds } from '../../../shared/alarms.ts';

const alarm = { kind: 'offline', unit: 's', ruleName: 'Cold room' };

describe('the text of an alarm', () => {
  it('leaves the place of its subject to a link', () => {
    expect(textAround(alarm, '25 min', alarmTexts)).toEqual(['', ': no reading for 25 min']);
    expect(textAround({ ...alarm, kind: 'limit', unit: 'kW' }, '12 kW', alarmTexts)).toEqual([
      '',
      ': Cold room, 12 kW',
    ]);
  });

  it('has no such place where it is about the portal', () => {
    expect(textAround({ ...alarm, kind: 'push', unit: null }, '', alarmTexts)).toEqual([
      'The push to the fleet is failing',
      null,
    ]);
  });

  it('is that of the figure where a kind has two', () => {
    const after = (kind: string, unit: string | null) => textAround({ ...alarm, kind, unit }, '7', alarmTexts)[1];
    expect(after('delivery', '%')).not.toBe(after('delivery', 's'));
    expect(after('dataQuality', '%')).not.toBe(after('dataQuality', null));
  });

  it('takes a name with braces or dollars as it is', () => {
    const ruleName = '{figure} $& $1';
    expect(textAround({ kind: 'limit', unit: 'V', ruleName }, '7 V', alarmTexts)).toEqual(['', `: ${ruleName}, 7 V`]);
  });

  it('is the name of its rule where the page does not know the kind', () => {
    expect(textAround({ ...alarm, kind: 'tomorrow' }, '7', alarmTexts)).toEqual(['', ': Cold room']);
  });
});

it('every language says what English says, with the same figures', () => {
  const placeholders = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([name]) => name).toSorted();
  const root = new URL('../../../messages/', import.meta.url).pathname;
  const files = globSync('*/alarms.json', { cwd: root });
  expect(files.length).toBe(5);
  for (const file of files) {
    const texts: Record<string, string> = JSON.parse(readFileSync(root + file, 'utf8'));
    expect(Object.keys(texts), file).toEqual(Object.keys(alarmTexts));
    for (const [code, text] of Object.entries(alarmTexts)) {
      expect(placeholders(texts[code] ?? ''), `${file} ${code}`).toEqual(placeholders(text));
    }
  }
});

it.each([
  [253.54, 'V', '253,54\u00A0V'],
  [50.02, 'Hz', '50,02\u00A0Hz'],
  [12_345, 'kW', '12.345\u00A0kW'],
  [0.83, null, '0,83'],
  [900, 's', '15\u00A0Min.'],
  [7.25, '%', '7,3\u00A0%'],
  [1_200, 'EUR', '1.200,00\u00A0€'],
  [null, 'kW', ''],
])('the figure %d %s is written as exactly as its limit: %s', (value, unit, text) => {
  expect(alarmFigure(createFormat('de'), value, unit).replaceAll(' ', '\u00A0')).toBe(text);
});

it('times are as exact as somebody reads them', () => {
  const times = [45, 900, 930, 7_199, 7_300, 100_000, 3 * 86_400 + 5_000];
  expect(times.map(readableSeconds)).toEqual([45, 900, 960, 7_200, 7_200, 100_800, 3 * 86_400]);
});

it('the most severe alarms come first, and the newest of them', () => {
  const of = (id: string, severity: Alarm['severity'], firingAt: string): Alarm => ({
    ...alarm,
    id,
    severity,
    firingAt,
    ruleId: id,
    state: 'firing',
    subject: { kind: 'device', id, name: id },
    acknowledgedAt: null,
    acknowledgedBy: null,
    snoozedUntil: null,
    resolvedAt: null,
    value: 1,
    text: '',
  });
  const alarms = [
    of('info', 'info', '2026-03-10T12:00:00Z'),
    of('old', 'critical', '2026-03-10T09:00:00Z'),
    of('warning', 'warning', '2026-03-10T11:00:00Z'),
    of('new', 'critical', '2026-03-10T10:00:00Z'),
  ];
  expect(bySeverity(alarms).map(({ id }) => id)).toEqual(['new', 'old', 'warning', 'info']);
  expect(bySeverity([])).toEqual([]);
});
