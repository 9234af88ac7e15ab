import { describe, expect, it } from 'vitest';
import {
  guessColumns,
  guessDateOrder,
  guessDecimalSeparator,
  guessIntervals,
  guessPowerPerKw,
  listIntervalEnergies,
  stepOf,
} from './history-guesses.ts';
import { germanMapping as mapping } from './test-mapping.ts';

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

it('a single column of times contains whole times, whatever its name', () => {
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

it('a number that cannot be a month shows the order; without one, the day is first', () => {
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

describe('columns that are not registers', () => {
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

  it('include several registers of several devices', () => {
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
  ])('with %j between cells, %j have %j', (delimiter, values, separator) => {
    expect(guess(delimiter, ...values)).toBe(separator);
  });
});

describe('a load profile', () => {
  const energies = ['1,5', '2', '1,2', '0', '3', '2,5'];
  const fileOf = (clocks: readonly string[]) =>
    clocks.map((clock, at) => ({ line: at + 2, fields: [`10.03.2026 ${clock}`, '1', energies[at] ?? '1'] }));

  it.each([
    ['the start', ['00:00', '00:15', '00:30', '00:45', '01:00', '01:15'], 15, 'start'],
    ['the end, after midnight', ['00:15', '00:30', '00:45', '01:00', '01:15', '01:30'], 15, 'end'],
    ['the end, at 24:00', ['19:00', '20:00', '21:00', '22:00', '23:00', '24:00'], 60, 'end'],
  ])('is recognized by values that go up and down; its times are %s', (_, clocks, intervalMinutes, intervalStamp) => {
    expect(guessIntervals(fileOf(clocks), mapping)).toEqual({
      ...mapping,
      columns: { time: 0, importedPerInterval: 2 },
      intervalMinutes,
      intervalStamp,
    });
  });

  it('is recognized in both directions, even if nothing is exported in the first rows', () => {
    const records = ['1', '2', '1', '3'].map((value, at) => ({
      line: at + 2,
      fields: [`10.03.2026 0${at}:00`, value, '0'],
    }));
    const columns = { time: 0, energyImportedKwh: 1, energyExportedKwh: 2 };
    expect(guessIntervals(records, { ...mapping, columns }).columns).toEqual({
      time: 0,
      importedPerInterval: 1,
      exportedPerInterval: 2,
    });
  });

  it('is not one if the column counts up', () => {
    const records = ['1', '2', '2', '3'].map((value, at) => ({ line: at + 2, fields: ['', '1', value] }));
    expect(guessIntervals(records, mapping)).toBe(mapping);
  });

  it('has the most common step of its times, device by device', () => {
    const fields = ['00:00', '00:00', '00:30', '00:30', '01:00', '01:00', '02:00'].map((clock, at) => ({
      line: at + 2,
      fields: [`10.03.2026 ${clock}`, at % 2 === 0 ? 'a' : 'b'],
    }));
    expect(stepOf(fields, { ...mapping, columns: { time: 0, externalId: 1 } })).toBe(30);
    expect(stepOf(fields.slice(0, 2), mapping)).toBeNull();
  });
});

it('consumption is energy, and a time of day may be the start of an interval', () => {
  expect(guessColumns(['Datum', 'Uhrzeit von', 'Uhrzeit bis', 'Verbrauch'])).toEqual({
    time: 0,
    clock: 1,
    energyImportedKwh: 3,
  });
  expect(guessColumns(['Datum', 'Uhrzeit bis', 'Verbrauch'])).toMatchObject({ clock: 1 });
  expect(guessColumns(['Date', 'Start time', 'Consommation (Wh)'])).toMatchObject({ energyImportedKwh: 2 });
});
