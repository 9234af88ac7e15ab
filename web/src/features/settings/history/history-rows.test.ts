import { describe, expect, it } from 'vitest';
import { createTimes, type HistoryMapping, readHistoryRow, withColumn } from './history-rows.ts';
import { HistoryTimes, readLocal } from './history-times.ts';
import { germanMapping as mapping } from './test-mapping.ts';

const read = (...fields: string[]) =>
  readHistoryRow({ line: 2, fields }, mapping, new HistoryTimes(mapping.timeZone, mapping.dateOrder));

describe('a row', () => {
  it('has its time in UTC and its numbers as the file writes them', () => {
    expect(read('10.03.2026 10:00', '1.234,5', '99')).toMatchObject({
      line: 2,
      row: { externalId: 'm1', time: '2026-03-10T09:00:00.000Z', activePowerKw: 1234.5, energyImportedKwh: 99 },
    });
  });

  it('accepts W if the file has W, and the device and the time of day from separate columns', () => {
    const other: HistoryMapping = {
      ...mapping,
      columns: { time: 0, clock: 1, externalId: 2, activePowerKw: 3 },
      powerPerKw: 1000,
    };
    const fields = ['3/4/26', '08:15:30', 'm2', '1500'];
    expect(
      readHistoryRow({ line: 2, fields }, { ...other, dateOrder: 'mdy' }, new HistoryTimes('UTC', 'mdy')),
    ).toMatchObject({ row: { externalId: 'm2', time: '2026-03-04T08:15:30.000Z', activePowerKw: 1.5 } });
  });

  it.each([
    ['notATime', 'time', ['31.02.2026 10:00', '1']],
    ['notATime', 'time', ['yesterday', '1']],
    ['notATime', 'time', ['10.03.2026 24:30', '1']],
    ['notATime', 'time', ['30.02.2026 24:00', '1']],
    ['skipped', 'time', ['29.03.2026 02:30', '1']],
    ['repeated', 'time', ['25.10.2026 02:30', '1']],
    ['noPower', 'activePowerKw', ['10.03.2026 10:00', '']],
    ['notANumber', 'activePowerKw', ['10.03.2026 10:00', '=1+1']],
    ['notANumber', 'energyImportedKwh', ['10.03.2026 10:00', '1', 'n/a']],
    ['otherDecimals', 'activePowerKw', ['10.03.2026 10:00', '0.500']],
    ['otherDecimals', 'energyImportedKwh', ['10.03.2026 10:00', '1', '12.345']],
  ])('%s of %s is reported', (problem, field, fields) => {
    expect(read(...fields)).toMatchObject({ problem, field });
  });

  it('without a device is reported', () => {
    const none = readHistoryRow(
      { line: 2, fields: ['', '1'] },
      { ...mapping, externalId: '' },
      new HistoryTimes('UTC', 'dmy'),
    );
    expect(none).toMatchObject({ problem: 'noExternalId', field: 'externalId' });
  });
});

describe('times', () => {
  it.each([
    ['2026-03-10T10:00:00Z', '2026-03-10T10:00:00.000Z'],
    ['2026-03-10T10:00:00+01:00', '2026-03-10T09:00:00.000Z'],
    ['2026-10-25T02:30:00+01:00', '2026-10-25T01:30:00.000Z'],
    ['2026-10-25 02:30:00+0100', '2026-10-25T01:30:00.000Z'],
    ['2026-10-25 02:30:00.25+01', '2026-10-25T01:30:00.250Z'],
    ['2026-03-10 10:00:00 +05:30', '2026-03-10T04:30:00.000Z'],
    ['2026-03-10 10:00:00Z', '2026-03-10T10:00:00.000Z'],
    ['2026-03-10 10:00', '2026-03-10T09:00:00.000Z'],
    ['10.03.2026 24:00', '2026-03-10T23:00:00.000Z'],
    ['31.12.2025 24:00:00', '2025-12-31T23:00:00.000Z'],
    ['2026/07/10 10:00:30.5', '2026-07-10T08:00:30.000Z'],
  ])('%s is %s', (text, instant) => {
    expect(new HistoryTimes('Europe/Berlin', 'dmy').read(text, 'm1')).toBe(Date.parse(instant));
  });

  it('in an ascending file, the repeated autumn hour is summer time first, then winter time, device by device', () => {
    const times = new HistoryTimes('Europe/Berlin', 'dmy');
    const clocks = ['01:30', '02:00', '02:30', '02:00', '02:30', '03:00'];
    for (const device of ['m1', 'm2']) {
      times.read('25.10.2026 01:00', device);
      const read = clocks.map((clock) => Number(times.read(`25.10.2026 ${clock}`, device)));
      expect(read.map((at) => new Date(at).toISOString().slice(11, 16))).toEqual([
        '23:30',
        '00:00',
        '00:30',
        '01:00',
        '01:30',
        '02:00',
      ]);
    }
    expect(times.repeated).toBe(8);
  });

  it('in a descending file, the repeated hour is rejected: nothing is guessed', () => {
    const times = new HistoryTimes('Europe/Berlin', 'dmy');
    expect(['03:30', '03:00', '02:30'].map((clock) => times.read(`25.10.2026 ${clock}`, 'm1')).at(-1)).toBe('repeated');
  });

  const quarterMs = 15 * 60_000;
  it.each([
    ['as clocks show it', ['02:15', '02:30', '02:45', '02:00', '02:15', '02:30', '02:45', '03:00']],
    ['as its start and its length', ['02:15', '02:30', '02:45', '03:00', '02:15', '02:30', '02:45', '03:00']],
  ])('the end of an interval in the repeated autumn hour may be written %s', (_, clocks) => {
    const times = new HistoryTimes('Europe/Berlin', 'dmy', quarterMs);
    const read = ['01:30', '01:45', '02:00', ...clocks].map((clock) => Number(times.read(`25.10.2026 ${clock}`, 'm1')));
    const first = Date.parse('2026-10-24T23:30:00Z');
    expect(read).toEqual(read.map((_, at) => first + at * quarterMs));
  });

  it.each(['02:00', '03:00'])('the end of an interval at which clocks spring forward may be %s', (clock) => {
    const times = new HistoryTimes('Europe/Berlin', 'dmy', quarterMs);
    expect(times.read(`29.03.2026 ${clock}`, 'm1')).toBe(Date.parse('2026-03-29T01:00:00Z'));
    expect(times.read('29.03.2026 02:15', 'm1')).toBe('skipped');
    expect(times.read('29.03.2026 03:15', 'm1')).toBe(Date.parse('2026-03-29T01:15:00Z'));
  });

  it('a date is read in the chosen order, and one with the year first in its own', () => {
    expect(readLocal('3.4.2026 1:05', 'dmy')).toMatchObject({ month: 4, day: 3, hour: 1, minute: 5 });
    expect(readLocal('3/4/2026 01:05', 'mdy')).toMatchObject({ month: 3, day: 4 });
    expect(readLocal('2026-04-03 01:05', 'mdy')).toMatchObject({ month: 4, day: 3 });
  });
});

