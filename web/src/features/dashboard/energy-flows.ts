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

/** What flows from each meter to those below it, kWh, the largest; what a sub-meter gives flows up. */
export function energyFlows(rows: readonly TreeRow[]): Flow[] {
  return rows
    .flatMap(({ id, device, isRest, netKwh }): Flow[] => {
      const aboveId = isRest ? device.deviceId : device.countedIn;
      if (aboveId === null || netKwh === 0 || (isRest && netKwh < 0)) return [];
      return [
        netKwh > 0 ? { source: aboveId, target: id, amount: netKwh } : { source: id, target: aboveId, amount: -netKwh },
      ];
    })
    .toSorted((a, b) => b.amount - a.amount)
    .slice(0, maxFlows);
}
