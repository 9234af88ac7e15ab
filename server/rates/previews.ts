import { type ChosenDevice, listChosenDevices } from '../energy/measurements.sql.ts';
import type { Database } from '../database/pool.ts';
import { type CalendarDates, calendarRange, rangesOf } from '../base/ranges.ts';
import { limiterOf } from '../base/budgets.ts';
import type { Tariff } from './tariffs.rules.ts';
import { dateAt, type MicrosRange } from '../base/instants.ts';
import { readEnergy } from '../energy/read-energy.ts';
import { type ReviseTariffs, totalEnergy } from './total-energy.ts';
import { type ChargedSite, stateCosts, type StatedCost } from './cost-statement.rules.ts';
import { unpricedKwhOf } from './costs.rules.ts';
import type { SiteTotals } from './energy-totals.rules.ts';
import { listMunicipalities, listTariffs, type Municipality, type MunicipalityTariff } from './tariffs.sql.ts';
import { found, refuse } from '../base/errors.ts';
import { allDevices } from '../base/scopes.ts';
import { checkTimeZone, identifyTariff, refuseSameStart, type TariffValues } from './tariffs.ts';
import { noMunicipality } from '../database/errors.ts';
import type { z } from 'zod';
import { errorBody, idParams } from '../../shared/primitives.ts';
import { costPreview, type CostPreview as PreviewOnWire } from '../../shared/rates.ts';
import { clientGone } from '../http/client-gone.ts';
import type { ClientParts } from '../http/client-parts.ts';
import { asSchema } from '../http/resources.ts';
import type { Named, App } from '../http/guard.ts';

export interface CostPreview {
  /** The months that were compared, as local dates. Null if the change has an effect in the future only. */
  compared: CalendarDates | null;
  months: ChangedMonth[];
}

export interface PreviewAsker {
  nowMs: number;
  accountId: string;
}

interface PreviewAsked extends PreviewAsker {
  devices: readonly ChosenDevice[];
  /** The tariffs that apply before or after the change. */
  tariffs: readonly Tariff[];
  /** The time zones of the devices before and after the change. */
  timeZones: readonly string[];
}

/** The differences after the change. */
interface Tried {
  place?: Partial<Pick<ChosenDevice, 'municipalityId' | 'timeZone'>>;
  revise?: ReviseTariffs;
}

const previews = limiterOf('previews');

const patienceMs = 15_000;

/** Compares the cost of devices in past months before and after a change. Nothing is written. */
async function previewCosts(
  database: Database,
  { devices, tariffs, timeZones, nowMs, accountId }: PreviewAsked,
  { place = {}, revise }: Tried,
): Promise<CostPreview> {
  const today = timeZones
    .map((timeZone) => dateAt(nowMs * 1000, timeZone).toString())
    .toSorted()
    .at(-1);
  const compared = today === undefined ? null : affectedMonths(tariffs, today);
  if (compared === null || devices.length === 0) return { compared, months: [] };
  const question = { scope: { devices: devices.map(({ id }) => id) }, range: calendarRange(compared), accountId };
  const preview = () =>
    readEnergy(database, question, async (snapshot) => {
      // Sums are not kept, because these prices may never be stored.
      const devicesThere = snapshot.devices.map((one) => ({ ...one, ...place }));
      const tried = snapshot.only(devicesThere, { keepsSums: false });
      const rangesIn = (own: readonly ChosenDevice[]) =>
        rangesOf(
          question.range,
          own.map(({ timeZone }) => timeZone),
        );
      const before = await totalEnergy(snapshot, rangesIn(snapshot.devices), 'month');
      const after = await totalEnergy(tried, rangesIn(tried.devices), 'month', revise);
      return compareMonths(compared, before.totalSites(), after.totalSites());
    });
  const patience = () => AbortSignal.timeout(patienceMs);
  return previews.run(preview, { key: accountId, signal: database.signal, patience });
}

/** The cost of one local month for all sites, and its imported energy without a price, as in the summary of that month. */
interface MonthCost {
  costs: readonly StatedCost[];
  unpricedKwh: number;
}

/** A month in which something differs. Amounts include fixed charges and VAT, rounded to the minor unit of the currency. */
interface ChangedMonth {
  /** `YYYY-MM` */
  month: string;
  before: MonthCost;
  after: MonthCost;
}

/** The maximum number of months in a preview. If there are more, the latest count. */
const maxPreviewMonths = 120;

/**
 * The whole months, up to that of `today`, in which one of the tariffs may be in force before or after its change. At most the
 * latest 120. Null if there are none.
 */
