import { listChosenDevices } from '../db/measurements.ts';
import { listMunicipalities } from '../db/municipalities.ts';
import type { Database } from '../db/pool.ts';
import { listTariffs, type MunicipalityTariff } from '../db/tariffs.ts';
import { calendarRange, type CalendarDates, rangesOf } from '../domain/asked-range.ts';
import { found } from '../domain/errors.ts';
import { allDevices } from '../domain/scopes.ts';
import { affectedMonths, type ChangedMonth, changedMonths } from '../domain/tariff-changes.ts';
import { readEnergy } from './read-energy.ts';
import { identifyTariff, refuseSameStart, type TariffValues } from './tariffs.ts';
import { totalEnergy } from './total-energy.ts';
import { noMunicipality } from './violations.ts';

export interface TariffPreview {
  /** The months that were compared, as local dates; null if the change is of the future alone. */
  compared: CalendarDates | null;
  months: ChangedMonth[];
}

export interface TariffQuestion {
  /** Null for a tariff that is new. */
  id: string | null;
  /** Null for one that is to be deleted. */
  values: TariffValues | null;
  nowMs: number;
  accountId: string;
}

/**
 * What would change in the months that are measured already if a tariff were stored, or deleted; nothing is written. Throws what
 * storing it throws: `notFound`, and `invalid` or `conflict` as `createTariff` has them.
 */
export async function previewTariff(
  database: Database,
  { id, values, nowMs, accountId }: TariffQuestion,
): Promise<TariffPreview> {
  const next = values === null ? null : identifyTariff(id, values);
  const stored = [...(await listTariffs(database, null)).values()].flat();
  const before = id === null ? null : found(stored.find((tariff) => tariff.id === id) ?? null, 'tariff');
  const municipalities = new Map((await listMunicipalities(database)).map((one) => [one.id, one]));
  if (next !== null) {
    if (!municipalities.has(next.municipalityId)) throw noMunicipality(next.municipalityId);
    refuseSameStart(next, stored);
  }
  const touched = new Set([before, next].flatMap((tariff) => tariff?.municipalityId ?? []));
  const nowhere: TariffPreview = { compared: null, months: [] };
  const todayIn = (municipalityId: string) =>
    Temporal.Instant.fromEpochMilliseconds(nowMs)
      .toZonedDateTimeISO(municipalities.get(municipalityId)?.timeZone ?? 'UTC')
      .toPlainDate()
      .toString();
  const today = [...touched].map(todayIn).toSorted().at(-1);
  const compared = today === undefined ? null : affectedMonths([before, next], today);
  if (compared === null) return nowhere;

  const devices = (await listChosenDevices(database, allDevices)).filter((one) => touched.has(one.municipalityId));
  if (devices.length === 0) return { compared, months: [] };
  const range = calendarRange(compared);
  const scope = { devices: devices.map((device) => device.id) };
  return readEnergy(database, { scope, range, accountId }, async (snapshot) => {
    const ranges = rangesOf(
      range,
      snapshot.devices.map((device) => device.timeZone),
    );
    const revised = (municipalityId: string, tariffs: readonly MunicipalityTariff[]) => [
      ...tariffs.filter((tariff) => tariff.id !== before?.id),
      ...(next?.municipalityId === municipalityId ? [next] : []),
    ];
    const old = await totalEnergy(snapshot, ranges, 'month');
    // Sums under prices that may never be stored are not worth keeping.
    const tried = await totalEnergy({ ...snapshot, keep: () => undefined }, ranges, 'month', revised);
    return { compared, months: changedMonths(old.totalSites(), tried.totalSites()) };
  });
}
