import { listChosenDevices } from '../db/measurements.ts';
import { listMunicipalities } from '../db/municipalities.ts';
import type { Database } from '../db/pool.ts';
import { listTariffs, type MunicipalityTariff } from '../db/tariffs.ts';
import { calendarRange, type CalendarDates, rangesOf } from '../domain/asked-range.ts';
import { DomainError, found } from '../domain/errors.ts';
import { allDevices } from '../domain/scopes.ts';
import { affectedMonths, type ChangedMonth, changedMonths } from '../domain/tariff-changes.ts';
import { dateAt } from '../domain/time-zones.ts';
import { readEnergy } from './read-energy.ts';
import { identifyTariff, refuseSameStart, type TariffValues } from './tariffs.ts';
import { totalEnergy } from './total-energy.ts';
import { noMunicipality } from './violations.ts';

export interface TariffPreview {
  /** The months that were compared, as local dates; null if the change affects only the future. */
  compared: CalendarDates | null;
  months: ChangedMonth[];
}

export interface TariffWriteAsked {
  /** Null for a new tariff. */
  id: string | null;
  /** Null for a tariff to be deleted. */
  values: TariffValues | null;
}

/**
 * What would change in the months that are measured already if tariffs were stored or deleted; nothing is written. Throws what
 * the writes throw: `notFound`, and `invalid` or `conflict` as `createTariff` has them.
 */
export async function previewTariffs(
  database: Database,
  writes: readonly TariffWriteAsked[],
  { nowMs, accountId }: { nowMs: number; accountId: string },
): Promise<TariffPreview> {
  const stored = [...(await listTariffs(database, null)).values()].flat();
  const municipalities = new Map((await listMunicipalities(database)).map((one) => [one.id, one]));
  const [before, next] = readWrites(writes, stored);
  const kept = stored.filter((tariff) => !before.includes(tariff));
  for (const tariff of next) {
    if (!municipalities.has(tariff.municipalityId)) throw noMunicipality(tariff.municipalityId);
    refuseSameStart(tariff, [...kept, ...next]);
  }
  const touched = new Set([...before, ...next].map((tariff) => tariff.municipalityId));
  const todayIn = (municipalityId: string) =>
    dateAt(nowMs * 1000, municipalities.get(municipalityId)?.timeZone ?? 'UTC').toString();
  const today = [...touched].map(todayIn).toSorted().at(-1);
  const compared = today === undefined ? null : affectedMonths([...before, ...next], today);
  if (compared === null) return { compared, months: [] };

  const devices = (await listChosenDevices(database, allDevices)).filter((one) => touched.has(one.municipalityId));
  if (devices.length === 0) return { compared, months: [] };
  const range = calendarRange(compared);
  const scope = { devices: devices.map((device) => device.id) };
  const replaced = new Set(before.map((tariff) => tariff.id));
  const revised = (municipalityId: string, tariffs: readonly MunicipalityTariff[]) => [
    ...tariffs.filter((tariff) => !replaced.has(tariff.id)),
    ...next.filter((tariff) => tariff.municipalityId === municipalityId),
  ];
  return readEnergy(database, { scope, range, accountId }, async (snapshot) => {
    const zones = snapshot.devices.map((device) => device.timeZone);
    const ranges = rangesOf(range, zones);
    const old = await totalEnergy(snapshot, ranges, 'month');
    // Do not keep sums under prices that may never be stored.
    const tried = await totalEnergy({ ...snapshot, keep: () => undefined }, ranges, 'month', revised);
    return { compared, months: changedMonths(old.totalSites(), tried.totalSites()) };
  });
}

/** The tariffs as they are and as they will be. Throws `invalid` where one is written twice. */
function readWrites(
  writes: readonly TariffWriteAsked[],
  stored: readonly MunicipalityTariff[],
): [MunicipalityTariff[], MunicipalityTariff[]] {
  const ids = writes.flatMap(({ id }) => id ?? []);
  const twice = ids.find((id, at) => ids.indexOf(id) !== at);
  if (twice !== undefined)
    throw new DomainError('invalid', `changes: the tariff ${twice} is there twice; name it once.`);
  return [
    ids.map((id) => found(stored.find((tariff) => tariff.id === id) ?? null, 'tariff')),
    writes.flatMap(({ id, values }) => (values === null ? [] : [identifyTariff(id, values)])),
  ];
}
