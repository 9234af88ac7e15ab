import { type ChosenDevice, listChosenDevices } from '../energy/measurements.sql.ts';
import type { Database } from '../database/pool.ts';
import { type AskedRange, rangesOf } from '../base/ranges.ts';
import { gapsIn, knownSpan } from '../energy/power.rules.ts';
import { type SlotState } from './data-quality.rules.ts';
import { emptyEnergy, slotMicros, piecesOfDays, slotsPerDay } from '../energy/energy.rules.ts';
import { addsUp } from '../energy/device-tree.rules.ts';
import { type DomainError, refuse } from '../base/errors.ts';
import { isAny, type MicrosRange, unionOf } from '../base/instants.ts';
import type { DeviceScope } from '../base/scopes.ts';
import { awake } from './export-readings.ts';
import type { EnergyReader } from '../energy/energy-reader.ts';
import { readEnergy } from '../energy/read-energy.ts';
import { judgeDevices } from './read-quality.ts';

/** A device or site, which has a row for each quarter-hour. */
export interface ProfileSeries {
  /** Null for a site. */
  device: ChosenDevice | null;
  siteName: string;
  timeZone: string;
  /** The devices whose energy is added up. */
  deviceNumbers: readonly number[];
  /** Whole quarter-hours. */
  range: MicrosRange;
}

/** Known before the first row is read. */
export interface ProfileHead {
  rowCount: number;
  series: readonly ProfileSeries[];
  devices: readonly ChosenDevice[];
  /** Holds the ranges of all series. */
  range: MicrosRange;
}

/** Rows of one series; energy that is not known is NaN. */
export interface ProfileRows {
  /** The position of the series. */
  series: number;
  startMicros: Float64Array<ArrayBuffer>;
  importedKwh: Float64Array<ArrayBuffer>;
  exportedKwh: Float64Array<ArrayBuffer>;
  /** Positions in `profileStates`. */
  state: Float64Array<ArrayBuffer>;
}

interface ProfileAsked {
  scope: DeviceScope;
  range: AskedRange;
  groupBy: ProfileGroup;
  /** The maximum number of rows. A larger file is rejected. */
  maxRows: number;
  nowMicros: number;
}

/** Some 3,000 rows at once. */
const daysAtOnce = 31;

/**
 * Reads the stored quarter-hours of a range from one snapshot, one device or site after the other, each ascending.
 * `open` gets a description of the rows and returns their receiver; see `exportReadings`. Throws `invalid` for more
 * rows than a file may have.
 */
export async function exportProfile(
  database: Database,
  { scope, range, groupBy, maxRows, nowMicros }: ProfileAsked,
  open: (head: ProfileHead) => Promise<(rows: ProfileRows) => Promise<void>>,
): Promise<ProfileHead> {
  const plan = (devices: readonly ChosenDevice[]) => {
    const ranges = rangesOf(range, new Set(devices.map(({ timeZone }) => timeZone)));
    const series = seriesOf(devices, groupBy, (timeZone) => profileRange(ranges.of(timeZone), nowMicros));
    const rowCount = series.reduce((sum, one) => sum + countSlots(one.range), 0);
    if (rowCount > maxRows) throw tooManyRows(range, groupBy, rowCount, maxRows);
    return { series, rowCount };
  };
  // Planned before energy is read, so that a refused file computes nothing.
  plan(await database.snapshot((tx) => listChosenDevices(tx, scope)));
  return readEnergy(database, { scope, range, isExport: true }, async (snapshot) => {
    const { tx, devices } = snapshot;
    const { series, rowCount } = plan(devices);
    const head = { rowCount, series, devices, range: unionOf(series.map((one) => one.range).filter(isAny)) };
    const take = await open(head);
    for (const [at, one] of series.entries()) {
      const own = snapshot.only(devices.filter(({ number }) => one.deviceNumbers.includes(number)));
      for (const piece of piecesOfDays(one.range, daysAtOnce)) {
        await awake(tx, take({ series: at, ...(await readPiece(own, piece)) }));
        await snapshot.yieldOrAbort();
      }
    }
    return head;
  });
}

function tooManyRows({ dates }: AskedRange, groupBy: ProfileGroup, rowCount: number, maxRows: number): DomainError {
  const field = dates === null ? 'to' : 'toDate';
  const code = groupBy === 'device' ? 'profileRowsOfDevices' : 'profileRowsOfSites';
  return refuse(code, { max: maxRows, count: rowCount }, { field });
}

/** In the order of the devices, which is by site. */
function seriesOf(
  devices: readonly ChosenDevice[],
  groupBy: ProfileGroup,
  rangeIn: (timeZone: string) => MicrosRange,
): ProfileSeries[] {
  const seriesOf = (device: ChosenDevice | null, [first, ...others]: readonly ChosenDevice[]): ProfileSeries[] => {
    if (first === undefined) return [];
    const { siteName, timeZone } = first;
    const deviceNumbers = [first, ...others].map(({ number }) => number);
    return [{ device, siteName, timeZone, deviceNumbers, range: rangeIn(timeZone) }];
  };
  if (groupBy === 'device') return devices.flatMap((device) => seriesOf(device, [device]));
  const bySite = Map.groupBy(devices.filter(addsUp), ({ siteId }) => siteId);
  return [...bySite.values()].flatMap((own) => seriesOf(null, own));
}

