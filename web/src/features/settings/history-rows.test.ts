import { describe, expect, it } from 'vitest';
import {
  guessColumns,
  guessDateOrder,
  guessDecimalSeparator,
  guessPowerPerKw,
  type HistoryMapping,
  listIntervalEnergies,
  readHistoryRow,
} from './history-rows.ts';
import { HistoryTimes, readLocal } from './history-times.ts';

const mapping: HistoryMapping = {
  columns: { time: 0, activePowerKw: 1, energyImportedKwh: 2 },
  externalId: 'm1',
  timeZone: 'Europe/Berlin',
  dateOrder: 'dmy',
  decimalSeparator: ',',
  powerPerKw: 1,
};
const read = (...fields: string[]) =>
  readHistoryRow({ line: 2, fields }, mapping, new HistoryTimes(mapping.timeZone, mapping.dateOrder));

describe('a row', () => {
  it('has its time in UTC and its numbers as the file writes them', () => {
    expect(read('10.03.2026 10:00', '1.234,5', '99')).toMatchObject({
      line: 2,
      row: { externalId: 'm1', time: '2026-03-10T09:00:00.000Z', activePowerKw: 1234.5, energyImportedKwh: 99 },
    });
  });

  it('takes W where the file has W, and the device and the time of day from columns of their own', () => {
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
  ])('%s of %s is told', (problem, field, fields) => {
    expect(read(...fields)).toMatchObject({ problem, field });
  });

  it('without a device is told', () => {
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

  it('of an ascending file, the hour that autumn repeats is summer time first, then winter time, device by device', () => {
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

  it('of a descending file, it is refused: nothing is guessed', () => {
    const times = new HistoryTimes('Europe/Berlin', 'dmy');
    expect(['03:30', '03:00', '02:30'].map((clock) => times.read(`25.10.2026 ${clock}`, 'm1')).at(-1)).toBe('repeated');
  });

  it('a date is read in the order that is chosen, and one with the year first in its own', () => {
    expect(readLocal('3.4.2026 1:05', 'dmy')).toMatchObject({ month: 4, day: 3, hour: 1, minute: 5 });
    expect(readLocal('3/4/2026 01:05', 'mdy')).toMatchObject({ month: 3, day: 4 });
    expect(readLocal('2026-04-03 01:05', 'mdy')).toMatchObject({ month: 4, day: 3 });
  });
});

it('headings suggest their columns, each once', () => {
  expect(guessColumns(['Datum', 'Uhrzeit', 'Zähler', 'Wirkleistung (kW)', 'Zählerstand Bezug (kWh)'])).toEqual({
    time: 0,
    clock: 1,
    externalId: 2,
    activePowerKw: 3,
    energyImportedKwh: 4,
  });
  expect(guessColumns(['Time', 'Power [kW]'])).toEqual({ time: 0, activePowerKw: 1 });
});

it.each([
  [['Date', 'Time', 'Meter', 'Power (kW)', 'Export (kWh)', 'Import (kWh)']],
  [['Date', 'Heure', 'Identifiant externe', 'Puissance', 'Index d’injection (kWh)', 'Index de soutirage (kWh)']],
  [['Fecha', 'Hora', 'Identificador externo', 'Potencia', 'Energía inyección (kWh)', 'Energía importación (kWh)']],
  [['Data', 'Ora', 'ID esterno', 'Potenza', 'Registro di immissione (kWh)', 'Registro di prelievo (kWh)']],
  [['Datum', 'Tijd', 'Externe ID', 'Vermogen', 'Telwerk teruglevering (kWh)', 'Telwerk afname (kWh)']],
  [['Datum', 'Uhrzeit', 'Externe Kennung', 'Leistung', 'Einspeisung (kWh)', 'Bezug (kWh)']],
])(
  'headings of all languages suggest their columns, and a register of export is not taken for import: %j',
  (headings) => {
    expect(guessColumns(headings)).toEqual({
      time: 0,
      clock: 1,
      externalId: 2,
      activePowerKw: 3,
      energyExportedKwh: 4,
      energyImportedKwh: 5,
    });
  },
);

it('one column of times has them whole, whatever it is called', () => {
  for (const heading of ['Heure', 'Hora', 'Uhrzeit', 'Time', 'Horodatage']) {
    expect(guessColumns([heading, 'kW'])).toEqual({ time: 0, activePowerKw: 1 });
  }
});

it('a power whose heading ends in W is in watts', () => {
  const watts = ['power_w', 'Leistung [W]', 'Puissance (W)', 'P W'];
  expect(watts.map((heading) => guessPowerPerKw(heading))).toEqual([1000, 1000, 1000, 1000]);
  expect(['Power [kW]', 'power_kw', 'Leistung', undefined].map((heading) => guessPowerPerKw(heading))).toEqual([
    1, 1, 1, 1,
  ]);
});

it('a day that no month has tells which comes first; where none does, it is the day', () => {
  const order = (...dates: string[]) =>
    guessDateOrder(
      dates.map((date, at) => ({ line: at + 2, fields: [date] })),
      0,
    );
  expect(order('01/02/2026 00:00', '01/13/2026 00:15')).toBe('mdy');
  expect(order('1/13/26', '1/14/26')).toBe('mdy');
  expect(order('01/02/2026', '13/02/2026')).toBe('dmy');
  expect(order('01/02/2026', '2026-02-13T00:00Z', 'n/a')).toBe('dmy');
});

describe('registers that are none', () => {
  const intervals = (values: readonly string[], devices?: readonly string[]) =>
    listIntervalEnergies(
      values.map((value, at) => ({ line: at + 2, fields: ['', '1', value, devices?.[at] ?? ''] })),
      { ...mapping, columns: { ...mapping.columns, ...(devices && { externalId: 3 }) } },
    );

  it('go up and down', () => {
    expect(intervals(['1,5', '2', '1,2', '0', '3', '2,5'])).toEqual(['energyImportedKwh']);
  });

  it.each([
    ['count up', ['1', '2', '2', '3']],
    ['count down, newest first', ['9', '8', '8', '1']],
    ['are reset once', ['8', '9', '0', '1', '2']],
    ['have cells without a number', ['1', '', 'n/a', '2']],
  ])('registers that %s are registers', (_, values) => {
    expect(intervals(values)).toEqual([]);
  });

  it('those of several devices are several', () => {
    expect(intervals(['1', '900', '2', '901', '3', '902'], ['a', 'b', 'a', 'b', 'a', 'b'])).toEqual([]);
  });
});

describe('the decimals of a file', () => {
  const guess = (delimiter: string, ...values: string[]) =>
    guessDecimalSeparator(
      values.map((value, at) => ({ line: at + 2, fields: ['01.06.2026 00:00', 'h-1', value] })),
      delimiter,
    );

  it.each([
    [';', ['0.500', '12.345', '999.500'], '.'],
    [';', ['12.345', '7'], '.'],
    [',', ['0,5'], ','],
    [';', ['0,5', '1.234,5'], ','],
    [';', ['7', '8'], ','],
    [',', ['7', '8'], '.'],
  ])('with %j between cells %j have %j', (delimiter, values, separator) => {
    expect(guess(delimiter, ...values)).toBe(separator);
  });
});
