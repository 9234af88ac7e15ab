import type { DashboardSummary } from '../../../../../shared/dashboard.ts';
import type { DeviceWithSite } from '../../../../../shared/sites.ts';
import { searchFor } from '../../../../../shared/search-text.ts';

/** The number of bars. Nobody reads more; the table has all of them. */
export const maxBars = 15;

/** The displayed energy of a device. Null if nothing was measured, for example with a single reading: that is not 0 kWh. */
export const knownKwh = ({ measuredHours }: Pick<DashboardSummary['devices'][number], 'measuredHours'>, kwh: number) =>
  measuredHours === 0 && kwh === 0 ? null : kwh;

/** Differences below this are rounding noise of equal sums. */
const noiseKwh = 1e-6;

/** The devices with energy in the range, the largest import first. */
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

/** The currencies in which any device has a cost. */
export const deviceCurrencies = (devices: readonly Pick<EnergyLine, 'costs'>[]): string[] =>
  [...new Set(devices.flatMap(({ costs }) => costs.map(({ currency }) => currency)))].toSorted();

/** The energy cost of a device in a currency; null if it has no cost in this currency. */
export const costIn = ({ costs }: Pick<EnergyLine, 'costs'>, currency: string): number | null =>
  costs.find((cost) => cost.currency === currency)?.energyCost ?? null;

/** Devices whose name or site contains all words of the text. */
export function searchDevices<One extends Pick<EnergyLine, 'deviceName' | 'siteName'>>(
  devices: readonly One[],
  text: string,
): One[] {
  const matches = searchFor(text);
  return devices.filter(({ deviceName, siteName }) => matches(`${deviceName} ${siteName}`));
}

type Device = DashboardSummary['devices'][number];

/** The entry of a device, or of several together, in a list of energies. */
export type EnergyLine = Pick<
  Device,
  | 'deviceId'
  | 'deviceName'
  | 'siteName'
  | 'countedIn'
  | 'energyImportedKwh'
  | 'energyExportedKwh'
  | 'estimatedEnergyKwh'
  | 'measuredHours'
  | 'peakPowerKw'
  | 'peakAt'
  | 'costs'
> & {
  /** The devices to which the energy belongs. */
  deviceIds: readonly string[];
};

export const energyGroups = ['site', 'device', 'endUse'] as const;
export type EnergyGroup = (typeof energyGroups)[number];

export const linesOfDevices = (devices: readonly Device[]): EnergyLine[] =>
  devices.map((device) => ({ ...device, deviceIds: [device.deviceId] }));

/** One line per site: the sum of its devices without sub-meters. */
export const linesBySite = (devices: readonly Device[]): EnergyLine[] =>
  sumBy(
    devices.filter(({ countedIn }) => countedIn === null),
    ({ siteId, siteName }) => ({ key: siteId, name: siteName }),
  );

/**
 * One line per end use, as in the load curve (docs/energy.md, "By end use"). A sub-meter with an end use of its own is
 * subtracted from the meter above it. The lines add up to the total energy. If others use energy that the rest of a meter feeds
 * in, it is not exported and counts as used by them.
 */
export function linesByEndUse(
  devices: readonly Device[],
  listed: readonly Pick<DeviceWithSite, 'id' | 'endUse'>[],
  noEndUse: string,
): EnergyLine[] {
  const endUses = new Map(listed.map(({ id, endUse }) => [id, endUse]));
  const byId = new Map(devices.map((device) => [device.deviceId, device]));
  const endUseOf = ({ deviceId }: Device) => endUses.get(deviceId) ?? null;
  const keyOf = (device: Device) => endUseOf(device)?.normalize().toLowerCase() ?? '';
  const memberOf = (device: Device): Device => {
    const whole = byId.get(device.countedIn ?? '');
    if (whole === undefined) return device;
    const member = memberOf(whole);
    return endUseOf(device) === null || keyOf(device) === keyOf(member) ? member : device;
  };
  const members = devices.filter((device) => memberOf(device) === device);
  const parts = Map.groupBy(members, (device) => {
    const whole = byId.get(device.countedIn ?? '');
    return whole === undefined ? null : memberOf(whole);
  });
  const rests = members.map((device): Device => {
    const own = (parts.get(device) ?? []).reduce<Energies>((rest, part) => combined(rest, part, -1), device);
    return {
      ...device,
      costs: own.costs,
      energyImportedKwh: own.energyImportedKwh + Math.max(0, -own.energyExportedKwh),
      energyExportedKwh: Math.max(0, own.energyExportedKwh),
      estimatedEnergyKwh: Math.max(0, own.estimatedEnergyKwh),
    };
  });
  return sumBy(rests, (device) => ({ key: keyOf(device), name: endUseOf(device) ?? noEndUse }));
}

type Energies = Pick<Device, 'energyImportedKwh' | 'energyExportedKwh' | 'estimatedEnergyKwh' | 'costs'>;

function combined(a: Energies, b: Energies, sign: 1 | -1): Energies {
  const costs = new Map(a.costs.map(({ currency, energyCost }) => [currency, energyCost]));
  for (const { currency, energyCost } of b.costs) {
    costs.set(currency, (costs.get(currency) ?? 0) + sign * energyCost);
  }
  return {
    energyImportedKwh: a.energyImportedKwh + sign * b.energyImportedKwh,
    energyExportedKwh: a.energyExportedKwh + sign * b.energyExportedKwh,
    estimatedEnergyKwh: a.estimatedEnergyKwh + sign * b.estimatedEnergyKwh,
    costs: [...costs].map(([currency, energyCost]) => ({ currency, energyCost })),
  };
}

const nothing: Energies = { energyImportedKwh: 0, energyExportedKwh: 0, estimatedEnergyKwh: 0, costs: [] };

const sumBy = (devices: readonly Device[], groupOf: (device: Device) => { key: string; name: string }): EnergyLine[] =>
  [...Map.groupBy(devices, (device) => groupOf(device).key)].map(([key, own]) => ({
    ...own.reduce<Energies>((sum, one) => combined(sum, one, 1), nothing),
    deviceId: key,
    deviceName: own.map((device) => groupOf(device).name)[0] ?? '',
    siteName: '',
    countedIn: null,
    measuredHours: Math.max(...own.map(({ measuredHours }) => measuredHours)),
    peakPowerKw: null,
    peakAt: null,
    deviceIds: own.map(({ deviceId }) => deviceId),
  }));
