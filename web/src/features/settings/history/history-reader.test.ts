import { expect, it } from 'vitest';
import { HistoryReader } from './history-reader.ts';
import type { HistoryMapping } from './history-rows.ts';

const mapping: HistoryMapping = {
  columns: { time: 0, externalId: 1, energyImportedKwh: 2, energyExportedKwh: 3 },
  externalId: '',
  timeZone: 'UTC',
  dateOrder: 'dmy',
  decimalSeparator: '.',
  powerPerKw: 1,
  intervalMinutes: 15,
  intervalStamp: 'start',
};

const read = (rows: readonly string[], change: Partial<HistoryMapping> = {}) => {
  const reader = new HistoryReader({ ...mapping, ...change });
  const records = rows.map((row, at) => ({ line: at + 2, fields: row.split(',') }));
  const judged = [...records.flatMap((record) => reader.read(record)), ...reader.end()];
  return judged
    .toSorted((a, b) => a.line - b.line)
    .map((one) => ('row' in one ? one.values.activePowerKw : one.problem));
};

it('registers without power have the mean power since the previous reading of their device; the first has that of the second', () => {
  expect(
    read([
      '2026-03-10 10:00,a,100,5',
      '2026-03-10 10:00,b,1,0',
      '2026-03-10 11:00,a,103,5',
      '2026-03-10 10:15,b,1,2',
      '2026-03-10 11:30,a,103,9',
    ]),
  ).toEqual([3, -8, 3, -8, -8]);
});

it('rows may be in descending order', () => {
  expect(read(['2026-03-10 11:00,a,103,', '2026-03-10 10:00,a,100,'])).toEqual([3, 3]);
});

it('a register that was reset gives no power, nor does a reading at the same time', () => {
  expect(
    read(['2026-03-10 10:00,a,100,', '2026-03-10 11:00,a,2,', '2026-03-10 11:00,a,2,', '2026-03-10 12:00,a,3,']),
  ).toEqual([0, 0, 0, 1]);
});

it('a device with one reading has no power, and a row without a register no energy', () => {
  expect(read(['2026-03-10 10:00,a,100,', '2026-03-10 10:00,b,,'])).toEqual(['noPower', 'noEnergy']);
});

it('power in the file takes precedence', () => {
  const columns = { time: 0, externalId: 1, energyImportedKwh: 2, activePowerKw: 3 };
  expect(read(['2026-03-10 10:00,a,100,7', '2026-03-10 11:00,a,103,'], { columns })).toEqual([7, 'noPower']);
});
