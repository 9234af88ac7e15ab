import { findSums, keyOfSums, listWeekVersions } from '../energy/energy-sums.sql.ts';
import { listTariffs, type MunicipalityTariff } from './tariffs.sql.ts';
import type { SiteRanges } from '../base/ranges.ts';
import { partialDays } from '../energy/energy-day.rules.ts';
import { describePiece, isOfWholeSlots, type Piece, weekOf } from './energy-pieces.rules.ts';
import {
  createEnergyTotals,
  type EnergyTotals,
  priceSite,
  type PricedSite,
  type TotalsGroup,
} from './energy-totals.rules.ts';
import { type ClipDay, openClip } from '../energy/clip-days.ts';
import type { EnergySnapshot } from '../energy/read-energy.ts';
import { dayMicros } from '../base/instants.ts';

/** Days of devices read at once: some megabytes, and no longer than other requests can wait. */
const deviceDaysAtOnce = 6_100;
/** Local days that are counted before others may run. */
const localDaysAtOnce = 3_000;

/** The tariffs to price a municipality by, instead of those that the snapshot holds for it. */
export type ReviseTariffs = (
  municipalityId: string,
  tariffs: readonly MunicipalityTariff[],
) => readonly MunicipalityTariff[];
const asStored: ReviseTariffs = (_, tariffs) => tariffs;

/**
 * The totals of all devices of a snapshot over the range of their site, priced by the tariffs that it holds. The sums of whole
 * weeks are kept, so that their days are not read again (docs/adr/0037).
 */
export async function totalEnergy(
  snapshot: EnergySnapshot,
  ranges: SiteRanges,
  group: TotalsGroup = null,
  revise: ReviseTariffs = asStored,
): Promise<EnergyTotals> {
  const { devices } = snapshot;
  const totals = createEnergyTotals(await listPricedSites(snapshot, ranges, revise, group), devices);
  const days = snapshot.clipDays(ranges.all);
  const source = { totals, clip: await openClip(snapshot, ranges), ranges };
  const pieces = totals.listPieces(days);
  const atOnce = Math.max(1, Math.floor(deviceDaysAtOnce / Math.max(1, devices.length)));
  for (let next = pieces.next(); next.done !== true;) {
    const some: Piece[] = [];
    for (; next.done !== true && some.length < atOnce; next = pieces.next()) some.push(next.value);
    await addPieces(snapshot, source, await keysOf(snapshot, some));
    await snapshot.yieldOrAbort();
  }
  return totals;
}

interface TotalSource {
  totals: EnergyTotals;
  clip: ClipDay;
  ranges: SiteRanges;
}

/** The keys of the sums of pieces; null for sums not to be kept, because the piece is cut or still grows by the minute. */
async function keysOf(
  { tx, devices, gaps, isStored }: EnergySnapshot,
  pieces: readonly Piece[],
): Promise<Map<Piece, string | null>> {
  const latest = devices.reduce((last, { spans: { any } }) => Math.max(last, any?.lastMicros ?? -Infinity), -Infinity);
  const isKept = (piece: Piece) => isOfWholeSlots(piece) && piece.toDay * dayMicros <= latest && isStored(piece);
  const kept = pieces.filter(isKept);
  const [fromDay, toDay] = [weekOf(kept[0]?.fromDay ?? 0), kept.at(-1)?.toDay ?? 0];
  const deviceNumbers = devices.map((device) => device.number);
  const versions = kept.length === 0 ? undefined : await listWeekVersions(tx, { deviceNumbers, fromDay, toDay });
  const keyOf = (piece: Piece) => {
    const own = gaps.filter((gap) => gap.fromDay < piece.toDay && gap.toDay > piece.fromDay);
    return keyOfSums(describePiece(piece), versions?.get(weekOf(piece.fromDay)), own);
  };
  return new Map(pieces.map((piece) => [piece, isKept(piece) ? keyOf(piece) : null]));
}

