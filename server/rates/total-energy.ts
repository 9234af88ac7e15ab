import { listTariffs, type MunicipalityTariff } from './tariffs.sql.ts';
import type { SiteRanges } from '../base/ranges.ts';
import { dayOf, partialDays, type StoredDay } from '../energy/energy.rules.ts';
import { describePiece, isOfWholeSlots, type Piece, type PieceSum } from './energy-pieces.rules.ts';
import {
  createEnergyTotals,
  type EnergyTotals,
  priceSite,
  type PricedSite,
  type TotalsGroup,
} from './energy-totals.rules.ts';
import { type EnergyReader, type SummedDays, type ClipDay, openClip } from '../energy/energy-reader.ts';
import { dayMicros } from '../base/instants.ts';
import { Recent } from '../base/recent.ts';

/**
 * The number of device-days that are read at once. They take a few megabytes, and so little time that other requests can wait.
 */
const deviceDaysAtOnce = 6_100;
/** The number of local days that are counted before other work may run. */
const localDaysAtOnce = 3_000;

/**
 * Sums of weeks that have not ended. Their keys contain everything that they depend on, so it does not matter for whom they
 * were computed.
 */
const recentSums = new Recent<Float64Array>(4 * 1024 * 1024);

function sumsOf(name: string | null, add: () => Float64Array): Float64Array {
  const known = name === null ? undefined : recentSums.find(name);
  if (known !== undefined) return known;
  const sums = add();
  if (name !== null) recentSums.keep(name, sums, name.length + sums.byteLength);
  return sums;
}

/** The tariffs that price a municipality, instead of those in the snapshot. */
export type ReviseTariffs = (
  municipalityId: string,
  tariffs: readonly MunicipalityTariff[],
) => readonly MunicipalityTariff[];
const asStored: ReviseTariffs = (_, tariffs) => tariffs;

/**
 * The totals of all devices of a snapshot over the range of their site, priced by the tariffs in the snapshot. The sums of
 * whole weeks are kept, so that the days of these weeks need not be read again (docs/adr/0037).
 */
export async function totalEnergy(
  reader: EnergyReader,
  ranges: SiteRanges,
  group: TotalsGroup = null,
  revise: ReviseTariffs = asStored,
): Promise<EnergyTotals> {
  const { devices } = reader;
  const totals = createEnergyTotals(await listPricedSites(reader, ranges, revise, group), devices);
  const days = reader.clipDays(ranges.all);
  const source = { totals, clip: await openClip(reader, ranges), ranges };
  const pieces = totals.listPieces(days);
  const atOnce = Math.max(1, Math.floor(deviceDaysAtOnce / Math.max(1, devices.length)));
  for (let next = pieces.next(); next.done !== true;) {
    const some: Piece[] = [];
    for (; next.done !== true && some.length < atOnce; next = pieces.next()) some.push(next.value);
    await addPieces(reader, source, some);
    await reader.yieldOrAbort();
  }
  return totals;
}

interface TotalSource {
  totals: EnergyTotals;
  clip: ClipDay;
  ranges: SiteRanges;
}

/** Adds the sums of pieces in their order. The sums are kept ones, or are computed from the days of the piece. */
async function addPieces(reader: EnergyReader, source: TotalSource, pieces: readonly Piece[]): Promise<void> {
  const { totals, ranges } = source;
  const { toDay } = reader.clipDays(ranges.all);
  const kept = await reader.findSums(pieces, (piece) => (isOfWholeSlots(piece) ? describePiece(piece) : null));
  let unknown = new Map<Piece, SummedDays['keep']>();
  const add = async () => {
    for (const [piece, sums] of await sumPieces(reader, source, [...unknown.keys()])) {
      totals.add(piece, sums);
      unknown.get(piece)?.(sums);
    }
    unknown = new Map();
  };
  for (const [at, piece] of pieces.entries()) {
    const { sums = null, keep = null } = kept[at] ?? {};
    const isRunning = keep === null && piece.toDay >= toDay;
    if (sums === null && !(isRunning && daysOf(piece) * reader.devices.length <= deviceDaysAtOnce)) {
      if (unknown.size > 0 && (unknown.size + 1) * daysOf(piece) * reader.devices.length > deviceDaysAtOnce)
        await add();
      unknown.set(piece, keep);
    } else {
      if (unknown.size > 0) await add();
      totals.add(piece, sums ?? (await sumRunning(reader, source, piece)));
    }
  }
  await add();
}

const daysOf = ({ fromDay, toDay }: Piece) => toDay - fromDay;

