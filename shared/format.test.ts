import { describe, expect, it } from 'vitest';
import { createFormat } from './format.ts';

const en = createFormat('en-GB');
const de = createFormat('de-DE');
const plain = (text: string) => text.replaceAll(/[\u00a0\u202f\u2009]/g, ' ');

describe('numbers', () => {
  it.each([
    [7, '7 bytes', '7 Byte'],
    [999, '999 bytes', '999 Byte'],
    [186_400, '186 kB', '186 kB'],
  ])('%d bytes read %s: less than a kilobyte is not zero', (value, inEnglish, inGerman) => {
    expect(plain(en.bytes(value))).toBe(inEnglish);
    expect(plain(de.bytes(value))).toBe(inGerman);
  });

  it.each([
    [0.5, '0.50 kW'],
    [12.34, '12.3 kW'],
    [1234.5, '1,235 kW'],
    [-3.456, '-3.46 kW'],
  ])('%d kW reads %s in English', (value, expected) => {
    expect(plain(en.power(value))).toBe(expected);
  });

  it.each([
    [99_999, '99,999 kWh'],
    [100_000, '100.0 MWh'],
    [-1_234_567, '-1,234.6 MWh'],
    [99_999_000, '99,999.0 MWh'],
    [123_456_789, '123.5 GWh'],
  ])('%d kWh reads %s: units grow with the number', (value, expected) => {
    expect(plain(en.energy(value))).toBe(expected);
  });

  it('shows all values of a list in the unit of the largest', () => {
    expect([107_004, 96_097, 3].map((kwh) => plain(en.energy(kwh, 107_004)))).toEqual([
      '107.0 MWh',
      '96.10 MWh',
      '0.003 MWh',
    ]);
    expect(plain(en.energyChange(-10_907, 107_004))).toBe('-10.91 MWh');
    expect(plain(en.energy(107_004, 96_097))).toBe('107,004 kWh');
    expect(plain(en.power(9_999, 12_345))).toBe('9.999 MW');
  });

  it('shows at least two significant digits of a difference, in the unit of its list unless that takes more than four; float noise is zero', () => {
    expect(plain(en.energyChange(-5.2, 250_000))).toBe('-0.0052 MWh');
    expect(plain(en.energyChange(-520, 250e6))).toBe('-520 kWh');
    expect(plain(en.energyChange(1_230, 250e6))).toBe('+0.0012 GWh');
    expect(plain(en.energyChange(0.04, 250_000))).toBe('+0.040 kWh');
    expect(plain(en.energyChange(-1.8e-12, 250e6))).toBe('0.000 GWh');
    expect(plain(en.energyChange(-5.2, 41))).toBe('-5.20 kWh');
    expect(plain(en.energyChange(0.04))).toBe('+0.040 kWh');
    expect(plain(en.energyChange(-0.001_4, 427))).toBe('0.00 kWh');
    expect(plain(en.energyChange(-1.8e-12, 250_000))).toBe('0.000 MWh');
  });

  it('shows power in MW, and a value separate from its unit', () => {
    expect(plain(en.power(9_999))).toBe('9,999 kW');
    expect(plain(en.power(12_345))).toBe('12.35 MW');
    expect(plain(en.energyChange(250_000))).toBe('+250.0 MWh');
    expect(en.figure(2e7, 'kW')).toEqual({ value: '20.00', unit: 'GW' });
    expect(en.figure(null, 'kWh')).toEqual({ value: '–', unit: 'kWh' });
    expect(plain(en.quantity(400_000, 'V'))).toBe('400,000 V');
  });

  it('uses German separators', () => {
    expect(plain(de.energy(12_345.6))).toBe('12.346 kWh');
    expect(plain(de.power(1.5))).toBe('1,50 kW');
  });

  it('shows money to the minor unit of its currency, and a rate with all its digits', () => {
    expect(plain(en.money(22.4, 'EUR'))).toBe('€22.40');
    expect(plain(de.money(1234.5, 'EUR'))).toBe('1.234,50 €');
    expect(plain(en.money(1234, 'JPY'))).toBe('JP¥1,234');
    expect(plain(en.money(1234.5, 'HUF'))).toBe('HUF 1,234.50');
    expect(plain(en.money(1.5, 'IQD'))).toBe('IQD 1.500');
    expect(plain(en.pricePerKwh(0.1, 'EUR'))).toBe('€0.10/kWh');
    expect(plain(de.pricePerKwh(0.28745, 'EUR'))).toBe('0,28745 €/kWh');
  });

  it('marks an axis of money with the sign of its currency, and with cents only where there are some', () => {
    expect([0, 250, 0.5].map((value) => plain(en.moneyMark(value, 'EUR')))).toEqual(['€0', '€250', '€0.5']);
    expect(plain(de.moneyMark(10_000, 'CHF'))).toBe('10.000 CHF');
  });

  it('shows an estimate of money without cents if they would only seem exact', () => {
    expect(plain(en.moneyAbout(1234.56, 'EUR'))).toBe('€1,235');
    expect(plain(de.moneyAbout(-100, 'EUR'))).toBe('-100 €');
    expect(plain(en.moneyAbout(99.5, 'EUR'))).toBe('€99.50');
  });

  it('shows a dash for unknown values, never a zero', () => {
    expect(en.power(null)).toBe('–');
    expect(en.energy(undefined)).toBe('–');
    expect(en.integer(null)).toBe('–');
  });

  it('never shows minus zero', () => {
    expect(en.number(-0.0001)).toBe('0.00');
  });

  it('leaves out the unit if a quantity has none', () => {
    expect(en.quantity(0.987, '')).toBe('0.99');
  });
});

