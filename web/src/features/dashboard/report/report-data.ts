import type { CostBreakdown, CostLine, DashboardSummary } from '../../../../../shared/dashboard.ts';
import { costLineKinds } from '../explain/explanation.ts';

/** The total of all sites for one item at one price, which is the sum of the amounts of its lines. */
export type ReportedLine = Pick<CostLine, 'kind' | 'name' | 'ratePerKwh' | 'vatPercent' | 'energyKwh' | 'days'> & {
  cost: number;
};

export interface ReportedCost {
  currency: string;
  lines: ReportedLine[];
  total: number;
}

const plus = (one: number | null, other: number | null) => (one === null ? other : other === null ? one : one + other);

/** The lines of a breakdown by currency, merged by name and price, and the portal's own total below them. */
export function reportedCosts({ costs, lines }: Pick<CostBreakdown, 'costs' | 'lines'>): ReportedCost[] {
  return costs.map(({ currency, total }) => {
    const found = new Map<string, ReportedLine>();
    for (const line of lines) {
      const { kind, name, ratePerKwh, vatPercent, energyKwh, days, cost } = line;
      if (line.currency !== currency || cost === null) continue;
      const key = JSON.stringify([kind, name, ratePerKwh, vatPercent]);
      const sum = found.get(key);
      found.set(key, {
        kind,
        name,
        ratePerKwh,
        vatPercent,
        energyKwh: plus(sum?.energyKwh ?? null, energyKwh),
        days: plus(sum?.days ?? null, days),
        cost: (sum?.cost ?? 0) + cost,
      });
    }
    const order = ({ kind }: ReportedLine) => costLineKinds.indexOf(kind);
    const sorted = [...found.values()].toSorted(
      (a, b) => order(a) - order(b) || (b.ratePerKwh ?? 0) - (a.ratePerKwh ?? 0) || (a.name < b.name ? -1 : 1),
    );
    return { currency, lines: sorted, total };
  });
}

type Device = DashboardSummary['devices'][number];

export interface DeviceShares {
  /**
   * The largest consumers first, each main meter before its sub-meters. If there is not enough space, main meters come first.
   */
  shown: { device: Device; share: number | null }[];
  /** The number and energy of the devices that have no row and are no sub-meters. */
  others: { count: number; energyKwh: number; share: number | null } | null;
  /** The number of sub-meters without a row. Their energy is included in that of their main meters. */
  otherSubMeters: number;
}

/** The shares of the imported energy. Sub-meters have a share too, but only top-level devices add up to the whole. */
export function deviceShares(
  { devices, energyImportedKwh }: Pick<DashboardSummary, 'devices' | 'energyImportedKwh'>,
  atMost: number,
): DeviceShares {
  const share = (kwh: number) => (energyImportedKwh > 0 ? kwh / energyImportedKwh : null);
  const byEnergy = (list: readonly Device[]) =>
    list.toSorted((a, b) => b.energyImportedKwh - a.energyImportedKwh || (a.deviceId < b.deviceId ? -1 : 1));
  const inside = Map.groupBy(byEnergy(devices), ({ countedIn }) => countedIn);
  const withParts = (device: Device): Device[] => [device, ...(inside.get(device.deviceId) ?? []).flatMap(withParts)];
  const sorted = (inside.get(null) ?? []).flatMap(withParts);
  // Sub-meters of the largest plant must not push the main meters of others out of the list.
  const listed = new Set(
    [...(inside.get(null) ?? []), ...byEnergy(devices.filter((one) => one.countedIn !== null))].slice(0, atMost),
  );
  const left = sorted.filter((device) => !listed.has(device));
  const counted = left.filter(({ countedIn }) => countedIn === null);
  const energyKwh = counted.reduce((sum, one) => sum + one.energyImportedKwh, 0);
  return {
    shown: sorted
      .filter((device) => listed.has(device))
      .map((device) => ({ device, share: share(device.energyImportedKwh) })),
    others: counted.length === 0 ? null : { count: counted.length, energyKwh, share: share(energyKwh) },
    otherSubMeters: left.length - counted.length,
  };
}

type Site = DashboardSummary['sites'][number];

/**
 * Energy and cost of one or more sites in a currency. If a site has several currencies, its energy is listed only with the
 * first one.
 */
export interface SiteCost {
  energyKwh: number | null;
  cost: Site['costs'][number] | null;
}

const costsOf = <S extends Pick<Site, 'energyImportedKwh' | 'costs'>>(site: S): (SiteCost & { site: S })[] =>
  (site.costs.length === 0 ? [null] : site.costs).map((cost, position) => ({
    site,
    energyKwh: position === 0 ? site.energyImportedKwh : null,
    cost,
  }));

/**
 * The largest sites, with a row for each currency. Then, for each currency and for sites without a cost, the total of all other
 * sites.
 */
export function largestSites(sites: readonly Site[], atMost: number) {
  const sorted = sites.toSorted((a, b) => b.energyImportedKwh - a.energyImportedKwh);
  const left = sorted.slice(atMost).flatMap(costsOf);
  const others = [...Map.groupBy(left, ({ cost }) => cost?.currency)].map(([currency, own]) => {
    const amount = (id: 'energyCost' | 'fixedCharge' | 'vat' | 'total') =>
      own.reduce((sum, { cost }) => sum + (cost?.[id] ?? 0), 0);
    return {
      count: own.length,
      energyKwh: own.reduce<number | null>((sum, { energyKwh }) => plus(sum, energyKwh), null),
      cost:
        currency === undefined
          ? null
          : {
              currency,
              energyCost: amount('energyCost'),
              fixedCharge: amount('fixedCharge'),
              vat: amount('vat'),
              total: amount('total'),
            },
    };
  });
  return { shown: sorted.slice(0, atMost).flatMap(costsOf), others };
}

/** Sites for which several tariffs were in force. */
export function changedTariffs(lines: readonly CostLine[]): { siteName: string; tariffs: string[] }[] {
  return [...Map.groupBy(lines, ({ siteId }) => siteId).values()].flatMap((own) => {
    const tariffs = new Map(
      own.flatMap(({ tariffId, tariffName }) => (tariffId === null ? [] : [[tariffId, tariffName ?? '']])),
    );
    return tariffs.size < 2 ? [] : [{ siteName: own[0]?.siteName ?? '', tariffs: [...tariffs.values()] }];
  });
}