/** The sums of consecutive pieces, from their days. */
async function sumPieces(
  reader: EnergyReader,
  source: TotalSource,
  pieces: readonly Piece[],
): Promise<[Piece, Float64Array][]> {
  const [first, last] = [pieces[0], pieces.at(-1)];
  if (first === undefined || last === undefined) return [];
  const asked = askFor(reader, source, { fromDay: first.fromDay, toDay: last.toDay });
  const opened = pieces.map((piece) => ({ piece, sum: source.totals.openSum(piece) }));
  const byNumber = new Map(reader.devices.map((device) => [device.number, device]));
  const devices = first.sites.flatMap((site) => site.devices.flatMap((number) => byNumber.get(number) ?? []));
  const atOnce = Math.max(1, Math.floor(deviceDaysAtOnce / Math.max(1, asked.toDay - asked.fromDay)));
  for (let at = 0; at < devices.length; at += atOnce) {
    const some = devices.slice(at, at + atOnce);
    const stored = await reader.only(some).listDays(asked);
    addDays(
      some.map(({ number }) => number),
      stored.map(source.clip),
      opened,
    );
    await reader.yieldOrAbort();
  }
  return opened.map(({ piece, sum }) => [piece, sum.close()]);
}

/** The days with data in some pieces, and the days whose statistics are needed. */
function askFor(reader: EnergyReader, { ranges }: TotalSource, { fromDay, toDay }: Pick<Piece, 'fromDay' | 'toDay'>) {
  const days = reader.clipDays(ranges.all);
  const partial = new Set(reader.devices.flatMap((device) => partialDays(ranges.of(device.timeZone))));
  const statistics = { depth: 'all', days: [...partial] } as const;
  return { fromDay: Math.max(days.fromDay, fromDay), toDay: Math.min(days.toDay, toDay), statistics };
}

/** Adds days in the order of the devices and of time. */
function addDays(
  deviceNumbers: readonly number[],
  days: readonly StoredDay[],
  opened: readonly { piece: Pick<Piece, 'fromDay' | 'toDay'>; sum: PieceSum }[],
): void {
  const byDevice = Map.groupBy(days, (day) => day.deviceNumber);
  for (const number of deviceNumbers) {
    const own = (byDevice.get(number) ?? []).toSorted((a, b) => a.day - b.day);
    for (const { piece, sum } of opened) {
      sum.addDevice(
        number,
        own.filter(({ day }) => day >= piece.fromDay && day < piece.toDay),
      );
    }
  }
}

/**
 * The sums of the last week. They grow with every reading, but the sums of its first days do not and are computed only once.
 */
async function sumRunning(reader: EnergyReader, source: TotalSource, piece: Piece): Promise<Float64Array> {
  const { totals, clip } = source;
  const asked = askFor(reader, source, piece);
  const days = await reader.openDays(asked);
  const nameOf = (part: Piece, kind: 'whole' | 'head') =>
    isOfWholeSlots(part) ? days.nameBefore(part.toDay, `${kind} ${describePiece(part)}`) : null;
  const add = (part: Pick<Piece, 'fromDay' | 'toDay'>, sum: PieceSum) => {
    const numbers = piece.sites.flatMap((site) => site.devices);
    const own = days.listFrom(Math.max(asked.fromDay, part.fromDay)).filter(({ day }) => day < part.toDay);
    addDays(numbers, own.map(clip), [{ piece: part, sum }]);
    return sum.close();
  };
  return sumsOf(nameOf(piece, 'whole'), () => {
    const ends = piece.sites.map(({ range }) => dayOf(range.toMicros));
    const part = totals.headOf(piece, Math.min(piece.toDay, days.closedUntil, ...ends));
    const isCut = part.toDay <= piece.fromDay || piece.sites.some((site) => site.groups.length > 0);
    const name = isCut ? null : nameOf(part, 'head');
    if (name === null) return add(piece, totals.openSum(piece));
    const sums = sumsOf(name, () => add(part, totals.openSum(part, { isHead: true })));
    return add({ fromDay: part.toDay, toDay: piece.toDay }, totals.openSum(piece, { after: { piece: part, sums } }));
  });
}

async function listPricedSites(
  reader: EnergyReader,
  ranges: SiteRanges,
  revise: ReviseTariffs,
  group: TotalsGroup,
): Promise<PricedSite[]> {
  const { tx, devices } = reader;
  const tariffsOf = await listTariffs(tx, [...new Set(devices.map((device) => device.municipalityId))]);
  const municipalities = new Map<string, Omit<PricedSite, 'siteId'>>();
  const atOnce = Math.max(1, Math.floor(localDaysAtOnce / ((ranges.all.toMicros - ranges.all.fromMicros) / dayMicros)));
  for (const { municipalityId, timeZone } of devices) {
    if (municipalities.has(municipalityId)) continue;
    const tariffs = revise(municipalityId, tariffsOf.get(municipalityId) ?? []);
    municipalities.set(municipalityId, priceSite({ municipalityId, timeZone }, tariffs, ranges, group));
    if (municipalities.size % atOnce === 0) await reader.yieldOrAbort();
  }
  const sites = new Map<string, PricedSite>();
  for (const { siteId, municipalityId } of devices) {
    const municipality = municipalities.get(municipalityId);
    if (municipality !== undefined) sites.set(siteId, { siteId, ...municipality });
  }
  return [...sites.values()];
}
