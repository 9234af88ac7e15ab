import { listTariffs, type MunicipalityTariff } from './tariffs.sql.ts';
import type { SiteRanges } from '../base/ranges.ts';
import { partialDays } from '../energy/energy.rules.ts';
import { describePiece, isOfWholeSlots, type Piece } from './energy-pieces.rules.ts';
import {
  createEnergyTotals,
  type EnergyTotals,
  priceSite,
  type PricedSite,
  type TotalsGroup,
} from './energy-totals.rules.ts';
import { type ClipDay, openClip } from '../energy/clip-days.ts';
import type { EnergyReader, SummedDays } from '../energy/energy-reader.ts';
import { dayMicros } from '../base/instants.ts';

/** Device-days that are read at once: a few megabytes, in a time that other requests can wait. */
const deviceDaysAtOnce = 6_100;
/** Local days that are counted before other work may run. */
const localDaysAtOnce = 3_000;

/** The tariffs that price a municipality, instead of those in the snapshot. */
export type ReviseTariffs = (
  municipalityId: string,
  tariffs: readonly MunicipalityTariff[],
) => readonly MunicipalityTariff[];
const asStored: ReviseTariffs = (_, tariffs) => tariffs;

/**
 * The totals of all devices of a snapshot over the range of their site, priced by the tariffs in the snapshot. The sums of whole
 * weeks are kept, so that their days are not read again (docs/adr/0037).
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

/** Adds the sums of pieces in their order: the kept ones, or those computed from their days. */
async function addPieces(reader: EnergyReader, source: TotalSource, pieces: readonly Piece[]): Promise<void> {
  const { totals } = source;
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
    const { sums = null, keep = () => undefined } = kept[at] ?? {};
    if (sums === null) {
      if (unknown.size > 0 && (unknown.size + 1) * daysOf(piece) * reader.devices.length > deviceDaysAtOnce)
        await add();
      unknown.set(piece, keep);
    } else {
      if (unknown.size > 0) await add();
      totals.add(piece, sums);
    }
  }
  await add();
}

const daysOf = ({ fromDay, toDay }: Piece) => toDay - fromDay;

/** The sums of consecutive pieces, from their days. */
async function sumPieces(
  reader: EnergyReader,
  { totals, clip, ranges }: TotalSource,
  pieces: readonly Piece[],
): Promise<[Piece, Float64Array][]> {
  const [first, last] = [pieces[0], pieces.at(-1)];
  if (first === undefined || last === undefined) return [];
  const days = reader.clipDays(ranges.all);
  const [fromDay, toDay] = [Math.max(days.fromDay, first.fromDay), Math.min(days.toDay, last.toDay)];
  const partial = new Set(reader.devices.flatMap((device) => partialDays(ranges.of(device.timeZone))));
  const statistics = { depth: 'all', days: [...partial] } as const;
  const opened = pieces.map((piece) => ({ piece, sum: totals.openSum(piece) }));
  const byNumber = new Map(reader.devices.map((device) => [device.number, device]));
  const devices = first.sites.flatMap((site) => site.devices.flatMap((number) => byNumber.get(number) ?? []));
  const atOnce = Math.max(1, Math.floor(deviceDaysAtOnce / Math.max(1, toDay - fromDay)));
  for (let at = 0; at < devices.length; at += atOnce) {
    const some = devices.slice(at, at + atOnce);
    const stored = await reader.only(some).listDays({ fromDay, toDay, statistics });
    const byDevice = Map.groupBy(stored.map(clip), (day) => day.deviceNumber);
    for (const { number } of some) {
      const own = byDevice.get(number) ?? [];
      for (const { piece, sum } of opened) {
        sum.addDevice(
          number,
          own.filter(({ day }) => day >= piece.fromDay && day < piece.toDay),
        );
      }
    }
    await reader.yieldOrAbort();
  }
  return opened.map(({ piece, sum }) => [piece, sum.close()]);
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
