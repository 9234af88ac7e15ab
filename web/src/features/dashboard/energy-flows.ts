import type { DashboardSummary } from '../../../../shared/dashboard.ts';
import { inTreeOrder, placeOf } from '../../../../shared/device-tree.ts';
import type { Flow } from '../../ui/charts/sankey.ts';

type Device = DashboardSummary['devices'][number];

/** A device in a tree of meters, or what none of its sub-meters measured. */
export interface TreeRow {
  id: string;
  device: Device;
  level: number;
  isRest: boolean;
  /** Import less export. */
  netKwh: number;
  /** Of the meter above it; null where there is none, or it took nothing. */
  share: number | null;
}

/** The meters that have sub-meters, each above its sub-meters, which end with what none of them measured. */
export function treeRows(devices: readonly Device[]): TreeRow[] {
  const above = new Set(devices.map(({ countedIn }) => countedIn));
  const inTrees = devices.filter(({ deviceId, countedIn }) => countedIn !== null || above.has(deviceId));
  const byId = new Map(inTrees.map((device) => [device.deviceId, device]));
  const shareOf = (kwh: number, aboveId: string | null) => {
    const superior = byId.get(aboveId ?? '');
    const whole = superior === undefined ? 0 : netOf(superior);
    return whole > 0 ? kwh / whole : null;
  };
  const rows: TreeRow[] = [];
  /** Those whose sub-meters are being listed. */
  const open: { device: Device; level: number }[] = [];
  const closeFrom = (least: number) => {
    for (let last = open.at(-1); last !== undefined && last.level >= least; last = open.at(-1)) {
      open.pop();
      const { deviceId, notSubMeteredKwh } = last.device;
      if (notSubMeteredKwh === null) continue;
      const share = shareOf(notSubMeteredKwh, deviceId);
      const rest = { id: `${deviceId} rest`, device: last.device, level: last.level + 1, isRest: true };
      rows.push({ ...rest, netKwh: notSubMeteredKwh, share });
    }
  };
  for (const { device, level } of inTreeOrder(inTrees, placeOf)) {
    closeFrom(level);
    const netKwh = netOf(device);
    const share = shareOf(netKwh, device.countedIn);
    rows.push({ id: device.deviceId, device, level, isRest: false, netKwh, share });
    open.push({ device, level });
  }
  closeFrom(0);
  return rows;
}

const netOf = ({ energyImportedKwh, energyExportedKwh }: Device) => energyImportedKwh - energyExportedKwh;

/** Those that a reader tells apart; the table has all. */
const maxFlows = 40;

/** What flows lead from or to: a row of the table, or how many of its sub-meters are too small to be drawn by themselves. */
export interface FlowNode {
  id: string;
  row: TreeRow;
  othersCount: number;
}

export interface EnergyFlows {
  /** From above: each meter before its sub-meters, which end with the others. */
  nodes: FlowNode[];
  flows: Flow[];
  /** How many flows there are, and how many of them are drawn by themselves. */
  count: number;
  shownCount: number;
}

/**
 * What flows from each meter to those below it, kWh, the largest first; what a sub-meter gives flows up. The smaller ones below a
 * meter are one flow, so that it is as wide as what it took.
 */
export function energyFlows(rows: readonly TreeRow[]): EnergyFlows {
  const all = rows
    .flatMap(({ id, device, isRest, netKwh }): Flow[] => {
      const aboveId = isRest ? device.deviceId : device.countedIn;
      if (aboveId === null || netKwh === 0 || (isRest && netKwh < 0)) return [];
      return [
        netKwh > 0 ? { source: aboveId, target: id, amount: netKwh } : { source: id, target: aboveId, amount: -netKwh },
      ];
    })
    .toSorted((a, b) => b.amount - a.amount);
  const largest = all.slice(0, maxFlows);
  const divided = new Set(largest.map(({ source }) => source));
  const smaller = Map.groupBy(
    all.slice(maxFlows).filter(({ source }) => divided.has(source)),
    ({ source }) => source,
  );
  // In the place of one flow nothing is saved.
  const others = [...smaller].filter(([, own]) => own.length > 1);
  const shown = [...largest, ...[...smaller.values()].filter(({ length }) => length === 1).flat()];
  const flows = [
    ...shown,
    ...others.map(([source, own]) => ({
      source,
      target: othersOf(source),
      amount: own.reduce((sum, { amount }) => sum + amount, 0),
    })),
  ].toSorted((a, b) => b.amount - a.amount);
  const drawn = new Set(flows.flatMap(({ source, target }) => [source, target]));
  const othersCounts = new Map(others.map(([source, own]) => [source, own.length]));
  return { nodes: nodesOf(rows, drawn, othersCounts), flows, count: all.length, shownCount: shown.length };
}

const othersOf = (id: string) => `${id} others`;

function nodesOf(
  rows: readonly TreeRow[],
  drawn: ReadonlySet<string>,
  othersCounts: ReadonlyMap<string, number>,
): FlowNode[] {
  const nodes: FlowNode[] = [];
  const open: TreeRow[] = [];
  const closeFrom = (least: number) => {
    for (let last = open.at(-1); last !== undefined && last.level >= least; last = open.at(-1)) {
      open.pop();
      const othersCount = othersCounts.get(last.id) ?? 0;
      if (othersCount > 0) nodes.push({ id: othersOf(last.id), row: last, othersCount });
    }
  };
  for (const row of rows) {
    closeFrom(row.level);
    if (drawn.has(row.id)) nodes.push({ id: row.id, row, othersCount: 0 });
    open.push(row);
  }
  closeFrom(0);
  return nodes;
}
