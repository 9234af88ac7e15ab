import { searchFor } from '../../lib/search-text.ts';
import type { DashboardSummary } from '../../../../shared/dashboard.ts';
import type { EnergyLine } from './energy-groups.ts';

/** More bars than these would be read by nobody: the others are in the table. */
export const maxBars = 15;

/** Energy of a device as it is shown; null where nothing of it was measured, as of one with a single reading: that is no 0 kWh. */
export const knownKwh = ({ measuredHours }: Pick<DashboardSummary['devices'][number], 'measuredHours'>, kwh: number) =>
  measuredHours === 0 && kwh === 0 ? null : kwh;

/** What is left of a difference of equal sums. */
const noiseKwh = 1e-6;

/** Those that have energy in the range, those with most import first. */
export function devicesByEnergy<
  Line extends Pick<EnergyLine, 'deviceName' | 'energyImportedKwh' | 'energyExportedKwh'>,
>(devices: readonly Line[], compareNames: (a: string, b: string) => number): Line[] {
  return devices
    .filter(({ energyImportedKwh, energyExportedKwh }) =>
      [energyImportedKwh, energyExportedKwh].some((kwh) => Math.abs(kwh) > noiseKwh),
    )
    .toSorted(
      (a, b) =>
        b.energyImportedKwh - a.energyImportedKwh ||
        b.energyExportedKwh - a.energyExportedKwh ||
        compareNames(a.deviceName, b.deviceName),
    );
}

/** The currencies in which any device costs something. */
export const deviceCurrencies = (devices: readonly Pick<EnergyLine, 'costs'>[]): string[] =>
  [...new Set(devices.flatMap(({ costs }) => costs.map(({ currency }) => currency)))].toSorted();

/** The energy cost of a device in a currency; null where it has none in it. */
export const costIn = ({ costs }: Pick<EnergyLine, 'costs'>, currency: string): number | null =>
  costs.find((cost) => cost.currency === currency)?.energyCost ?? null;

/** Devices whose name or site holds all words of the text. */
export function searchDevices<One extends Pick<EnergyLine, 'deviceName' | 'siteName'>>(
  devices: readonly One[],
  text: string,
): One[] {
  const matches = searchFor(text);
  return devices.filter(({ deviceName, siteName }) => matches(`${deviceName} ${siteName}`));
}