describe('times', () => {
  it('follows the given zone, not the machine', () => {
    expect(plain(en.dateTime('2026-07-01T22:30:00Z', 'Europe/Berlin'))).toBe('2 Jul 2026, 00:30');
    expect(plain(en.dateTime('2026-07-01T22:30:00Z', 'America/New_York'))).toBe('1 Jul 2026, 18:30');
  });

  it('shows a local time with its day', () => {
    expect(plain(en.clock('2026-07-01T22:30:00Z', 'Europe/Berlin'))).toBe('Thu 00:30');
  });

  it('writes German dates the German way', () => {
    expect(plain(de.date('2026-07-01T12:00:00Z', 'UTC'))).toBe('01.07.2026');
  });
});

describe('ages', () => {
  const now = Date.parse('2026-07-01T12:00:00Z');
  it.each([
    [2, 'now'],
    [40, '40 seconds ago'],
    [90, '1 minute ago'],
    [3599, '59 minutes ago'],
    [7200, '2 hours ago'],
    [86_400, 'yesterday'],
    [86_400 * 45, 'last month'],
    [86_400 * 800, '2 years ago'],
    [-30, 'now'],
    [-7200, 'in 2 hours'],
  ])('%d seconds ago reads %s', (seconds, expected) => {
    expect(en.age(now - seconds * 1000, now)).toBe(expected);
  });

  it('reads in German', () => {
    expect(de.age(now - 180_000, now)).toBe('vor 3 Minuten');
  });

  it.each([
    [0, '0 seconds'],
    [45, '45 seconds'],
    [90, '90 seconds'],
    [1800, '30 minutes'],
    [5400, '90 minutes'],
    [7200, '2 hours'],
    [86_400, '1 day'],
  ])('%d seconds last %s', (seconds, expected) => {
    expect(en.duration(seconds)).toBe(expected);
  });

  it('counts down in minutes and seconds', () => {
    expect(en.countdown(245)).toBe('4:05');
  });
});

describe('the repeated autumn hour', () => {
  const english = createFormat('en-GB');
  const zone = 'Europe/Berlin';

  it('distinguishes its two halves by their offsets, and leaves every other hour without', () => {
    expect(english.dateTime('2026-10-25T00:20:00Z', zone)).toMatch(/02:20\u00a0GMT\+2$/);
    expect(english.dateTime('2026-10-25T01:20:00Z', zone)).toMatch(/02:20\u00a0GMT\+1$/);
    expect(english.dateTimeSeconds('2026-10-25T01:20:05Z', zone)).toMatch(/02:20:05\u00a0GMT\+1$/);
    for (const at of ['2026-10-24T23:59:59Z', '2026-10-25T02:00:00Z', '2026-03-29T01:00:00Z', '2026-03-29T00:59:00Z']) {
      expect(english.dateTime(at, zone)).not.toContain('GMT');
    }
  });

  it('names both ends of a span in it', () => {
    const span = english.dateTimeSpan(Date.parse('2026-10-25T00:20:00Z'), Date.parse('2026-10-25T01:20:00Z'), zone);
    expect(span).toMatch(/GMT\+2.*GMT\+1/);
  });

  it('is half an hour on Lord Howe Island', () => {
    expect(english.dateTime('2026-04-04T14:45:00Z', 'Australia/Lord_Howe')).toContain('GMT+11');
    expect(english.dateTime('2026-04-04T15:15:00Z', 'Australia/Lord_Howe')).toContain('GMT+10:30');
    expect(english.dateTime('2026-04-04T15:45:00Z', 'Australia/Lord_Howe')).not.toContain('GMT');
  });
});

it('a change has its sign; a small one has a decimal', () => {
  const changes = [0.1234, -0.0123, 0, 12.5].map((share) => createFormat('en-GB').change(share));
  expect(changes).toEqual(['+12%', '-1.2%', '0%', '+1,250%']);
});

it('French separates a colon from the text before it', () => {
  expect(createFormat('fr-CH').labelled('Rapport', 'mars 2026')).toBe('Rapport\u202f: mars 2026');
  expect(createFormat('de-CH').labelled('Bericht', 'März 2026')).toBe('Bericht: März 2026');
});

it('a change of energy or money has its sign, zero has none', () => {
  const energies = [1.6, -6.4, 0].map((energy) => plain(createFormat('en-GB').energyChange(energy)));
  expect(energies).toEqual(['+1.60 kWh', '-6.40 kWh', '0.00 kWh']);
  const changes = [1.6, -6.4, 0].map((amount) => createFormat('en-GB').moneyChange(amount, 'EUR'));
  expect(changes).toEqual(['+€1.60', '-€6.40', '€0.00']);
  expect(createFormat('ja-JP').moneyChange(1200, 'JPY')).toBe('+￥1,200');
  expect(plain(createFormat('en-GB').moneyChange(1.5, 'HUF'))).toBe('+HUF 1.50');
});

it('names a time zone as its place does, and UTC as itself', () => {
  expect(['UTC', 'Europe/Berlin'].map(en.timeZoneName)).toEqual(['UTC', 'Central European Time']);
  const inBerlin = ['de', 'fr', 'es', 'it', 'nl'].map((language) =>
    createFormat(language).timeZoneName('Europe/Berlin'),
  );
  expect(inBerlin).toEqual([
    'Mitteleuropäische Zeit',
    'heure d’Europe centrale',
    'hora de Europa central',
    'Ora dell’Europa centrale',
    'Midden-Europese tijd',
  ]);
});