/** Adds the sums of pieces in their order: the kept ones, or those of their days. */
async function addPieces(
  snapshot: EnergySnapshot,
  source: TotalSource,
  keys: ReadonlyMap<Piece, string | null>,
): Promise<void> {
  const known = await findSums(
    snapshot.tx,
    [...keys.values()].filter((key) => key !== null),
  );
  let unknown: Piece[] = [];
  const { totals } = source;
  const add = async () => {
    for (const [piece, sums] of await sumPieces(snapshot, source, unknown)) {
      totals.add(piece, sums);
      const key = keys.get(piece) ?? null;
      if (key !== null) snapshot.keep({ key, sums });
    }
    unknown = [];
  };
  for (const [piece, key] of keys) {
    const sums = key === null ? undefined : known.get(key);
    if (sums === undefined) {
      if (unknown.length > 0 && (unknown.length + 1) * daysOf(piece) * snapshot.devices.length > deviceDaysAtOnce)
        await add();
      unknown.push(piece);
    } else {
      if (unknown.length > 0) await add();
      totals.add(piece, sums);
    }
  }
  await add();
}

const daysOf = ({ fromDay, toDay }: Piece) => toDay - fromDay;

/** The sums of consecutive pieces, from their days. */
async function sumPieces(
  snapshot: EnergySnapshot,
  { totals, clip, ranges }: TotalSource,
  pieces: readonly Piece[],
): Promise<[Piece, Float64Array][]> {
  const [first, last] = [pieces[0], pieces.at(-1)];
  if (first === undefined || last === undefined) return [];
  const days = snapshot.clipDays(ranges.all);
  const [fromDay, toDay] = [Math.max(days.fromDay, first.fromDay), Math.min(days.toDay, last.toDay)];
  const partial = new Set(snapshot.devices.flatMap((device) => partialDays(ranges.of(device.timeZone))));
  const statistics = { depth: 'all', days: [...partial] } as const;
  const opened = pieces.map((piece) => ({ piece, sum: totals.openSum(piece) }));
  const numbers = first.sites.flatMap((site) => site.devices);
  const atOnce = Math.max(1, Math.floor(deviceDaysAtOnce / Math.max(1, toDay - fromDay)));
  for (let at = 0; at < numbers.length; at += atOnce) {
    const deviceNumbers = numbers.slice(at, at + atOnce);
    const stored = await snapshot.listDays({ deviceNumbers, fromDay, toDay, statistics });
    const byDevice = Map.groupBy(stored.map(clip), (day) => day.deviceNumber);
    for (const number of deviceNumbers) {
      const own = byDevice.get(number) ?? [];
      for (const { piece, sum } of opened) {
        sum.addDevice(
          number,
          own.filter(({ day }) => day >= piece.fromDay && day < piece.toDay),
        );
      }
    }
    await snapshot.yieldOrAbort();
  }
  return opened.map(({ piece, sum }) => [piece, sum.close()]);
}

async function listPricedSites(
  { tx, devices, yieldOrAbort }: EnergySnapshot,
  ranges: SiteRanges,
  revise: ReviseTariffs,
  group: TotalsGroup,
): Promise<PricedSite[]> {
  const tariffsOf = await listTariffs(tx, [...new Set(devices.map((device) => device.municipalityId))]);
  const municipalities = new Map<string, Omit<PricedSite, 'siteId'>>();
  const atOnce = Math.max(1, Math.floor(localDaysAtOnce / ((ranges.all.toMicros - ranges.all.fromMicros) / dayMicros)));
  for (const { municipalityId, timeZone } of devices) {
    if (municipalities.has(municipalityId)) continue;
    const tariffs = revise(municipalityId, tariffsOf.get(municipalityId) ?? []);
    municipalities.set(municipalityId, priceSite({ municipalityId, timeZone }, tariffs, ranges, group));
    if (municipalities.size % atOnce === 0) await yieldOrAbort();
  }
  const sites = new Map<string, PricedSite>();
  for (const { siteId, municipalityId } of devices) {
    const municipality = municipalities.get(municipalityId);
    if (municipality !== undefined) sites.set(siteId, { siteId, ...municipality });
  }
  return [...sites.values()];
}