function affectedMonths(tariffs: readonly Tariff[], today: string): CalendarDates | null {
  const monthOf = (date: string) => Temporal.PlainDate.from(date).with({ day: 1 });
  const thisMonth = monthOf(today);
  const starts = tariffs.map(({ effectiveFrom }) => monthOf(effectiveFrom));
  const ends = tariffs.map(({ effectiveTo }) =>
    effectiveTo === null ? thisMonth : monthOf(Temporal.PlainDate.from(effectiveTo).subtract({ days: 1 }).toString()),
  );
  const [firstStart] = starts.toSorted(Temporal.PlainDate.compare);
  const lastEnd = ends.toSorted(Temporal.PlainDate.compare).at(-1);
  if (firstStart === undefined || lastEnd === undefined) return null;
  const first = laterOf(firstStart, thisMonth.subtract({ months: maxPreviewMonths - 1 }));
  const last = Temporal.PlainDate.compare(lastEnd, thisMonth) < 0 ? lastEnd : thisMonth;
  if (Temporal.PlainDate.compare(first, last) > 0) return null;
  return { fromDate: first.toString(), toDate: last.add({ months: 1 }).toString() };
}

const laterOf = (a: Temporal.PlainDate, b: Temporal.PlainDate) => (Temporal.PlainDate.compare(a, b) < 0 ? b : a);

/** The whole local months that a range touches, at most the latest 120. */
export function monthsOf({ fromMicros, toMicros }: MicrosRange, timeZone: string): CalendarDates {
  const [from, last] = [fromMicros, toMicros - 1].map((micros) => dateAt(micros, timeZone).with({ day: 1 }));
  if (from === undefined || last === undefined) throw new Error('a range has two ends');
  const first = laterOf(from, last.subtract({ months: maxPreviewMonths - 1 }));
  return { fromDate: first.toString(), toDate: last.add({ months: 1 }).toString() };
}

/** The differences between two totals, which both must be grouped by month. */
export const compareMonths = (
  compared: CalendarDates,
  before: readonly SiteTotals[],
  after: readonly SiteTotals[],
): CostPreview => ({ compared, months: changedMonths(before, after) });

/** The result for a change without an effect. */
export const noPreview: CostPreview = { compared: null, months: [] };

/** The months in which anything differs, ascending. Both totals must be grouped by month. */
function changedMonths(before: readonly SiteTotals[], after: readonly SiteTotals[]): ChangedMonth[] {
  const [old, next] = [monthCosts(before), monthCosts(after)];
  const none: MonthCost = { costs: [], unpricedKwh: 0 };
  return [...new Set([...old.keys(), ...next.keys()])]
    .toSorted()
    .map((month) => ({ month, before: old.get(month) ?? none, after: next.get(month) ?? none }))
    .filter((one) => !isSame(one.before, one.after));
}

/** A cost of zero equals no cost. */
function isSame(before: MonthCost, after: MonthCost): boolean {
  const shown = ({ costs, unpricedKwh }: MonthCost) =>
    JSON.stringify([unpricedKwh, costs.filter((cost) => cost.energyCost !== 0 || cost.fixedCharge !== 0)]);
  return shown(before) === shown(after);
}

/** Each month is rounded separately, so that its amounts equal those in the summary of the month. */
function monthCosts(sites: readonly SiteTotals[]): Map<string, MonthCost> {
  const months = new Map<string, ChargedSite[]>();
  for (const { siteId, parts } of sites) {
    for (const { group, priced, days } of parts) {
      months.getOrInsertComputed(group ?? '', (): ChargedSite[] => []).push({ siteId, priced, days, devices: [] });
    }
  }
  return new Map(
    [...months].map(([month, own]) => [month, { costs: stateCosts(own).costs, unpricedKwh: unpricedKwhOf(own) }]),
  );
}

/** What the sites of a municipality would have cost in another time zone. Throws `notFound`, and `invalid` on an unknown zone. */
export async function previewTimeZone(
  database: Database,
  municipalityId: string,
  asked: string,
  asker: PreviewAsker,
): Promise<CostPreview> {
  const municipality = found(await findMunicipality(database, municipalityId), 'municipality');
  const timeZone = await checkTimeZone(database, asked);
  const places = [
    { municipalityId, timeZone: municipality.timeZone },
    { municipalityId, timeZone },
  ] as const;
  return previewPlace(database, places, (device) => device.municipalityId === municipalityId, asker);
}

type Place = Pick<ChosenDevice, 'municipalityId' | 'timeZone'>;

/** The devices that move from one place to another. */
export async function previewPlace(
  database: Database,
  [from, to]: readonly [Place, Place],
  isMoved: (device: ChosenDevice) => boolean,
  asker: PreviewAsker,
): Promise<CostPreview> {
  const devices = (await listChosenDevices(database, allDevices)).filter(isMoved);
  const tariffs = [...(await listTariffs(database, [from.municipalityId, to.municipalityId])).values()].flat();
  const timeZones = [from.timeZone, to.timeZone];
  return previewCosts(database, { ...asker, devices, tariffs, timeZones }, { place: to });
}

