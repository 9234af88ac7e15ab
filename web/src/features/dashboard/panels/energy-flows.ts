import { inTreeOrder } from '../../../../../shared/reports.ts';
import type { DashboardSummary } from '../../../../../shared/dashboard.ts';
import type { Flow } from '../../../charts/sankey.ts';
import { knownKwh } from './energy-groups.ts';

type Device = DashboardSummary['devices'][number];

/** A node: a site, a device in its tree of meters, or the energy that none of its sub-meters measured. */
export interface TreeRow {
  id: string;
  kind: 'site' | 'device' | 'rest';
  /** The site to which the rest belongs; any value for the site itself. */
  device: Device;
  /** The main meter or site above this node. */
  aboveId: string | null;
  level: number;
  /** Import less export. */
  netKwh: number;
  /** The share of the main meter or site above. Null if there is none, or if it used no energy. */
  share: number | null;
}

/**
 * The tree of meters. Each meter comes before its sub-meters. After the sub-meters comes the energy that none of them measured.
 * If there are several sites, meters without a main meter are below their sites.
 */
export function treeRows(devices: readonly Device[]): TreeRow[] {
  const mains = devices.filter(({ countedIn }) => countedIn === null);
  const sites = mains.length === 1 ? new Map<string, Device[]>() : Map.groupBy(mains, ({ siteId }) => siteId);
  const parts: Omit<TreeRow, 'level' | 'share'>[] = [...sites].flatMap(([id, own]) =>
    own.slice(0, 1).map((device) => ({
      id,
      kind: 'site',
      device,
      aboveId: null,
      netKwh: own.reduce((sum, one) => sum + netOf(one), 0),
    })),
  );
  for (const device of devices) {
    const aboveId = device.countedIn ?? (sites.has(device.siteId) ? device.siteId : null);
    parts.push({ id: device.deviceId, kind: 'device', device, aboveId, netKwh: netOf(device) });
  }
  for (const device of devices) {
    const { deviceId, notSubMeteredKwh } = device;
    if (notSubMeteredKwh === null) continue;
    parts.push({ id: `${deviceId} rest`, kind: 'rest', device, aboveId: deviceId, netKwh: notSubMeteredKwh });
  }
  const netById = new Map(parts.map(({ id, netKwh }) => [id, netKwh]));
  return inTreeOrder(parts, placeOf).map(({ device: part, level }) => {
    const whole = netById.get(part.aboveId ?? '') ?? 0;
    return { ...part, level, share: whole > 0 ? part.netKwh / whole : null };
  });
}

const placeOf = ({ id, aboveId }: Pick<TreeRow, 'id' | 'aboveId'>) => [id, aboveId] as const;

/** The figures of a row of the table; empty if the device has no data. */
export const netOfRow = ({ kind, device, netKwh }: TreeRow): number | null =>
  kind === 'device' ? knownKwh(device, netKwh) : netKwh;
/** The share of the level above. It is unknown without data. */
export const shareOfRow = (row: TreeRow): number | null => (netOfRow(row) === null ? null : row.share);

const netOf = ({ energyImportedKwh, energyExportedKwh }: Device) => energyImportedKwh - energyExportedKwh;

/** The maximum number of flows, because a reader cannot distinguish more. The table has all of them. */
const maxFlows = 40;

/** The end of a flow: a row of the table, or the number of parts that are too small to be drawn individually. */
export interface FlowNode extends TreeRow {
  othersCount: number;
}

export interface EnergyFlows {
  /** From the top: each meter before its sub-meters, and after them the parts that are not drawn individually. */
  nodes: FlowNode[];
  flows: Flow[];
  /** The number of flows, and how many of them are drawn individually. */
  count: number;
  shownCount: number;
}

/**
 * The energy (kWh) from each site and meter to its parts, the largest first. If a part feeds in, its flow goes upward. For each
 * site the largest part is drawn, and for each meter with drawn parts the remainder. The smaller parts of a meter are one flow,
 * so that the meter keeps its full width.
 */
export function energyFlows(rows: readonly TreeRow[]): EnergyFlows {
  // Show a node whenever one of its children is shown.
  const weights = new Map<string, number>();
  for (const { id, aboveId, netKwh } of rows.toReversed()) {
    const weight = Math.max(Math.abs(netKwh), weights.get(id) ?? 0);
    weights.set(id, weight);
    if (aboveId !== null) weights.set(aboveId, Math.max(weight, weights.get(aboveId) ?? 0));
  }
  const weightOf = ({ id }: TreeRow) => weights.get(id) ?? 0;
  const all = rows
    .filter(({ aboveId, kind, netKwh }) => aboveId !== null && netKwh !== 0 && (kind !== 'rest' || netKwh > 0))
    .toSorted((a, b) => weightOf(b) - weightOf(a));
  const firstOfSites = rows.flatMap(({ id, kind }) =>
    kind === 'site' ? all.filter(({ aboveId }) => aboveId === id).slice(0, 1) : [],
  );
  const ranked = [...new Set([...firstOfSites, ...all])];
  const largest = new Set(ranked.slice(0, Math.max(maxFlows, firstOfSites.length)));
  const divided = new Set([...largest].map(({ aboveId }) => aboveId));
  const isShown = (row: TreeRow) => largest.has(row) || (row.kind === 'rest' && divided.has(row.aboveId));
  const smaller = Map.groupBy(
    all.filter((row) => !isShown(row) && divided.has(row.aboveId)),
    ({ aboveId, netKwh }) => `${aboveId} ${netKwh > 0 ? 'others' : 'others that give'}`,
  );
  // If only one flow is left, merging would save nothing.
  const shown = [...all.filter(isShown), ...[...smaller.values()].filter(({ length }) => length === 1).flat()];
  const others = [...smaller].flatMap(([id, own]): FlowNode[] => {
    const [one] = own;
    if (one === undefined || own.length === 1) return [];
    return [{ ...one, id, netKwh: own.reduce((sum, { netKwh }) => sum + netKwh, 0), othersCount: own.length }];
  });
  const flows = [...shown, ...others]
    .map(({ id, aboveId, netKwh }): Flow => {
      const above = aboveId ?? '';
      return netKwh > 0
        ? { source: above, target: id, amount: netKwh }
        : { source: id, target: above, amount: -netKwh };
    })
    .toSorted((a, b) => b.amount - a.amount);
  const drawn = new Set(flows.flatMap(({ source, target }) => [source, target]));
  const nodes = inTreeOrder([...rows.map((row) => ({ ...row, othersCount: 0 })), ...others], placeOf)
    .map(({ device: node }) => node)
    .filter(({ id }) => drawn.has(id));
  return { nodes, flows, count: all.length, shownCount: shown.length };
}
