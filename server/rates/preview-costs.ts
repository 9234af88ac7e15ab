import type { ChosenDevice } from '../energy/measurements.sql.ts';
import type { Database } from '../database/pool.ts';
import { calendarRange, type CalendarDates, rangesOf } from '../base/ranges.ts';
import { limiterOf } from '../base/budgets.ts';
import { affectedMonths, type ChangedMonth, changedMonths } from './tariff-changes.rules.ts';
import type { Tariff } from './tariffs.rules.ts';
import { dateAt } from '../base/time-zones.ts';
import { readEnergy } from '../energy/read-energy.ts';
import { type ReviseTariffs, totalEnergy } from './total-energy.ts';

export interface CostPreview {
  /** The months that were compared, as local dates; null if the change affects only the future. */
  compared: CalendarDates | null;
  months: ChangedMonth[];
}

export interface PreviewAsker {
  nowMs: number;
  accountId: string;
}

interface PreviewAsked extends PreviewAsker {
  devices: readonly ChosenDevice[];
  /** Those that apply before or after the change. */
  tariffs: readonly Tariff[];
  /** Of the devices, before and after. */
  timeZones: readonly string[];
}

/** What is different after the change. */
interface Tried {
  place?: Partial<Pick<ChosenDevice, 'municipalityId' | 'timeZone'>>;
  revise?: ReviseTariffs;
}

const previews = limiterOf('previews');

const patienceMs = 15_000;

/** What devices cost in the months that are measured already, before and after a change; nothing is written. */
export async function previewCosts(
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
      // Do not keep sums under prices that may never be stored.
      const tried = {
        ...snapshot,
        devices: snapshot.devices.map((one) => ({ ...one, ...place })),
        keep: () => undefined,
      };
      const rangesIn = (own: readonly ChosenDevice[]) =>
        rangesOf(
          question.range,
          own.map(({ timeZone }) => timeZone),
        );
      const before = await totalEnergy(snapshot, rangesIn(snapshot.devices), 'month');
      const after = await totalEnergy(tried, rangesIn(tried.devices), 'month', revise);
      return { compared, months: changedMonths(before.totalSites(), after.totalSites()) };
    });
  const patience = () => AbortSignal.timeout(patienceMs);
  return previews.run(preview, { key: accountId, signal: database.signal, patience });
}