/** The rows of a piece, from its stored slots. */
async function readPiece(snapshot: EnergyReader, piece: MicrosRange): Promise<Omit<ProfileRows, 'series'>> {
  const count = countSlots(piece);
  const firstSlot = piece.fromMicros / slotMicros;
  const flags = Map.groupBy(await snapshot.listFlags(piece), (flag) => flag.deviceNumber);
  const [importedKwh, exportedKwh] = [new Float64Array(count), new Float64Array(count)];
  const counts = {
    measured: new Uint32Array(count),
    interpolated: new Uint32Array(count),
    incomplete: new Uint32Array(count),
    missing: new Uint32Array(count),
  };
  const scratch = emptyEnergy(slotsPerDay);
  for (const { device, firstSlot: own, states, days } of await judgeDevices(snapshot, () => piece, flags, Infinity)) {
    const gaps = gapsIn(flags.get(device.number));
    const span = knownSpan(device);
    if (span !== null) {
      gaps.push({ fromMicros: -Infinity, toMicros: span.firstMicros });
      gaps.push({ fromMicros: span.lastMicros, toMicros: Infinity });
    }
    for (const [at, state] of withGaps(states, own, gaps).entries()) {
      const slot = own + at - firstSlot;
      counts[state][slot] = (counts[state][slot] ?? 0) + 1;
    }
    for (const day of days) {
      scratch.importedKwh.fill(0);
      scratch.exportedKwh.fill(0);
      day.fillEnergy(scratch, 0);
      const offset = day.day * slotsPerDay - firstSlot;
      for (let slot = Math.max(0, -offset); slot < Math.min(slotsPerDay, count - offset); slot += 1) {
        importedKwh[offset + slot] = (importedKwh[offset + slot] ?? 0) + (scratch.importedKwh[slot] ?? 0);
        exportedKwh[offset + slot] = (exportedKwh[offset + slot] ?? 0) + (scratch.exportedKwh[slot] ?? 0);
      }
    }
  }
  const state = new Float64Array(count);
  for (let slot = 0; slot < count; slot += 1) {
    const { measured, interpolated, incomplete, missing } = counts;
    const found = stateOfSum({
      measured: measured[slot] ?? 0,
      interpolated: interpolated[slot] ?? 0,
      incomplete: incomplete[slot] ?? 0,
      missing: missing[slot] ?? 0,
    });
    state[slot] = profileStates.indexOf(found);
    if (found === 'missing') importedKwh[slot] = exportedKwh[slot] = Number.NaN;
  }
  return {
    startMicros: Float64Array.from({ length: count }, (_, at) => piece.fromMicros + at * slotMicros),
    importedKwh,
    exportedKwh,
    state,
  };
}

/** Whether a profile has the quarter-hours of each device or the sums of each site. */
type ProfileGroup = 'device' | 'site';

/** The status of a quarter-hour. `incomplete`: a part of it is missing, or some devices of the site are. */
export const profileStates = ['measured', 'estimated', 'incomplete', 'missing'] as const;
type ProfileState = (typeof profileStates)[number];

/** The quarter-hours that lie wholly in a range and are over. */
export function profileRange({ fromMicros, toMicros }: MicrosRange, nowMicros: number): MicrosRange {
  const from = Math.ceil(fromMicros / slotMicros) * slotMicros;
  const to = Math.floor(Math.min(toMicros, nowMicros) / slotMicros) * slotMicros;
  return { fromMicros: from, toMicros: Math.max(from, to) };
}

/** The quarter-hours of a range. */
export const countSlots = ({ fromMicros, toMicros }: MicrosRange): number => (toMicros - fromMicros) / slotMicros;

/**
 * The status of the quarter-hours from `firstSlot` (counted from 1970) on, given the gaps. One that lies wholly in a
 * gap is missing even with a reading at its edge; one that a gap cuts is incomplete.
 */
export function withGaps(
  states: readonly SlotState[],
  firstSlot: number,
  gaps: readonly MicrosRange[],
): (SlotState | 'incomplete')[] {
  const found: (SlotState | 'incomplete')[] = [...states];
  for (const { fromMicros, toMicros } of gaps) {
    const first = Math.max(0, Math.floor(fromMicros / slotMicros) - firstSlot);
    const end = Math.min(found.length, Math.ceil(toMicros / slotMicros) - firstSlot);
    for (let at = first; at < end; at += 1) {
      const startMicros = (firstSlot + at) * slotMicros;
      const isWhole = fromMicros <= startMicros && startMicros + slotMicros <= toMicros;
      if (isWhole) found[at] = 'missing';
      else if (found[at] !== 'missing') found[at] = 'incomplete';
    }
  }
  return found;
}

/**
 * The state of the sum of some devices, from the number of devices in each state; devices not expected to send anything then are
 * not counted.
 */
export function stateOfSum(counts: Record<SlotState | 'incomplete', number>): ProfileState {
  const { measured, interpolated, incomplete, missing } = counts;
  if (measured + interpolated + incomplete === 0) return 'missing';
  if (incomplete + missing > 0) return 'incomplete';
  return interpolated > 0 ? 'estimated' : 'measured';
}
