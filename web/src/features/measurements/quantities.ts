import type { ChartedQuantity } from './search.ts';

interface QuantityKind {
  unit: string;
  /** Zero belongs into the picture; voltage and frequency would be flat lines with it. */
  hasZero: boolean;
}

export const quantityKinds: Record<ChartedQuantity, QuantityKind> = {
  activePowerKw: { unit: 'kW', hasZero: true },
  reactivePowerKvar: { unit: 'kvar', hasZero: true },
  apparentPowerKva: { unit: 'kVA', hasZero: true },
  powerFactor: { unit: '', hasZero: false },
  voltageV: { unit: 'V', hasZero: false },
  frequencyHz: { unit: 'Hz', hasZero: false },
  energyImported: { unit: 'kWh', hasZero: true },
  energyExported: { unit: 'kWh', hasZero: true },
};

/** The quantities of a raw reading as columns: digits after the point as finely as meters tell them. */
export const rawQuantities = [
  { id: 'activePowerKw', unit: 'kW', digits: 3 },
  { id: 'reactivePowerKvar', unit: 'kvar', digits: 3 },
  { id: 'apparentPowerKva', unit: 'kVA', digits: 3 },
  { id: 'powerFactor', unit: '', digits: 3 },
  { id: 'voltageV', unit: 'V', digits: 2 },
  { id: 'frequencyHz', unit: 'Hz', digits: 3 },
  { id: 'energyImportedKwh', unit: 'kWh', digits: 3 },
  { id: 'energyExportedKwh', unit: 'kWh', digits: 3 },
] as const;
export type RawQuantity = (typeof rawQuantities)[number]['id'];