describe('a row of a load profile', () => {
  const profile: HistoryMapping = {
    ...mapping,
    columns: { time: 0, importedPerInterval: 1, exportedPerInterval: 2 },
  };
  const readProfile = (change: Partial<HistoryMapping>, ...fields: string[]) => {
    const asked = { ...profile, ...change };
    return readHistoryRow({ line: 2, fields }, asked, createTimes(asked));
  };
  const sent = (judged: ReturnType<typeof readProfile>) => ('row' in judged ? judged.row : judged);

  it('is an interval with its energy, from its start on', () => {
    expect(sent(readProfile({}, '10.03.2026 10:00', '1,5'))).toEqual({
      externalId: 'm1',
      from: '2026-03-10T09:00:00.000Z',
      to: '2026-03-10T09:15:00.000Z',
      importedKwh: 1.5,
      exportedKwh: null,
    });
  });

  it('begins an interval earlier if its time is the end', () => {
    expect(sent(readProfile({ intervalStamp: 'end' }, '10.03.2026 24:00', '0', '2'))).toMatchObject({
      from: '2026-03-10T22:45:00.000Z',
      to: '2026-03-10T23:00:00.000Z',
      importedKwh: 0,
      exportedKwh: 2,
    });
  });

  it('of an hour is one interval, and watt-hours become kWh', () => {
    const judged = readProfile({ intervalMinutes: 60, powerPerKw: 1000 }, '10.03.2026 10:00', '2000', '500');
    expect(sent(judged)).toMatchObject({ to: '2026-03-10T10:00:00.000Z', importedKwh: 2, exportedKwh: 0.5 });
    expect(judged).toMatchObject({ values: { importedPerInterval: 2, exportedPerInterval: 0.5 } });
  });

  it.each([
    ['noEnergy', 'importedPerInterval', ['10.03.2026 10:00', '', '']],
    ['notANumber', 'exportedPerInterval', ['10.03.2026 10:00', '1', 'x']],
    ['skipped', 'time', ['29.03.2026 02:00', '1', '']],
  ])('%s of %s is reported', (problem, field, fields) => {
    expect(readProfile({}, ...fields)).toMatchObject({ problem, field });
  });

  it('may end at the time that the spring change skips first, and at no other', () => {
    expect(sent(readProfile({ intervalStamp: 'end' }, '29.03.2026 02:00', '1', ''))).toMatchObject({
      from: '2026-03-29T00:45:00.000Z',
      to: '2026-03-29T01:00:00.000Z',
      importedKwh: 1,
    });
    expect(readProfile({ intervalStamp: 'end' }, '29.03.2026 02:15', '1', '')).toMatchObject({ problem: 'skipped' });
  });
});

it('a file has either energy of intervals or readings', () => {
  const columns = { time: 0, activePowerKw: 1, energyImportedKwh: 2, voltageV: 3 };
  const ofIntervals = withColumn(columns, 'importedPerInterval', 2);
  expect(ofIntervals).toEqual({ time: 0, importedPerInterval: 2 });
  expect(withColumn(ofIntervals, 'exportedPerInterval', 4)).toEqual({ ...ofIntervals, exportedPerInterval: 4 });
  expect(withColumn(ofIntervals, 'activePowerKw', 1)).toEqual({ time: 0, activePowerKw: 1 });
  expect(withColumn(ofIntervals, 'importedPerInterval', null)).toEqual({ time: 0 });
  expect(withColumn(ofIntervals, 'voltageV', 3)).toEqual({ time: 0, voltageV: 3 });
});
