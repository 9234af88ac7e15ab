import type { HistoryMapping } from './history-rows.ts';

/** The mapping of a German file with one meter. */
export const germanMapping: HistoryMapping = {
  columns: { time: 0, activePowerKw: 1, energyImportedKwh: 2 },
  externalId: 'm1',
  timeZone: 'Europe/Berlin',
  dateOrder: 'dmy',
  decimalSeparator: ',',
  powerPerKw: 1,
  intervalMinutes: 15,
  intervalStamp: 'start',
};
