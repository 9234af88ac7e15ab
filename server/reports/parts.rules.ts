import type { Split } from '../../shared/dashboard-tool.ts';
import type { BreakdownLine } from '../rates/cost-statement.rules.ts';
import { refuse } from '../base/errors.ts';
import { minorDigits } from '../../shared/primitives.ts';

/** A part of the devices with a series or total of its own. */
export interface Part {
  key: string;
  name: string;
  labels: Record<string, string>;
}

/** The owner of some devices: a Client, of which both are null, or a customer of the fleet. */
interface Owner {
  labels: { customerId: string | null; customerName: string | null };
}

interface OwnedDevice {
  id: string;
  name: string;
  siteId: string;
  siteName: string;
}

/** Finds the part that a device belongs to. */
export type PartOf = (source: Owner, device: OwnedDevice) => Part;

const ofAll: Part = { key: 'all', name: 'Total', labels: {} };

interface OwnedDevices extends Owner {
  devices: readonly OwnedDevice[];
}

/** How the devices of some sources are split. With `period` all are one part, which is later split by its amounts. */
export function splitDevices(sources: readonly OwnedDevices[], split: Split): PartOf {
  const named = new Set<string>();
  const ambiguous = new Set<string>();
  for (const { name } of sources.flatMap(({ devices }) => devices)) (named.has(name) ? ambiguous : named).add(name);
  const join = (...names: (string | null)[]) => names.filter((name) => name !== null).join(' · ');
  return ({ labels: { customerId, customerName } }, device) => {
    if (split === 'none' || split === 'period') return ofAll;
    const ofCustomer = customerId === null ? {} : { customerId, customer: customerName ?? '' };
    if (split === 'customer') return { key: customerId ?? '', name: customerName ?? '', labels: ofCustomer };
    const shown = sources.length > 1 ? customerName : null;
    const ofSite = { ...ofCustomer, siteId: device.siteId, site: device.siteName };
    if (split === 'site') {
      return { key: join(customerId, device.siteId), name: join(shown, device.siteName), labels: ofSite };
    }
    const siteName = ambiguous.has(device.name) ? device.siteName : null;
    return {
      key: join(customerId, device.id),
      name: join(shown, siteName, device.name),
      labels: { ...ofSite, deviceId: device.id, device: device.name },
    };
  };
}

/** The parts of all devices, in their order. Throws `invalid` if there are too many for one answer. */
export function listParts(
  sources: readonly OwnedDevices[],
  partOf: PartOf,
  { split, limit }: { split: Split; limit: number },
): Part[] {
  const parts = new Map<string, Part>();
  for (const source of sources) {
    for (const device of source.devices) {
      const part = partOf(source, device);
      parts.set(part.key, part);
    }
  }
  refuseTooMany(parts.size, { split, limit });
  return othersLast([...parts.values()]);
}

export function refuseTooMany(count: number, { split, limit }: { split: Split; limit: number }): void {
  if (count <= limit) return;
  throw refuse('manyParts', { split, count, max: limit }, { field: 'split' });
}

/** The part of those that are too many to be named. */
export function unnamedPart(count: number): Part {
  const name = `Others (${count})`;
  return { key: others, name, labels: { customer: name, [others]: String(count) } };
}
const others = 'others';

export const othersLast = <Item extends Pick<Part, 'labels'>>(items: readonly Item[]): Item[] =>
  items.toSorted((a, b) => Number(others in a.labels) - Number(others in b.labels));

/** The part in one currency. */
export const inCurrency = (part: Part, currency: string): Part => ({
  key: JSON.stringify([part.key, currency]),
  name: part.name,
  labels: { ...part.labels, currency },
});

/** A part of a line of the cost: a period of a tariff, or a charge on top, even if a period has the same name. */
export const inPeriod = (part: Part, line: BreakdownLine['kind'], period: string): Part => ({
  key: JSON.stringify([part.key, line, period]),
  name: period,
  labels: { ...part.labels, period, line },
});

/** The sum of two rounded amounts, without floating-point noise. */
export function addMoney(a: number, b: number, currency: string): number {
  const perUnit = 10 ** minorDigits(currency);
  return Math.round((a + b) * perUnit) / perUnit;
}
