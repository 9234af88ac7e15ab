import type { CellFormat } from '../export/sheet.ts';

/** How the columns of exports show their numbers. */
const number = (unit: string | undefined, decimals: number, moreDecimals = 0): CellFormat => ({
  kind: 'number',
  decimals,
  moreDecimals,
  ...(unit !== undefined && { unit }),
});

export const text: CellFormat = { kind: 'text' };
export const dateTime: CellFormat = { kind: 'dateTime' };
export const date: CellFormat = { kind: 'date' };
export const instant: CellFormat = { kind: 'instant' };
export const share: CellFormat = { kind: 'share' };
export const count = number(undefined, 0);
/** Computed values: to the watt and the watt-hour. */
export const kw = number('kW', 3);
export const kwh = number('kWh', 3);
export const factor = number(undefined, 3);
export const days = number('days', 0, 6);

/** Quantities as they came: as many decimals as are kept. */
export const measured = {
  activePowerKw: number('kW', 3, 3),
  reactivePowerKvar: number('kvar', 3, 3),
  apparentPowerKva: number('kVA', 3, 3),
  powerFactor: number(undefined, 3, 3),
  voltageV: number('V', 1, 2),
  frequencyHz: number('Hz', 3, 1),
  energyImportedKwh: number('kWh', 3, 3),
  energyExportedKwh: number('kWh', 3, 3),
} as const;