export const findMunicipality = async (database: Database, id: string): Promise<Municipality | null> =>
  (await listMunicipalities(database)).find((municipality) => municipality.id === id) ?? null;

interface TariffWriteAsked {
  /** Null if the tariff is new. */
  id: string | null;
  /** Null if the tariff will be deleted. */
  values: TariffValues | null;
}

/**
 * The effect of storing or deleting tariffs on past months. Nothing is written. Throws the same errors as the writes:
 * `notFound`, and `invalid` or `conflict` like `createTariff`.
 */
export async function previewTariffs(
  database: Database,
  writes: readonly TariffWriteAsked[],
  asker: PreviewAsker,
): Promise<CostPreview> {
  const stored = [...(await listTariffs(database, null)).values()].flat();
  const municipalities = new Map((await listMunicipalities(database)).map((one) => [one.id, one]));
  const [before, next] = readWrites(writes, stored);
  const kept = stored.filter((tariff) => !before.includes(tariff));
  for (const tariff of next) {
    if (!municipalities.has(tariff.municipalityId)) throw noMunicipality(tariff.municipalityId);
    refuseSameStart(tariff, [...kept, ...next]);
  }
  const touched = new Set([...before, ...next].map((tariff) => tariff.municipalityId));
  const devices = (await listChosenDevices(database, allDevices)).filter((one) => touched.has(one.municipalityId));
  const timeZones = [...touched].map((municipalityId) => municipalities.get(municipalityId)?.timeZone ?? 'UTC');
  const replaced = new Set(before.map((tariff) => tariff.id));
  const revise = (municipalityId: string, tariffs: readonly MunicipalityTariff[]) => [
    ...tariffs.filter((tariff) => !replaced.has(tariff.id)),
    ...next.filter((tariff) => tariff.municipalityId === municipalityId),
  ];
  return previewCosts(database, { ...asker, devices, tariffs: [...before, ...next], timeZones }, { revise });
}

/** The tariffs before and after the change. Throws `invalid` if a tariff is in it twice. */
function readWrites(
  writes: readonly TariffWriteAsked[],
  stored: readonly MunicipalityTariff[],
): [MunicipalityTariff[], MunicipalityTariff[]] {
  const ids = writes.flatMap(({ id }) => id ?? []);
  const twice = ids.find((id, at) => ids.indexOf(id) !== at);
  if (twice !== undefined) throw refuse('tariffTwice', { id: twice }, { field: 'changes' });
  return [
    ids.map((id) => found(stored.find((tariff) => tariff.id === id) ?? null, 'tariff')),
    writes.flatMap(({ id, values }) => (values === null ? [] : [identifyTariff(id, values)])),
  ];
}

export const presentPreview = ({ compared, months }: CostPreview): PreviewOnWire => ({
  fromDate: compared?.fromDate ?? null,
  toDate: compared?.toDate ?? null,
  months: months.map(({ month, before, after }) => ({
    month,
    before: presentMonth(before),
    after: presentMonth(after),
  })),
});

const presentMonth = ({ costs, unpricedKwh }: MonthCost) => ({ costs: [...costs], unpricedEnergyKwh: unpricedKwh });

/** A sentence in the description of each preview. */
export const previewAmounts =
  'Nothing is stored. Amounts are those of the summary of each whole month before and after; the current month as far as it has been measured, with its whole fixed charge. At most the latest 120 months.';

interface Preview<Question> extends Named {
  path: string;
  tags: readonly string[];
  summary: string;
  body: z.ZodType<Question>;
  run: (database: Database, id: string, question: Question, asker: PreviewAsker) => Promise<CostPreview>;
}

/** `POST {path}/{id}/preview` for administrators: the effect of a change on past months. */
export function previewRoute<Question>(
  app: App,
  { database, guard, now }: ClientParts,
  { path, tags, operationId, summary, body, run }: Preview<Question>,
): void {
  app.post(
    `${path}/:id/preview`,
    {
      onRequest: guard.admin,
      schema: {
        tags: [...tags],
        operationId,
        summary,
        description: previewAmounts,
        params: idParams,
        body: asSchema(body),
        response: { 200: costPreview, 404: errorBody },
      },
    },
    async (request, reply) => {
      const asker = { nowMs: now(), accountId: guard.current(request).accountId };
      const asked = body.parse(request.body);
      return presentPreview(await run(database.until(clientGone(reply)), request.params.id, asked, asker));
    },
  );
}
